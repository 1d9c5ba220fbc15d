import {
  persistentAtom,
  persistentMap,
  setPersistentEngine,
  windowPersistentEvents,
} from '@nanostores/persistent'
import type { MapStore, WritableAtom } from 'nanostores'

/**
 * Storage that never throws: entries that cannot be written (quota, private mode) stay in memory
 * until the visitor leaves the page.
 */
function patientStorage(storage: Storage): Record<string, string> {
  const unwritten: Record<string, string> = {}
  return new Proxy(unwritten, {
    get: (_, key: string) => unwritten[key] ?? storage.getItem(key) ?? undefined,
    has: (_, key: string) => key in unwritten || storage.getItem(key) !== null,
    // For `for … in`, by which stores with several entries find them.
    ownKeys: () => [...new Set([...Object.keys(unwritten), ...Object.keys(storage)])],
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true, writable: true }),
    set: (_, key: string, text: string) => {
      try {
        storage.setItem(key, text)
        delete unwritten[key]
      } catch {
        unwritten[key] = text
      }
      return true
    },
    deleteProperty: (_, key: string) => {
      delete unwritten[key]
      storage.removeItem(key)
      return true
    },
  })
}

/**
 * In addition to storage events, a prerendered page reads again what has changed when it is opened.
 */
const events: typeof windowPersistentEvents = {
  addEventListener(key, listener, restore) {
    windowPersistentEvents.addEventListener(key, listener, restore)
    document.addEventListener('prerenderingchange', restore)
  },
  removeEventListener(key, listener, restore) {
    windowPersistentEvents.removeEventListener(key, listener, restore)
    document.removeEventListener('prerenderingchange', restore)
  },
}

if (typeof window !== 'undefined') {
  try {
    setPersistentEngine(patientStorage(localStorage), events)
  } catch {
    // Storage is forbidden.
    setPersistentEngine({}, events)
  }
}

/**
 * Creates a store that is saved as JSON in this browser and synchronized with other tabs. Stored
 * data is not trusted: `read` gets whatever was there (undefined if it was not JSON) and makes a
 * value of it; `write`, if given, returns what to store for a value. The empty value is stored as
 * no entry.
 */
export function persistedJson<T>(
  key: string,
  empty: T,
  read: (value: unknown) => T,
  write: (value: T) => unknown = (value) => value,
): WritableAtom<T> {
  const noEntry = JSON.stringify(write(empty))
  const encode = (value: T) => {
    const text = JSON.stringify(write(value))
    return text === noEntry ? undefined : text
  }
  return persistentAtom<T>(key, empty, { encode, decode: (text) => read(parse(text)) })
}

/**
 * Creates a map whose values are saved as JSON, each in its own entry, so that two tabs can write
 * at the same time. `read` returns undefined for an unusable entry, which is then removed.
 */
export function persistedMap<T>(
  prefix: string,
  read: (value: unknown) => T | undefined,
): MapStore<Record<string, T | undefined>> {
  return persistentMap<Record<string, T | undefined>>(
    prefix,
    {},
    { encode: JSON.stringify, decode: (text) => read(parse(text)) },
  )
}

/** Creates a store for a text that this browser keeps; '' is stored as no entry. */
export function persistedText(key: string): WritableAtom<string> {
  return persistentAtom<string>(key, '', {
    encode: (value: string) => value || undefined,
    decode: String,
  })
}

/** What a stored text says; undefined if it is not JSON. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What says whose a draft is (`drafts.ts`). */
export interface OwnedDraft {
  /** The id of its author; null until somebody logs in. */
  by: number | null
}

/** The key whose change tells other tabs of a log-out. */
export const endingOf = (prefix: string): string => `${prefix}ended`

/**
 * Gives this tab's drafts, whose keys begin with `prefix`, to the user who logs in, and drops those of
 * others; at a log-out all.
 */
export function handDraftsOver(prefix: string, to?: number): void {
  try {
    for (const key of Object.keys(sessionStorage)) {
      if (!key.startsWith(prefix)) continue
      const draft = parse(sessionStorage.getItem(key) ?? '') as OwnedDraft | undefined
      if (draft && to !== undefined && (draft.by ?? to) === to) {
        sessionStorage.setItem(key, JSON.stringify({ ...draft, by: to }))
      } else sessionStorage.removeItem(key)
    }
    if (to !== undefined) return
    localStorage.setItem(endingOf(prefix), '')
    localStorage.removeItem(endingOf(prefix))
  } catch {
    // Storage is forbidden.
  }
}
