/** The variables of a process, as `process.env` has them. */
export type Environment = Readonly<Record<string, string | undefined>>

/**
 * A variable with a wrong value, which prevents the start. The message is one line: the name, the
 * value, what is allowed.
 */
export class ConfigError extends Error {
  readonly variable: string

  constructor(variable: string, given: string, allowed: string) {
    super(`${variable} is ${given}; allowed is ${allowed}.`)
    this.name = 'ConfigError'
    this.variable = variable
  }
}

/** Reads a variable: null if it is unset or empty, otherwise the result of `parse`. */
export type ReadVariable = <T>(
  name: string,
  allowed: string,
  parse: (given: string) => T | false,
  show?: (given: string) => string,
) => T | null

/** A reader of `env` that throws a `ConfigError` if `parse` returns false. */
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

/** A URL without its password, for logs and messages. */
export function hidePassword(given: string): string {
  const [start, end] = [given.indexOf('//') + 2, given.lastIndexOf('@')]
  const shown = start > 1 && end >= start ? `${given.slice(0, start)}***${given.slice(end)}` : given
  return quote(shown.replace(/(password=)[^&\s]*/gi, '$1***'))
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
