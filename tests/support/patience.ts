/**
 * How long `vi.waitFor` looks for a condition: its own second is over on a busy machine before
 * anything is wrong.
 */
export const PATIENCE = { timeout: 60_000 }
