import { atom, map, readonlyType } from 'nanostores'
import { fetchPicture, waitBefore } from '../../client/page-pictures.ts'
import { MINUTE_MS } from '../../rules/durations.ts'
import { type Passage, passagesOf } from '../../rules/page-passages.ts'
import type { FirstPage } from '../../rules/reader.ts'
import { lineOf } from '../../rules/reader.ts'
import { LOOK_WIDTHS, PAGE_WIDTH } from '../../rules/reading.ts'
import { pause } from '../shared/queue.ts'

/** The picture of a page: its object URL and width in pixels, or a failure. */
type Picture = { phase: 'shown'; url: string; width: number } | { phase: 'failed' }

/** A request for a page's picture with at least this width in pixels. */
interface PictureRequest {
  page: number
  width: number
}

const $all = map<Record<string, Picture | undefined>>({})
/** The loaded and the failed pictures by page. Others are loading or were not requested. */
export const $pictures = readonlyType($all)

/** Pictures up to this many pages from a requested one stay in memory. */
const KEPT_AROUND = 4
/** The delays before retries if the server names none: it renders a page when it is first read. */
const RETRY_AFTER_MS = [1000, 3000, 6000]

interface Source {
  address: ReturnType<typeof renewingAddress>
  /** The picture that the script in the head has fetched, for the first request. */
  first: FirstPage['picture'] | undefined
  /** Returns a page that this browser keeps offline, or null. */
  kept: (page: number) => Promise<Blob | null>
  /** The pages of a sample in their order; their pictures are drawn in fewer widths. */
  sample: readonly { readonly page: number; readonly text: string }[] | undefined
}

let source: Source | null = null
let requests: readonly PictureRequest[] = []
const loading = new Map<number, { width: number; controller: AbortController }>()

interface Pictured extends PicturesAddress {
  documentId: number
}

/** Opens a document for `requestPictures`; returns a function that closes it. */
export function followPictures(
  reading: Pictured,
  renew: () => Promise<PicturesAddress>,
  kept: Source['kept'] = async () => null,
  sample?: Source['sample'],
): () => void {
  forgetPictures()
  const address = renewingAddress(reading, renew)
  const { firstPage } = window
  delete window.firstPage
  const first = firstPage?.documentId === reading.documentId ? firstPage.picture : undefined
  const opened: Source = { address, first, kept, sample }
  source = opened
  addEventListener('online', retryFailed)
  return () => {
    address.stop()
    removeEventListener('online', retryFailed)
    if (source === opened) source = null
  }
}

export function forgetPictures(): void {
  for (const page of Object.keys($all.get())) drop(page)
  for (const { controller } of loading.values()) controller.abort()
  loading.clear()
  requests = []
}

/** Loads these pictures in this order, and cancels all other requests. */
export function requestPictures(list: readonly PictureRequest[]): void {
  requests = list
  for (const [page, { width, controller }] of loading) {
    if (requests.some((request) => request.page === page && request.width <= width)) continue
    loading.delete(page)
    controller.abort()
  }
  for (const page of Object.keys($all.get())) {
    const isNear = requests.some((request) => Math.abs(request.page - Number(page)) <= KEPT_AROUND)
    if (!isNear) drop(page)
  }
  fetchNext()
}

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
  // On a slow connection one at a time, so that the visible page gets all of it.
  const lanes = lineOf(navigator).isSlow ? 1 : 2
  for (const request of requests) {
    if (loading.size >= lanes) return
    if (!loading.has(request.page) && !isSettled(request)) void load(request)
  }
}

function isSettled({ page, width }: PictureRequest): boolean {
  const picture = $all.get()[page]
  return picture?.phase === 'failed' || (picture?.phase === 'shown' && picture.width >= width)
}

async function load(request: PictureRequest): Promise<void> {
  const from = source
  if (!from) return
  const controller = new AbortController()
  const { signal } = controller
  const entry = { width: request.width, controller }
  loading.set(request.page, entry)
  try {
    const found = await pictureOf(from, request, signal)
    const url = URL.createObjectURL(found.bytes)
    await decoded(url)
    if (signal.aborted) return URL.revokeObjectURL(url)
    const before = $all.get()[request.page]
    $all.setKey(String(request.page), { phase: 'shown', url, width: found.width })
    if (before?.phase === 'shown') URL.revokeObjectURL(before.url)
  } catch {
    if (signal.aborted) return
    // A blurred page that is already shown is better than an error.
    if ($all.get()[request.page]?.phase !== 'shown') {
      $all.setKey(String(request.page), { phase: 'failed' })
    } else requests = requests.filter((other) => other !== request)
  }
  if (loading.get(request.page) === entry) loading.delete(request.page)
  fetchNext()
}

/** Throws if it cannot be loaded. */
export async function fetchPage(request: PictureRequest, signal: AbortSignal): Promise<Blob> {
  if (!source) throw new Error('no document is open')
  return (await pictureOf(source, request, signal)).bytes
}

async function pictureOf(from: Source, { page, width }: PictureRequest, signal: AbortSignal) {
  const { first } = from
  from.first = undefined
  const early = await first
  if (early && early.page === page && early.width >= width) return early
  // Kept pictures have the normal width; a sharper one for zooming comes from the network.
  const kept = $all.get()[page] ? null : await from.kept(page)
  if (kept) return { bytes: kept, width: PAGE_WIDTH }

  const shown = from.sample?.[page - 1]
  const name = shown
    ? `${shown.page}-${Math.min(width, Math.max(...LOOK_WIDTHS))}`
    : `${page}-${width}`
  return { bytes: await bytesOf(from, `${name}.webp`, signal), width }
}

/** Throws if it cannot be loaded. */
export async function fetchPageText(page: number, signal: AbortSignal): Promise<string> {
  if (!source) throw new Error('no document is open')
  if (source.sample) return source.sample[page - 1]?.text ?? ''
  return (await bytesOf(source, `${page}.txt`, signal)).text()
}

async function bytesOf({ address }: Source, name: string, signal: AbortSignal): Promise<Blob> {
  let pages = address.current()
  let isRenewed = false
  for (let attempt = 0; ; attempt++) {
    const response = await fetchPicture(pages + name, signal)
    const { status, bytes } = response
    if (bytes) return bytes
    const isRefused = status >= 400 && status < 500 && status !== 429
    if (isRefused) {
      // A new address does not help if the picture does not exist.
      if (isRenewed || status === 404) throw new Error(`${name}: ${status}`)
      isRenewed = true
      pages = await address.renew()
      continue
    }
    const defaultDelay = RETRY_AFTER_MS[attempt]
    if (defaultDelay === undefined) throw new Error(`${name}: ${status}`)
    await pause(waitBefore(response, defaultDelay), signal)
  }
}

/** Resolves when the picture is decoded and can be painted without delay. */
async function decoded(url: string): Promise<void> {
  const image = new Image()
  image.src = url
  await image.decode()
}

/** The base URL of the page pictures, and its expiry (ISO 8601). */
interface PicturesAddress {
  pages: string
  expiresAt: string
}

// The phone's clock may be wrong, so the delay stays within these bounds.
const SOONEST_MS = MINUTE_MS
const LATEST_MS = 9 * MINUTE_MS

/** How long to wait before renewing an address (ms): until a minute before it expires. */
function renewalDelay({ expiresAt }: PicturesAddress, now: number): number {
  const remaining = Date.parse(expiresAt) - now - MINUTE_MS
  return Math.min(LATEST_MS, Math.max(SOONEST_MS, remaining || 0))
}

/** Renews the address before it expires while the page is visible, or on request. */
function renewingAddress(first: PicturesAddress, requestAddress: () => Promise<PicturesAddress>) {
  let address = first
  let isDue = false
  let isStopped = false
  let running: Promise<string> | undefined
  let timer = setTimeout(whenDue, renewalDelay(first, Date.now()))

  function renewLater(ms: number): void {
    clearTimeout(timer)
    if (!isStopped) timer = setTimeout(whenDue, ms)
  }

  async function renewOnce(): Promise<string> {
    address = await requestAddress()
    isDue = false
    renewLater(renewalDelay(address, Date.now()))
    return address.pages
  }

  function renew(): Promise<string> {
    running ??= renewOnce().finally(() => {
      running = undefined
    })
    return running
  }

  function whenDue(): void {
    isDue = true
    if (document.visibilityState === 'hidden') return // no one reads
    renew().catch(() => renewLater(SOONEST_MS))
  }

  const onVisible = () => {
    if (isDue && document.visibilityState === 'visible') whenDue()
  }
  document.addEventListener('visibilitychange', onVisible)

  return {
    current: () => address.pages,
    /** Requests a new address; concurrent callers share one request. */
    renew,
    stop() {
      isStopped = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', onVisible)
    },
  }
}

const $state = atom<{ page: number; passages: readonly Passage[] } | null>(null)
export const $pageText = readonlyType($state)

/** Returns a function that discards the text. Ignores failures: the picture remains. */
export function followPageText(page: number): () => void {
  const controller = new AbortController()
  const show = (text: string) => {
    if (!controller.signal.aborted) $state.set({ page, passages: passagesOf(text) })
  }
  fetchPageText(page, controller.signal).then(show, () => {})
  return () => {
    controller.abort()
    $state.set(null)
  }
}
