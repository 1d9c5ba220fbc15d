/**
 * The time-out of `vi.waitFor`: its default of one second passes on a busy machine without anything
 * being wrong.
 */
export const PATIENCE = { timeout: 60_000 }
