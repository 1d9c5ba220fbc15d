import type { PurchasedDocument } from '../../contract/library.ts'
import type { Mark } from '../../contract/marks.ts'
import type { Reading } from '../../contract/reading.ts'
import { $session } from '../session/session.ts'
import { documentsCache, dropForeignDocuments } from '../user-data/phone.ts'
import { canKeep } from './shells.ts'

// The documents that an account keeps: for each version, the answer of `openReading` and a picture
// of each page. The names of the entries contain all that a list shows, so that no picture is read
// for it.

export interface KeptVersion {
  documentId: number
  version: number
  title: string
  /** The number of its pages, and which of them are kept. */
  of: number
  pages: Set<number>
  bytes: number
  /** When keeping it began (ms since 1970). */
  keptAt: number
}

const ENTRY = /^\/kept\/(\d+)\/(\d+)\/(reading|\d+)$/
const addressOf = ({ documentId, version }: Version, name: string | number) =>
  `/kept/${documentId}/${version}/${name}`

type Version = Pick<KeptVersion, 'documentId' | 'version'>

export const openDocuments = (userId: number): Promise<Cache> => caches.open(documentsCache(userId))

/** The versions in a cache, read from the names of its entries alone. */
export async function keptVersions(cache: Cache): Promise<KeptVersion[]> {
  const found = new Map<string, KeptVersion>()
  const pictures: { key: string; page: number; bytes: number }[] = []
  for (const { url } of await cache.keys()) {
    const { pathname, searchParams } = new URL(url)
    const [, documentId, version, name] = ENTRY.exec(pathname) ?? []
    if (!name) continue
    const key = `${documentId}/${version}`
    if (name !== 'reading') {
      pictures.push({ key, page: Number(name), bytes: Number(searchParams.get('bytes')) })
      continue
    }
    found.set(key, {
      documentId: Number(documentId),
      version: Number(version),
      title: searchParams.get('title') ?? '',
      of: Number(searchParams.get('of')),
      pages: new Set(),
      bytes: 0,
      keptAt: Number(searchParams.get('at')),
    })
  }
  for (const { key, page, bytes } of pictures) {
    const kept = found.get(key)
    kept?.pages.add(page)
    if (kept) kept.bytes += bytes
  }
  return [...found.values()]
}

/** The version to read: the newest complete one, or else the newest. */
export function readableOf(versions: readonly KeptVersion[]): KeptVersion | undefined {
  const newestFirst = versions.toSorted((a, b) => b.version - a.version)
  return newestFirst.find(({ pages, of }) => pages.size >= of) ?? newestFirst[0]
}

/** Begins or continues keeping a version; resolves to what is already kept of it. */
export async function beginVersion(
  cache: Cache,
  reading: Reading,
  now: number,
): Promise<KeptVersion> {
  const before = await versionIn(cache, reading)
  if (before) return before
  const { title, sizes } = reading
  const facts = new URLSearchParams({ title, of: String(sizes.length), at: String(now) })
  await cache.put(`${addressOf(reading, 'reading')}?${facts}`, Response.json(reading))
  const begun = await versionIn(cache, reading)
  if (!begun) throw new Error('the browser has not kept what it took')
  return begun
}

async function versionIn(cache: Cache, { documentId, version }: Version) {
  const versions = await keptVersions(cache)
  return versions.find((kept) => kept.documentId === documentId && kept.version === version)
}

/** Removes a version of which no page is kept, so that it does not count as kept. */
export async function removeEmptyVersion(cache: Cache, version: Version): Promise<void> {
  const kept = await versionIn(cache, version)
  if (kept?.pages.size !== 0) return
  await cache.delete(addressOf(version, 'reading'), { ignoreSearch: true })
}

export async function putPage(
  cache: Cache,
  version: Version,
  page: number,
  picture: Blob,
): Promise<void> {
  const headers = { 'content-type': picture.type }
  const address = `${addressOf(version, page)}?bytes=${picture.size}`
  await cache.put(address, new Response(picture, { headers }))
}

export async function readingIn(cache: Cache, version: Version): Promise<Reading | null> {
  const found = await cache.match(addressOf(version, 'reading'), { ignoreSearch: true })
  return found ? ((await found.json()) as Reading) : null
}

export async function pageIn(cache: Cache, version: Version, page: number): Promise<Blob | null> {
  const found = await cache.match(addressOf(version, page), { ignoreSearch: true })
  return found ? found.blob() : null
}

export async function removeVersions(
  cache: Cache,
  documentId: number,
  before = Number.POSITIVE_INFINITY,
): Promise<void> {
  for (const request of await cache.keys()) {
    const [, id, version] = ENTRY.exec(new URL(request.url).pathname) ?? []
    if (Number(id) === documentId && Number(version) < before) await cache.delete(request)
  }
}

/** The last known list of what an account bought; `at` in ms since 1970. */
interface KeptList {
  at: number
  documents: PurchasedDocument[]
}

/** Keeps the list if the shop's service worker is active, without which no page could show it. */
export const keepList = (userId: number, documents: PurchasedDocument[]): Promise<void> =>
  keepAnswer(userId, 'list', { at: Date.now(), documents } satisfies KeptList)

export async function keptList(userId: number): Promise<KeptList | null> {
  const list = (await keptAnswer(userId, 'list')) as Partial<KeptList> | undefined
  return Array.isArray(list?.documents) && typeof list.at === 'number' ? (list as KeptList) : null
}

export const keepMarks = (userId: number, marks: readonly Mark[]): Promise<void> =>
  keepAnswer(userId, 'marks', marks)

export async function keptMarks(userId: number): Promise<readonly Mark[] | null> {
  const marks = await keptAnswer(userId, 'marks')
  return Array.isArray(marks) ? marks : null
}

async function keepAnswer(userId: number, name: string, answer: unknown): Promise<void> {
  if (!canKeep() || !navigator.serviceWorker.controller) return
  const cache = await openDocuments(userId)
  // The session may have ended while the answer was being loaded; then opening the cache has
  // recreated it.
  if ($session.get()?.userId !== userId) return dropForeignDocuments($session.get()?.userId)
  await cache.put(`/kept/${name}`, Response.json(answer))
}

async function keptAnswer(userId: number, name: string): Promise<unknown> {
  if (!canKeep()) return undefined
  return (await (await openDocuments(userId)).match(`/kept/${name}`))?.json()
}
