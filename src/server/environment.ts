/** The variables of a process, as `process.env` has them. */
export type Environment = Readonly<Record<string, string | undefined>>

/** A variable that stops the start; its message is one line: the name, what was given, what is allowed. */
export class ConfigError extends Error {
  readonly variable: string

  constructor(variable: string, given: string, allowed: string) {
    super(`${variable} is ${given}; allowed is ${allowed}.`)
    this.name = 'ConfigError'
    this.variable = variable
  }
}

/** Reads a variable: null when it is unset or empty, else what `parse` makes of it. */
export type ReadVariable = <T>(
  name: string,
  allowed: string,
  parse: (given: string) => T | false,
  show?: (given: string) => string,
) => T | null

/** A reader of `env`, which throws a `ConfigError` where `parse` answers false. */
export function variable(env: Environment): ReadVariable {
  return (name, allowed, parse, show = quote) => {
    const given = env[name]?.trim()
    if (!given) return null
    const value = parse(given)
    if (value === false) throw new ConfigError(name, show(given), allowed)
    return value
  }
}

/** The value of a variable that cannot be left out; throws a `ConfigError` that says why. */
export function needed<T>(name: string, value: T | null, why: string): T {
  if (value === null) throw new ConfigError(name, 'nothing', why)
  return value
}

/** An address as it may be shown and logged: its password is not in it. */
export function hidePassword(given: string): string {
  return quote(given.replace(/\/\/.*@/s, '//***@').replace(/(password=)[^&\s]*/gi, '$1***'))
}

// JSON's quotes keep a line break in the value from breaking the line.
function quote(given: string): string {
  return JSON.stringify(given.length > 100 ? `${given.slice(0, 100)}…` : given)
}

/** The variables of this process. `tests/checks` holds that `process.env` is read nowhere else. */
export const environment: Environment = process.env

/** What programs that this process starts see of its variables: where programs are, nothing more. */
export function programEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', TZ: 'UTC' }
}

/** Keeps Astro from sending its statistics; for the processes that compile or serve by it. */
export function silenceAstro(): void {
  process.env.ASTRO_TELEMETRY_DISABLED = '1'
}

/**
 * Loads modules with `NODE_ENV` set to `production`, whatever the shop runs as. React decides by it,
 * once, when it is loaded, whether it is the slow development build, and the compiler whether it
 * writes React's development calls into the pages.
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
