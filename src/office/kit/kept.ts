import { OFFICE_DRAFT_PREFIX, OFFICE_KEPT_PREFIX } from '../../rules/storage-keys.ts'
import { createDrafts } from '../../stores/shared/drafts.ts'
import { handDraftsOver } from '../../stores/shared/persistence.ts'
import { $officeSession } from './session.ts'

/** Ignores errors: storage may be disabled or full, and keeping input is optional. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

/** Keys contain the user's id, so that users of a shared browser do not see each other's input. */
const keyOf = (name: string) => `${OFFICE_KEPT_PREFIX}${$officeSession.get()?.userId}:${name}`

/**
 * Keeps unsaved input in this browser until it is forgotten or the user logs out. Does nothing once
 * the user has logged out.
 */
export function keep(name: string, value: unknown): void {
  if (!$officeSession.get()) return
  attempt(() => localStorage.setItem(keyOf(name), JSON.stringify(value)))
}

/** The value kept under this name, of any shape; undefined if there is none. */
export function kept(name: string): unknown {
  return attempt(() => JSON.parse(localStorage.getItem(keyOf(name)) ?? ''))
}

/** Deletes the value kept under this name; if `value` is given, only if it still equals that. */
export function forgetKept(name: string, value?: unknown): void {
  attempt(() => {
    const key = keyOf(name)
    if (value !== undefined && localStorage.getItem(key) !== JSON.stringify(value)) return
    localStorage.removeItem(key)
  })
}

/** The words of questions and reasons that are not sent yet, in this tab alone. */
export const officeDrafts = createDrafts({
  prefix: OFFICE_DRAFT_PREFIX,
  userHere: () => $officeSession.get()?.userId,
})

/** Deletes everything kept in this browser, for all users. */
export function forgetAllKept(): void {
  handDraftsOver(OFFICE_DRAFT_PREFIX)
  attempt(() => {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(OFFICE_KEPT_PREFIX)) localStorage.removeItem(key)
    }
  })
}
