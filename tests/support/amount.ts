/** How much runs: what `npm test` was asked for, or all of a file that is run by itself. */
export const RUN = (process.env.TESTS_RUN ?? 'landing') as 'everyday' | 'landing' | 'long'

/**
 * The number of iterations of a randomised test: `usual` in `npm test`, `long` in `npm run
 * test:long`, or the value of the environment variable.
 */
export function amount(variable: string, { usual, long }: { usual: number; long: number }): number {
  return Number(process.env[variable] ?? (RUN === 'long' ? long : usual))
}
