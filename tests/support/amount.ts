/**
 * The number of iterations of a randomised test: `usual` in `npm test`, `long` in `npm run
 * test:long`, or the value of the environment variable.
 */
export function amount(variable: string, { usual, long }: { usual: number; long: number }): number {
  return Number(process.env[variable] ?? (process.env.TESTS_LONG ? long : usual))
}
