import { OFFICE_KEPT_PREFIX } from '../../rules/office-storage-keys.ts'
import { $officeSession } from './session.ts'

/** Storage may be forbidden or full: then nothing is kept, and nothing fails. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

/** The next person who logs in on this browser must not find what another has typed. */
const keyOf = (name: string) => `${OFFICE_KEPT_PREFIX}${$officeSession.get()?.userId}:${name}`

/**
 * Keeps unsaved input in this browser until it is forgotten or the user logs out, after which nothing
 * more is kept.
 */
export function keep(name: string, value: unknown): void {
  if (!$officeSession.get()) return
  attempt(() => localStorage.setItem(keyOf(name), JSON.stringify(value)))
}

/** The value kept under this name, of any shape; undefined if there is none. */
export function kept(name: string): unknown {
  return attempt(() => JSON.parse(localStorage.getItem(keyOf(name)) ?? ''))
}

/** Forgets the value kept under this name; if `value` is given, only if it is still that one. */
export function forgetKept(name: string, value?: unknown): void {
  attempt(() => {
    const key = keyOf(name)
    if (value !== undefined && localStorage.getItem(key) !== JSON.stringify(value)) return
    localStorage.removeItem(key)
  })
}

/** Forgets everything kept in this browser, of any user. */
export function forgetAllKept(): void {
  attempt(() => {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(OFFICE_KEPT_PREFIX)) localStorage.removeItem(key)
    }
  })
}
