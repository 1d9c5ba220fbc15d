/** The shape of a page; only its aspect ratio matters. */
export interface Shape {
  readonly width: number
  readonly height: number
}

export type PageOrder = 'ltr' | 'rtl'

export type ReaderLayout = 'single' | 'scroll'

/** The bounds and steps of the zoom, relative to the page as it fits the screen. */
export const ZOOM_MIN = 1
export const ZOOM_MAX = 5
export const ZOOM_STEP = 1.25
/** The zoom after a double tap. */
export const ZOOM_TAPPED = 2.5

/** The greatest width of an unzoomed page in the scrolling layout, in CSS pixels. */
const SCROLLED_MAX_WIDTH = 860

/** A zoom within its bounds; a zoom close to the fitting size snaps to it. */
export function boundedZoom(zoom: number): number {
  const bounded = Math.min(ZOOM_MAX, Math.max(ZOOM_MIN, zoom))
  return bounded < ZOOM_MIN * 1.04 ? ZOOM_MIN : bounded
}

/**
 * The width of an unzoomed page, in CSS pixels: the whole page fits the screen, or its width the
 * column.
 */
export function fittingWidth(page: Shape, screen: Shape, layout: ReaderLayout): number {
  if (layout === 'scroll') return Math.max(1, Math.min(screen.width, SCROLLED_MAX_WIDTH))
  return Math.max(1, Math.min(screen.width, (screen.height * page.width) / page.height))
}

/**
 * The highest pixel ratio for which pictures are requested; beyond it the difference is invisible.
 */
const SHARPEST = 2
/**
 * The pixel ratio that suffices for reading; on a slow connection the sharper picture comes later.
 */
const READABLE = 1.3

export interface Line {
  /** Whether the visitor has turned on data saving. */
  savesData: boolean
  isSlow: boolean
}

/** The number of picture pixels per CSS pixel: at first, and once the visitor stays on the page. */
export function sharpnessOf(
  devicePixelRatio: number,
  { savesData, isSlow }: Line,
): { first: number; settled: number } {
  const settled = Math.min(SHARPEST, Math.max(1, devicePixelRatio))
  const first = savesData || isSlow ? Math.min(READABLE, settled) : settled
  return { first, settled: savesData ? first : settled }
}

/**
 * The narrowest of the pictures' widths that is sharp at a width in CSS pixels, or else the widest.
 */
export function pictureWidth(
  cssWidth: number,
  sharpness: number,
  widths: readonly number[],
): number {
  const ascending = widths.toSorted((one, other) => one - other)
  // A few pixels less are invisible.
  const least = cssWidth * sharpness * 0.97
  return ascending.find((width) => width >= least) ?? (ascending.at(-1) as number)
}

/**
 * The pages to fetch, the most urgent first: those on the screen, the next two and the previous
 * one.
 */
export function pagesToFetch(
  { from, to }: { from: number; to: number },
  count: number,
  savesData: boolean,
): number[] {
  const shown = Array.from({ length: to - from + 1 }, (_, at) => from + at)
  const ahead = savesData ? [to + 1] : [to + 1, to + 2, from - 1]
  return [...shown, ...ahead].filter((page) => page >= 1 && page <= count)
}

/**
 * The page (from 1) at a distance from the beginning of the document; `starts` has the distance at
 * which each page begins.
 */
export function pageAt(starts: readonly number[], distance: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((starts[middle] as number) <= distance) low = middle
    else high = middle - 1
  }
  return low + 1
}

export function boundedPage(page: number, count: number): number {
  return Math.min(count, Math.max(1, Math.round(page)))
}

type KeyAct =
  | 'next'
  | 'previous'
  | 'first'
  | 'last'
  | 'in'
  | 'out'
  | 'fit'
  | 'find'
  | 'night'
  | 'full'
  | 'layout'

const KEYS: ReadonlyMap<string, KeyAct> = new Map([
  ['PageDown', 'next'],
  ['PageUp', 'previous'],
  ['Home', 'first'],
  ['End', 'last'],
  ['+', 'in'],
  ['=', 'in'],
  ['-', 'out'],
  ['0', 'fit'],
  ['٠', 'fit'],
  ['/', 'find'],
  ['n', 'night'],
  ['f', 'full'],
  ['v', 'layout'],
])

/** What a key does; the left and right arrows follow the order of the pages. */
export function keyAct(
  { key, shiftKey }: { key: string; shiftKey: boolean },
  order: PageOrder,
): KeyAct | null {
  if (key === ' ') return shiftKey ? 'previous' : 'next'
  if (key === 'ArrowLeft') return order === 'rtl' ? 'next' : 'previous'
  if (key === 'ArrowRight') return order === 'rtl' ? 'previous' : 'next'
  return KEYS.get(key.length === 1 ? key.toLowerCase() : key) ?? null
}

/** The part of the width, at each side, where a tap turns the page. */
const EDGE = 0.22

/** What a tap at the distance `x` from the screen's left edge does; null in the middle. */
export function tapAct(x: number, width: number, order: PageOrder): 'next' | 'previous' | null {
  if (x < width * EDGE) return order === 'rtl' ? 'next' : 'previous'
  if (x > width * (1 - EDGE)) return order === 'rtl' ? 'previous' : 'next'
  return null
}

/** A place in a document as a device remembers it. */
export interface KeptPlace {
  page: number
  /** When the page was read, in ISO 8601. */
  at: string
}

/**
 * The page to open a document at: the last one on this device or, if there is none, on any device.
 * `elsewhere` is a later position on another device, to be offered.
 */
export function openingPlace(
  here: KeptPlace | null,
  server: KeptPlace | null,
  count: number,
): { page: number; elsewhere: KeptPlace | null } {
  const page = boundedPage((here ?? server)?.page ?? 1, count)
  const isLater = here && server && Date.parse(server.at) > Date.parse(here.at)
  const elsewhere = isLater && boundedPage(server.page, count) !== page ? server : null
  return { page, elsewhere }
}

/** What the script in the head of the reader's page passes to its island. */
export interface FirstPage {
  documentId: number
  /** The answer of the call that opens the document; status 0 without one. */
  answer: Promise<{ status: number; body: unknown }>
  /** The picture of the page that it opens at; null if it could not be loaded. */
  picture: Promise<{ page: number; width: number; bytes: Blob } | null>
  /** Resolves when the picture is on the screen, or failed. */
  shown: Promise<void>
}

declare global {
  interface Window {
    /** Set on the reader's page. */
    firstPage?: FirstPage
  }
}

interface ReaderView {
  layout: ReaderLayout
  /** Whether the paper is dark, for the evening. */
  isNight: boolean
}

/** Reads the view from stored data of any shape. */
export function readerView(stored: unknown): ReaderView {
  const { layout, isNight } = (stored ?? {}) as Partial<ReaderView>
  return { layout: layout === 'scroll' ? 'scroll' : 'single', isNight: isNight === true }
}

interface Connected {
  connection?: { saveData?: boolean; effectiveType?: string }
}

/** The connection as the browser reports it; not every browser does. */
export function lineOf(navigator: unknown): Line {
  const { saveData = false, effectiveType = '4g' } = (navigator as Connected).connection ?? {}
  return { savesData: saveData, isSlow: effectiveType !== '4g' }
}

/** The messages of the reader to the page that shows it in a frame. */
export const FRAME_MESSAGES = {
  failed: 'karras:reader-failed',
  left: 'karras:reader-left',
} as const
