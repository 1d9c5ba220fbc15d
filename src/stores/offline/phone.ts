import { OWN_PHONE_KEY } from '../../rules/storage-keys.ts'

// Whose kept documents this browser shows. They are kept under the account's id, and go with its session; where a
// parent has said "this is my device", they stay.

/** What this browser knows of its owners. */
interface Phone {
  /** The accounts whose owners chose "this is my device". */
  accounts: number[]
  /** The one of them whose session ran out here: it may read on without a network. */
  reader: number | null
}

const PREFIX = 'kept-'

/** The name of the cache with an account's documents. */
export const documentsCache = (userId: number): string => `${PREFIX}${userId}`

function read(): Phone {
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

function write(phone: Phone): void {
  try {
    if (phone.accounts.length === 0) localStorage.removeItem(OWN_PHONE_KEY)
    else localStorage.setItem(OWN_PHONE_KEY, JSON.stringify(phone))
  } catch {
    // Without storage nothing can be kept.
  }
}

/** Whether the owner of an account declared this browser to be their own device. */
export const isOwnPhone = (userId: number): boolean => read().accounts.includes(userId)

/** Who may read on though the session has run out; null for nobody. */
export const readerWithoutSession = (): number | null => {
  const { accounts, reader } = read()
  return reader !== null && accounts.includes(reader) ? reader : null
}

/** Notes whether this is the device of the account that is logged in. */
export function setOwnPhone(userId: number, isOwn: boolean): void {
  const others = read().accounts.filter((id) => id !== userId)
  write({ accounts: isOwn ? [...others, userId] : others, reader: isOwn ? userId : null })
}

/** Notes that an account has logged in: nobody else reads on. */
export function noteLogIn(userId: number | undefined): void {
  const phone = read()
  const isOwn = userId !== undefined && phone.accounts.includes(userId)
  write({ ...phone, reader: isOwn ? userId : null })
}

/**
 * Notes that an account's session has ended. Unless this is its device, what it kept is deleted; unless the session
 * just ran out, nobody reads it until the account logs in again.
 */
export function noteLogOut(userId: number, hasRunOut: boolean): void {
  const phone = read()
  if (!hasRunOut && phone.reader === userId) write({ ...phone, reader: null })
  if (!phone.accounts.includes(userId)) void drop(documentsCache(userId))
}

/** Deletes what accounts have kept whose device this is not, but for the one that is logged in. */
export async function dropForeignDocuments(loggedIn?: number): Promise<void> {
  const { accounts } = read()
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
    return [] // a browser without, or a page that is not safe
  }
}

async function drop(name: string): Promise<void> {
  try {
    await caches.delete(name)
  } catch {}
}
