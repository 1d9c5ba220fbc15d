/** The variables of a process, as `process.env` has them. */
export type Environment = Readonly<Record<string, string | undefined>>

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
