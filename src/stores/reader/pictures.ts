import { map, readonlyType } from 'nanostores'
import { fetchPicture, waitBefore } from '../../client/page-pictures.ts'
import type { FirstPage } from '../../rules/reader.ts'
import { lineOf } from '../../rules/reader-view.ts'
import { PAGE_WIDTH } from '../../rules/reading.ts'
import { pause } from '../shared/pause.ts'
import { type PicturesAddress, renewingAddress } from './address.ts'

/** The picture of a page: its address in this browser, or that it does not come. */
export type Picture = { phase: 'shown'; url: string; width: number } | { phase: 'failed' }

/** A picture that is wanted, at this width in pixels or wider. */
export interface Wish {
  page: number
  width: number
}

const $all = map<Record<string, Picture | undefined>>({})
/** The pictures that are there, and those that failed, by page; others are on their way or not wanted. */
export const $pictures = readonlyType($all)

/** Pictures this many pages from a wanted one are kept in memory. */
const KEPT_AROUND = 4
/** The shop draws a page when it is first read; many may wait for theirs. Where it does not say how long: */
const RETRY_AFTER_MS = [1000, 3000, 6000]

interface Source {
  address: ReturnType<typeof renewingAddress>
  /** What the script in the head has fetched, for the first picture that is wanted. */
  first: FirstPage['picture'] | undefined
  /** A page as this browser keeps it. */
  kept: (page: number) => Promise<Blob | null>
}

let source: Source | null = null
let wishes: readonly Wish[] = []
const loading = new Map<number, { width: number; ending: AbortController }>()

interface Pictured extends PicturesAddress {
  documentId: number
}

/** Has the pictures of a document fetched as they are wished for; returns what ends that. */
export function followPictures(
  reading: Pictured,
  renew: () => Promise<PicturesAddress>,
  kept: Source['kept'] = async () => null,
): () => void {
  forgetPictures()
  const address = renewingAddress(reading, renew)
  const { firstPage } = window
  delete window.firstPage
  const first = firstPage?.documentId === reading.documentId ? firstPage.picture : undefined
  const mine: Source = { address, first, kept }
  source = mine
  addEventListener('online', retryFailed)
  return () => {
    address.stop()
    removeEventListener('online', retryFailed)
    if (source === mine) source = null
  }
}

/** Drops all pictures. */
export function forgetPictures(): void {
  for (const page of Object.keys($all.get())) drop(page)
  for (const { ending } of loading.values()) ending.abort()
  loading.clear()
  wishes = []
}

/** Fetches these pictures, the first ones first, and no others. */
export function wishFor(list: readonly Wish[]): void {
  wishes = list
  for (const [page, { width, ending }] of loading) {
    if (wishes.some((wish) => wish.page === page && wish.width <= width)) continue
    loading.delete(page)
    ending.abort()
  }
  for (const page of Object.keys($all.get())) {
    const isNear = wishes.some((wish) => Math.abs(wish.page - Number(page)) <= KEPT_AROUND)
    if (!isNear) drop(page)
  }
  fetchNext()
}

/** Retries a page whose picture failed to load. */
export function retryPage(page: number): void {
  if ($all.get()[page]?.phase === 'failed') drop(String(page))
  fetchNext()
}

function retryFailed(): void {
  for (const [page, picture] of Object.entries($all.get())) {
    if (picture?.phase === 'failed') retryPage(Number(page))
  }
}

function drop(page: string): void {
  const picture = $all.get()[page]
  if (picture?.phase === 'shown') URL.revokeObjectURL(picture.url)
  $all.setKey(page, undefined)
}

function fetchNext(): void {
  // One after the other on a slow line, so that the page that is looked at has all of it.
  const lanes = lineOf(navigator).isSlow ? 1 : 2
  for (const wish of wishes) {
    if (loading.size >= lanes) return
    if (!loading.has(wish.page) && !isThere(wish)) void load(wish)
  }
}

function isThere({ page, width }: Wish): boolean {
  const picture = $all.get()[page]
  return picture?.phase === 'failed' || (picture?.phase === 'shown' && picture.width >= width)
}

async function load(wish: Wish): Promise<void> {
  const from = source
  if (!from) return
  const ending = new AbortController()
  const { signal } = ending
  const entry = { width: wish.width, ending }
  loading.set(wish.page, entry)
  try {
    const found = await pictureOf(from, wish, signal)
    const url = URL.createObjectURL(found.bytes)
    await decoded(url)
    if (signal.aborted) return URL.revokeObjectURL(url)
    const before = $all.get()[wish.page]
    $all.setKey(String(wish.page), { phase: 'shown', url, width: found.width })
    if (before?.phase === 'shown') URL.revokeObjectURL(before.url)
  } catch {
    if (signal.aborted) return
    // A blurred page is better than no page.
    if ($all.get()[wish.page]?.phase !== 'shown') {
      $all.setKey(String(wish.page), { phase: 'failed' })
    } else wishes = wishes.filter((other) => other !== wish)
  }
  if (loading.get(wish.page) === entry) loading.delete(wish.page)
  fetchNext()
}

/** The picture of a page, however long it takes. Throws where it does not come. */
export async function fetchPage(wish: Wish, signal: AbortSignal): Promise<Blob> {
  if (!source) throw new Error('no document is open')
  return (await pictureOf(source, wish, signal)).bytes
}

async function pictureOf(from: Source, { page, width }: Wish, signal: AbortSignal) {
  const { first } = from
  from.first = undefined
  const early = await first
  if (early && early.page === page && early.width >= width) return early
  // Kept for reading; who zooms in gets a sharper one where there is a network.
  const kept = $all.get()[page] ? null : await from.kept(page)
  if (kept) return { bytes: kept, width: PAGE_WIDTH }

  return { bytes: await bytesOf(from, `${page}-${width}.webp`, signal), width }
}

/** What is written on a page. Throws where that does not come. */
export async function fetchPageText(page: number, signal: AbortSignal): Promise<string> {
  if (!source) throw new Error('no document is open')
  return (await bytesOf(source, `${page}.txt`, signal)).text()
}

async function bytesOf({ address }: Source, name: string, signal: AbortSignal): Promise<Blob> {
  let pages = address.current()
  let isRenewed = false
  for (let attempt = 0; ; attempt++) {
    const answer = await fetchPicture(pages + name, signal)
    const { status, bytes } = answer
    if (bytes) return bytes
    const isRefused = status >= 400 && status < 500 && status !== 429
    if (isRefused) {
      // What is not there is not at another address either.
      if (isRenewed || status === 404) throw new Error(`${name}: ${status}`)
      isRenewed = true
      pages = await address.renewed()
      continue
    }
    const usual = RETRY_AFTER_MS[attempt]
    if (usual === undefined) throw new Error(`${name}: ${status}`)
    await pause(waitBefore(answer, usual), signal)
  }
}

/** Resolves when the picture can be painted at once. */
async function decoded(url: string): Promise<void> {
  const image = new Image()
  image.src = url
  await image.decode()
}
