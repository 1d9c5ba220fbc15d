import { OFFICE_KEPT_PREFIX } from '../../rules/office-storage-keys.ts'
import { $officeSession } from './session.ts'

/** Storage may be forbidden or full: then nothing is kept, and nothing fails for it. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

/** Whoever logs in next at this browser does not find what another has typed. */
const keyOf = (name: string) => `${OFFICE_KEPT_PREFIX}${$officeSession.get()?.userId}:${name}`

/**
 * Keeps what was typed and is not saved yet in this browser, until it is forgotten or by the log-out,
 * after which nothing more is kept.
 */
export function keep(name: string, value: unknown): void {
  if (!$officeSession.get()) return
  attempt(() => localStorage.setItem(keyOf(name), JSON.stringify(value)))
}

/** What was kept under this name, of whatever shape; undefined where there is nothing. */
export function kept(name: string): unknown {
  return attempt(() => JSON.parse(localStorage.getItem(keyOf(name)) ?? ''))
}

/** Forgets what is kept under this name; where `value` is given, only while that is what is kept. */
export function forgetKept(name: string, value?: unknown): void {
  attempt(() => {
    const key = keyOf(name)
    if (value !== undefined && localStorage.getItem(key) !== JSON.stringify(value)) return
    localStorage.removeItem(key)
  })
}

/** Forgets all that anybody has left in this browser. */
export function forgetAllKept(): void {
  attempt(() => {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(OFFICE_KEPT_PREFIX)) localStorage.removeItem(key)
    }
  })
}
