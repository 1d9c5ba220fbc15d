/** The shapes of the skeleton. */
export const LINES = ['button', 'button', 'button'] as const
