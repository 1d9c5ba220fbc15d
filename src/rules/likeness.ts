import { SECOND_MS } from './durations.ts'
import { foldWords } from './search-fold.ts'

// How alike two files are, by their pages. The words of a page, and what its picture shows, become
// sets of features, and each set a MinHash signature: two signatures agree in as many of their places
// as the sets have in common (Jaccard). Pictures decide where a page has no words, such as a scan.

/** How many pages of a file are compared. */
export const LIKENESS_MAX_PAGES = 300

/** Pages of other documents that are compared with a file at most: those of 200 long books. */
export const COMPARED_MAX_PAGES = 60_000

/** How much of a draft must be like a document for its teacher to be told: a form on one page is not. */
export const TOLD_FROM = 0.3

/** How often the office asks which drafts are alike while files are read. */
export const ALIKE_ASKED_EVERY_MS = 10 * SECOND_MS

/** How many documents, and pairs of pages of each, a reviewer is shown. */
export const ALIKE_SHOWN = 10
const PAIRS_SHOWN = 20

/** From afar many pages look alike, such as forms: of each page only so many likenesses count. */
const PICTURES_COUNTED = 3

/** A byte for each place. */
type Signature = Uint8Array

export interface PageLikeness {
  readonly hasWords: boolean
  /** null: too few words to say anything. */
  readonly text: Signature | null
  /** null: nearly blank. */
  readonly picture: Signature | null
}

/** How many words in a row are a feature: exams on one subject share few. */
const SHINGLE_WORDS = 4

/** Fewer features say nothing: a page number, the name of a school. */
const FEATURES_MIN = { text: 12, picture: 24 }

/** How many places a signature has. */
export const PLACES = 60

/**
 * Signatures that agree in all places of one band are compared. Pictures of different pages share a
 * tenth of their features, texts next to nothing, so that pictures need longer bands.
 */
const BAND = { text: 3, picture: 5 }

/** From what share of features in common on two pages are alike. */
const ALIKE_FROM = { text: 0.3, picture: 0.55 }

/** The cells into which a picture is divided; a scan may be askew by a part of one. */
const COLUMNS = 16
const ROWS = 22

/** How much darker, of 255, a cell is than its neighbour to be a feature: more than grain and shadow. */
const STEP = 4

/** Pixels in rows, each with the same number of bytes: red, green and blue first. */
export interface Pixels {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

export function pageLikeness(text: string, pixels: Pixels): PageLikeness {
  const words = foldWords(text)
  return {
    hasWords: words.length > 0,
    text: signatureOf(shingles(words), FEATURES_MIN.text),
    picture: signatureOf(steps(darkness(pixels)), FEATURES_MIN.picture),
  }
}

function shingles(words: readonly string[]): Set<number> {
  const last = words.length - SHINGLE_WORDS
  const found = new Set<number>()
  for (let at = 0; at <= last; at++) {
    found.add(hashOf(words.slice(at, at + SHINGLE_WORDS).join(' ')))
  }
  return found
}

/** How dark each cell is on average, from 0 to 255. */
function darkness({ width, height, data }: Pixels): number[] {
  const sums = new Array<number>(COLUMNS * ROWS).fill(0)
  const counts = new Array<number>(COLUMNS * ROWS).fill(0)
  const bytes = data.length / (width * height)
  for (let y = 0; y < height; y++) {
    const row = Math.floor((y * ROWS) / height) * COLUMNS
    for (let x = 0; x < width; x++) {
      const cell = row + Math.floor((x * COLUMNS) / width)
      const at = (y * width + x) * bytes
      const light = ((data[at] ?? 0) + (data[at + 1] ?? 0) + (data[at + 2] ?? 0)) / 3
      sums[cell] = (sums[cell] ?? 0) + 255 - light
      counts[cell] = (counts[cell] ?? 0) + 1
    }
  }
  return sums.map((sum, cell) => sum / Math.max(1, counts[cell] ?? 0))
}

/** Where a cell is darker or lighter than the one beside or below it, as in a difference hash. */
function steps(cells: readonly number[]): Set<number> {
  const found = new Set<number>()
  const compare = (cell: number, other: number, direction: number) => {
    const step = (cells[other] ?? 0) - (cells[cell] ?? 0)
    if (Math.abs(step) >= STEP) found.add(cell * 4 + direction * 2 + (step > 0 ? 1 : 0))
  }
  for (let cell = 0; cell < cells.length; cell++) {
    if (cell % COLUMNS < COLUMNS - 1) compare(cell, cell + 1, 0)
    if (cell + COLUMNS < cells.length) compare(cell, cell + COLUMNS, 1)
  }
  return found
}

const SEEDS = Array.from({ length: PLACES }, (_, place) => mixed(place + 1))

function signatureOf(features: ReadonlySet<number>, least: number): Signature | null {
  if (features.size < least) return null
  return Uint8Array.from(SEEDS, (seed) => {
    let smallest = 2 ** 32
    for (const feature of features) smallest = Math.min(smallest, mixed(feature ^ seed))
    return smallest & 0xff
  })
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  }
  return hash >>> 0
}

/** The last step of MurmurHash3: every bit of the number changes every bit of the result. */
function mixed(number: number): number {
  let hash = number
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

type Kind = keyof typeof BAND

/** The numbers under which a page is found: pages without words apart, since all compare pictures. */
export function bandsOf({ hasWords, text, picture }: PageLikeness): number[] {
  return [...bands(text, 'text'), ...bands(picture, 'picture', hasWords)]
}

/** The numbers of the pages that may be alike. */
export function bandsToFind(page: PageLikeness): number[] {
  const { hasWords, text, picture } = page
  if (!hasWords) return [...bands(picture, 'picture', false), ...bands(picture, 'picture', true)]
  return [...bands(text, 'text'), ...bands(picture, 'picture', false)]
}

function bands(signature: Signature | null, kind: Kind, hasWords = true): number[] {
  if (!signature) return []
  const length = BAND[kind]
  // As PostgreSQL's integers, which have a sign.
  return Array.from({ length: PLACES / length }, (_, band) => {
    const places = signature.subarray(band * length, (band + 1) * length)
    return mixed(hashOf(`${kind} ${hasWords} ${band} ${places.join()}`)) | 0
  })
}

/** The share that two pages have in common, from 0 to 1; 0 unless they are alike. */
function pagesAlike(one: PageLikeness, other: PageLikeness): number {
  const kind = one.hasWords && other.hasWords ? 'text' : 'picture'
  const [mine, its] = [one[kind], other[kind]]
  if (!mine || !its) return 0
  // This runs ninety thousand times for two books: a loop takes a tenth of the time of a filter.
  const least = ALIKE_FROM[kind] * PLACES
  let common = 0
  for (let place = 0; place < PLACES; place++) {
    if (mine[place] === its[place]) common++
    else if (common + PLACES - place <= least) return 0
  }
  return common / PLACES >= ALIKE_FROM[kind] ? common / PLACES : 0
}

/** A page, from 1, and the page of another file that is most like it. */
interface PagePair {
  readonly page: number
  readonly other: number
  /** The share in common. */
  readonly alike: number
  readonly isByPicture: boolean
}

interface Page extends PageLikeness {
  readonly page: number
}

export interface Alike<Of> {
  readonly of: Of
  /** How much of the file is like the other, from 0 to 1. */
  readonly alike: number
  /** In the order of the file's pages. */
  readonly pairs: readonly PagePair[]
}

/** A pair of pages, and the file that has the other one. */
interface FoundPair<Of> extends PagePair {
  readonly of: Of
}

/** The pages of a file that are like one of another file, each with the page most like it. */
export function pairsWith(pages: readonly Page[], others: readonly Page[]): PagePair[] {
  return pages.flatMap((page) => pairOf(page, others) ?? [])
}

/** The files most like a file, by their pairs of pages, the most alike first. */
export function rankAlike<Of>(
  pages: readonly PageLikeness[],
  pairs: readonly FoundPair<Of>[],
): Alike<Of>[] {
  const comparable = pages.filter(({ text, picture }) => text ?? picture)
  const [byPicture, byText] = [true, false].map((is) =>
    pairs.filter((pair) => pair.isByPicture === is),
  )
  const counted = [...Map.groupBy(byPicture ?? [], ({ page }) => page).values()].flatMap((same) =>
    same.sort((one, other) => other.alike - one.alike).slice(0, PICTURES_COUNTED),
  )
  return [...Map.groupBy([...(byText ?? []), ...counted], ({ of }) => of)]
    .map(([of, all]) => ({
      of,
      alike: all.reduce((sum, { alike }) => sum + alike, 0) / comparable.length,
      pairs: all.sort((one, other) => one.page - other.page).slice(0, PAIRS_SHOWN),
    }))
    .sort((one, other) => other.alike - one.alike)
    .slice(0, ALIKE_SHOWN)
}

function pairOf(page: Page, others: readonly Page[]): PagePair | null {
  let best: PagePair | null = null
  for (const other of others) {
    const alike = pagesAlike(page, other)
    if (alike <= (best?.alike ?? 0)) continue
    const isByPicture = !(page.hasWords && other.hasWords)
    best = { page: page.page, other: other.page, alike, isByPicture }
    if (alike === 1) break
  }
  return best
}

/** The bytes of a packed page: what it has, then its signatures, zeros in place of a missing one. */
export const PACKED_BYTES = 1 + 2 * PLACES

/** The bits of the first byte. */
export const PACKED = { hasWords: 1, text: 2, picture: 4 } as const

/** Pages from 1 on, as the database packs them to be sent to another process. */
export function unpackPages(packed: Uint8Array): Page[] {
  return Array.from({ length: packed.length / PACKED_BYTES }, (_, at) => {
    const bytes = packed.subarray(at * PACKED_BYTES, (at + 1) * PACKED_BYTES)
    const has = bytes[0] ?? 0
    return {
      page: at + 1,
      hasWords: (has & PACKED.hasWords) > 0,
      text: has & PACKED.text ? bytes.subarray(1, 1 + PLACES) : null,
      picture: has & PACKED.picture ? bytes.subarray(1 + PLACES) : null,
    }
  })
}
