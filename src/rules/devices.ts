/** How many log-ins an account has at a time; a further one ends the oldest. */
export const LOG_INS_MAX = 30

// The word in a user agent and the name; whatever imitates another browser comes before it.
const BROWSERS = [
  ['Edg', 'Edge'],
  ['SamsungBrowser', 'Samsung Internet'],
  ['OPR', 'Opera'],
  ['Firefox', 'Firefox'],
  ['FxiOS', 'Firefox'],
  ['CriOS', 'Chrome'],
  ['Chrome', 'Chrome'],
  ['Safari', 'Safari'],
] as const

const SYSTEMS = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['CrOS', 'ChromeOS'],
  ['Mac OS X', 'Mac'],
  ['Linux', 'Linux'],
] as const

/**
 * A device in the names that its owner knows, such as `Chrome, Android`; '' for one that cannot be
 * told. Nothing else of a user agent is kept.
 */
export function deviceOf(userAgent: string): string {
  return [BROWSERS, SYSTEMS]
    .flatMap((names) => names.find(([word]) => userAgent.includes(word))?.[1] ?? [])
    .join(', ')
}
