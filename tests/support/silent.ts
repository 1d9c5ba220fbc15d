import type { Monitor } from '../../src/server/office/command.ts'

/** Where a command reports that nobody watches. */
export const SILENT: Monitor = { warn: () => {}, progress: () => {} }
