/** The variables of a process, as `process.env` has them. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Every setting; docs/operating.md says what each means. */
export const SETTINGS = [
  'HOST',
  'PORT',
  'SITE_URL',
  'DATA_DIR',
  'FILES_URL',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'AWS_REGION',
  'DATABASE_URL',
  'DATABASE_LISTEN_URL',
  'DATABASE_POOL',
  'TRUSTED_PROXIES',
  'API_ORIGIN',
  'JWT_SECRET',
  'OFFICE_URL',
  'DEMO',
  'SMTP_URL',
  'OWNER_EMAIL',
  'SMS_URL',
  'SMS_HEADERS',
  'SMS_BODY',
  'SMS_ACCEPTED',
  'SMS_PER_DAY',
  'CHAT_MAIL',
  'OVERLOAD_DELAY',
  'DRAIN_SECONDS',
  'OFFLINE',
  'CDN_SECONDS',
  'CDN_PURGE_URL',
  'CDN_PURGE_SECRET',
  'PAYMENT_PROVIDER',
  'KONNECT_API_KEY',
  'KONNECT_WALLET_ID',
  'KONNECT_METHODS',
  'METRICS_TOKEN',
  'KONNECT_BASE_URL',
] as const
export type Setting = (typeof SETTINGS)[number]

/** Those whose whole value is a secret. */
const SECRET_SETTINGS = [
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'JWT_SECRET',
  'METRICS_TOKEN',
  'SMS_URL',
  'SMS_HEADERS',
  'SMS_BODY',
  'CDN_PURGE_SECRET',
  'KONNECT_API_KEY',
] as const satisfies readonly Setting[]

/**
 * A variable with a wrong value, which prevents the start. The message is one line: the name, the
 * value, what is allowed.
 */
export class ConfigError extends Error {
  readonly variable: Setting

  constructor(variable: Setting, given: string, allowed: string) {
    super(`${variable} is ${given}; allowed is ${allowed}.`)
    this.name = 'ConfigError'
    this.variable = variable
  }
}

/** Reads settings, and keeps what is wrong with them: a wrong one counts as unset. */
export interface SettingsReader {
  /** The result of `parse`; null if the setting is unset, empty or wrong, which is a `false`. */
  read<T>(
    name: Setting,
    allowed: string,
    parse: (given: string) => T | false,
    show?: (given: string) => string,
  ): T | null
  /** Notes that a setting is missing if its value is null; returns the value. */
  need<T>(name: Setting, value: T | null, why: string): T | null
  /** Notes that a setting has a value that the others do not allow. */
  refuse(name: Setting, given: string, allowed: string): void
  /** At most one for each setting, in the order in which they are read. */
  readonly problems: readonly ConfigError[]
}

export function readerOf(env: Environment): SettingsReader {
  const problems: ConfigError[] = []
  const refuse: SettingsReader['refuse'] = (name, given, allowed) => {
    if (problems.some(({ variable }) => variable === name)) return
    problems.push(new ConfigError(name, given, allowed))
  }
  return {
    problems,
    refuse,
    read(name, allowed, parse, show = quote) {
      const given = env[name]?.trim()
      if (!given) return null
      const value = parse(given)
      if (value !== false) return value
      refuse(name, show(given), allowed)
      return null
    },
    need(name, value, why) {
      if (value === null) refuse(name, 'nothing', why)
      return value
    },
  }
}

/** A URL without its password, for logs and messages. */
export function hidePassword(given: string): string {
  const slashes = given.indexOf('//')
  const [start, end] = [slashes < 0 ? 0 : slashes + 2, given.lastIndexOf('@')]
  const shown = end >= start ? `${given.slice(0, start)}***${given.slice(end)}` : given
  return quote(shown.replace(/(password=)[^&\s]*/gi, '$1***'))
}

/** Shorter ones are words of any text. */
const SECRET_LEAST = 4

/** A text without the secrets of these settings, wherever it comes from. */
export function withoutSecrets(text: string, env: Environment): string {
  const whole = SECRET_SETTINGS.map((name) => env[name]?.trim() ?? '')
  const inUrls = SETTINGS.flatMap((name) => {
    const { password = '', searchParams } = URL.parse(env[name]?.trim() ?? '') ?? {}
    return [password, decoded(password), searchParams?.get('password') ?? '']
  })
  return [...whole, ...inUrls]
    .filter(({ length }) => length >= SECRET_LEAST)
    .reduce((shown, secret) => shown.replaceAll(secret, '***'), text)
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
/** A URL without the slashes at its end. */
export function withoutLastSlashes(url: string): string {
  let end = url.length
  while (url[end - 1] === '/') end--
  return url.slice(0, end)
}

// JSON's quotes escape line breaks in the value.
function quote(given: string): string {
  return JSON.stringify(given.length > 100 ? `${given.slice(0, 100)}…` : given)
}

/**
 * The variables of this process. `tests/checks` ensures that `process.env` is read nowhere else.
 */
export const environment: Environment = process.env

/** The variables for programs that this process starts: only where to find programs. */
export function programEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', TZ: 'UTC' }
}

/** Stops Astro from sending statistics; for the processes that use it. */
export function silenceAstro(): void {
  process.env.ASTRO_TELEMETRY_DISABLED = '1'
}

/**
 * Loads modules with `NODE_ENV` set to `production`, whatever mode the shop runs in. While React is
 * loaded, this variable decides whether it is the slow development build, and in the compiler,
 * whether pages contain React's development calls.
 */
export async function inProduction<T>(load: () => Promise<T>): Promise<T> {
  const { NODE_ENV } = process.env
  process.env.NODE_ENV = 'production'
  try {
    return await load()
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = NODE_ENV
  }
}
