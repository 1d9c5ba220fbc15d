import { LOG_OUT_MARK, PAGES_CACHE } from '../../rules/offline.ts'
import { OWN_PHONE_KEY } from '../../rules/storage-keys.ts'

// Decides whose kept documents this browser shows. They are kept under the account's id and deleted
// with its session; if a parent has chosen "this is my device", they stay.

interface Phone {
  /** The accounts whose owners chose "this is my device". */
  accounts: number[]
  /** The account among them whose session expired here: it may still read offline. */
  reader: number | null
}

const PREFIX = 'kept-'

export const documentsCache = (userId: number): string => `${PREFIX}${userId}`

function readPhone(): Phone {
  try {
    const { accounts, reader } = JSON.parse(localStorage.getItem(OWN_PHONE_KEY) ?? '{}')
    return {
      accounts: Array.isArray(accounts) ? accounts.filter(Number.isSafeInteger) : [],
      reader: Number.isSafeInteger(reader) ? reader : null,
    }
  } catch {
    return { accounts: [], reader: null }
  }
}

function writePhone(phone: Phone): void {
  try {
    if (phone.accounts.length === 0) localStorage.removeItem(OWN_PHONE_KEY)
    else localStorage.setItem(OWN_PHONE_KEY, JSON.stringify(phone))
  } catch {
    // Without storage nothing is kept.
  }
}

/** Whether the owner of an account declared this browser to be their own device. */
export const isOwnPhone = (userId: number): boolean => readPhone().accounts.includes(userId)

/** The user who may still read although the session has expired, or null. */
export const readerWithoutSession = (): number | null => {
  const { accounts, reader } = readPhone()
  return reader !== null && accounts.includes(reader) ? reader : null
}

export function setOwnPhone(userId: number, isOwn: boolean): void {
  const others = readPhone().accounts.filter((id) => id !== userId)
  writePhone({ accounts: isOwn ? [...others, userId] : others, reader: isOwn ? userId : null })
}

/** After this, no other account may read without a session. */
export function noteLogIn(userId: number | undefined): void {
  const phone = readPhone()
  const isOwn = userId !== undefined && phone.accounts.includes(userId)
  writePhone({ ...phone, reader: isOwn ? userId : null })
}

/**
 * Called when an account's session has ended. After a log-out, the pages that were visited are
 * deleted, searches among them. Unless this is its own device, its kept documents are
 * deleted; unless the session merely expired, they cannot be read until the account logs in again.
 */
export function noteLogOut(userId: number, hasRunOut: boolean): void {
  const phone = readPhone()
  if (!hasRunOut) void dropVisited()
  if (!hasRunOut && phone.reader === userId) writePhone({ ...phone, reader: null })
  if (!phone.accounts.includes(userId)) void drop(documentsCache(userId))
}

/** Also leaves the mark by which the worker drops visits that it is yet to keep or to be told of. */
async function dropVisited(): Promise<void> {
  const mark = `${LOG_OUT_MARK}${Date.now()}`
  try {
    await Promise.all([caches.open(mark), caches.delete(PAGES_CACHE)])
  } catch {}
  for (const name of await cacheNames()) {
    if (name.startsWith(LOG_OUT_MARK) && name !== mark) await drop(name)
  }
}

/** Spares the logged-in account and those whose own device this is. */
export async function dropForeignDocuments(loggedIn?: number): Promise<void> {
  const { accounts } = readPhone()
  const staying = new Set(accounts.map(documentsCache))
  if (loggedIn !== undefined) staying.add(documentsCache(loggedIn))
  for (const name of await cacheNames()) {
    if (name.startsWith(PREFIX) && !staying.has(name)) await drop(name)
  }
}

async function cacheNames(): Promise<string[]> {
  try {
    return await caches.keys()
  } catch {
    return [] // the browser has no caches, or the page is not served over HTTPS
  }
}

async function drop(name: string): Promise<void> {
  try {
    await caches.delete(name)
  } catch {}
}
