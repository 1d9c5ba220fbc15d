/**
 * How often a test that tries its luck does so: `usual` in `npm test`, `long` in `npm run test:long`, or
 * as often as its variable says.
 */
export function amount(variable: string, { usual, long }: { usual: number; long: number }): number {
  return Number(process.env[variable] ?? (process.env.TESTS_LONG ? long : usual))
}
