import type { Monitor } from '../../src/server/office/command.ts'

/** A command's monitor that reports nothing. */
export const SILENT: Monitor = { warn: () => {}, progress: () => {} }
