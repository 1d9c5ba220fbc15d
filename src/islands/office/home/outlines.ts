/** The outlines of what waits. */
export const LINES = ['button', 'button', 'button'] as const
