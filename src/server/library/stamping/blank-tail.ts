import { PDF, PdfArray, PdfDict, PdfNumber, PdfRef, PdfStream } from '@libpdf/core'
import { FILTERS } from '../safety/pdf-filters.ts'
import { BLANK_FOOTER, FOOTER_BOX } from './footer.ts'
import { balanceOf } from './graphics-balance.ts'
import {
  inherited,
  type Placed,
  type Resolve,
  resolver,
  type Section,
  spell,
  spellName,
  spellNumber,
  Unstampable,
  writeSection,
} from './pdf-update.ts'

/** How many bytes the instructions of a page may unpack to. */
const CONTENT_MAX_BYTES = 64 * 1024 ** 2

interface BlankTail {
  /** The bytes to append to the file; their footer has no text yet. */
  readonly bytes: Buffer
  readonly places: readonly Place[]
}

/**
 * Makes the bytes that are appended to a PDF for a footer on each of its pages: an incremental
 * update, with new page objects that show the original instructions and the footer. The original
 * bytes stay unchanged. A file always gives the same tail. Throws `Unstampable`.
 */
export async function blankTail(file: Uint8Array): Promise<BlankTail> {
  const pdf = await PDF.load(file).catch((error: unknown) => {
    throw new Unstampable('damaged', String(error))
  })
  if (pdf.recoveredViaBruteForce) throw new Unstampable('damaged', 'it has no index')
  if (pdf.isEncrypted) throw new Unstampable('encrypted', 'it is encrypted')
  const { registry, pages, info } = pdf.context
  const resolve = resolver((ref) => registry.resolve(ref))
  const update = startUpdate(file, { trailer: info.trailer, next: registry.nextObjectNumber })
  const places = pages.getPages().map((ref) => {
    const page = registry.resolve(ref)
    if (!(page instanceof PdfDict)) throw new Unstampable('unusual', 'a page that is no page')
    const place = footerPlace(page, resolve)
    update.replace(ref, stampedPage(page, place, { resolve, update }))
    return place
  })
  return { bytes: update.end(), places }
}

type Update = ReturnType<typeof startUpdate>

/** Collects the appended objects; an object that several pages share is written once. */
function startUpdate(file: Uint8Array, { trailer, next }: { trailer: PdfDict; next: number }) {
  const size = trailer.getNumber('Size')?.value ?? 0
  let free = Math.max(next, size)
  let position = file.length
  const parts: string[] = []
  const placed: Placed[] = []
  const shared = new Map<string, number>()
  const withFooter = new Map<PdfDict, { number: number; name: string }>()

  function appendText(text: string): void {
    parts.push(text)
    position += text.length
  }

  function place(number: number, generation: number, body: string): void {
    placed.push({ number, generation, position })
    appendText(`${number} ${generation} obj\n${body}\nendobj\n`)
  }

  function add(body: string): number {
    const number = shared.get(body) ?? free++
    if (!shared.has(body)) {
      shared.set(body, number)
      place(number, 0, body)
    }
    return number
  }

  const addStream = (content: string, entries = '') =>
    add(`<<${entries}/Length ${content.length}>>\nstream\n${content}\nendstream`)

  appendText('\n')
  const font = add('<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>')
  const footer = addStream(
    BLANK_FOOTER,
    `/Type/XObject/Subtype/Form/BBox[${FOOTER_BOX.join(' ')}]/Resources<</Font<</F ${font} 0 R>>>>`,
  )

  return {
    addStream,
    replace: (ref: PdfRef, body: string) => place(ref.objectNumber, ref.generation, body),
    /** Returns the object of the resources with the footer, and the footer's name in them. */
    addFooter(resources: PdfDict | null, resolve: Resolve): { number: number; name: string } {
      const known = resources && withFooter.get(resources)
      if (known) return known
      const found = resources ? resolve(resources.get('XObject') ?? null) : null
      const drawings = found instanceof PdfDict ? [...found] : []
      const taken = new Set(drawings.map(([key]) => key.value))
      let name = 'KarrasStamp'
      for (let at = 2; taken.has(name); at++) name = `KarrasStamp${at}`
      const others = [...(resources ?? [])].filter(([key]) => key.value !== 'XObject')
      const spelled = others.map(([key, value]) => `${spellName(key.value)} ${spell(value)}`)
      const named = drawings.map(([key, value]) => `${spellName(key.value)} ${spell(value)}`)
      const number = add(
        `<<${spelled.join(' ')}/XObject<<${named.join(' ')}/${name} ${footer} 0 R>>>>`,
      )
      if (resources) withFooter.set(resources, { number, name })
      return { number, name }
    },
    end(): Buffer {
      const section: Section = { placed, free, trailer, file, position }
      appendText(writeSection(section))
      return Buffer.from(parts.join(''), 'latin1')
    },
  }
}

/** The dictionary of a page with the footer after its original instructions. */
function stampedPage(
  page: PdfDict,
  place: Place,
  { resolve, update }: { resolve: Resolve; update: Update },
): string {
  const contents = contentsOf(page, resolve)
  const resources = inherited(page, 'Resources', resolve)
  const withFooter = update.addFooter(resources instanceof PdfDict ? resources : null, resolve)
  const { saved, isOverdrawn, isInText, marked } = balanceOf(instructions(contents, resolve))
  const footer = `/Artifact BMC q ${place.matrix.map(spellNumber).join(' ')} cm /${withFooter.name} Do Q EMC\n`
  const original = contents.map(spell)
  const parts = isOverdrawn
    ? // These instructions cannot be wrapped: the footer precedes them, before any state changes.
      [`${update.addStream(footer)} 0 R`, ...original]
    : [
        `${update.addStream('q\n')} 0 R`,
        ...original,
        `${update.addStream(
          `\n${isInText ? 'ET ' : ''}${'EMC '.repeat(marked)}${'Q '.repeat(saved + 1)}\n${footer}`,
        )} 0 R`,
      ]
  const kept = [...page].filter(([key]) => key.value !== 'Contents' && key.value !== 'Resources')
  const entries = kept.map(([key, value]) => `${spellName(key.value)} ${spell(value)}`)
  return `<<${entries.join(' ')}/Resources ${withFooter.number} 0 R/Contents[${parts.join(' ')}]>>`
}

function contentsOf(page: PdfDict, resolve: Resolve): PdfRef[] {
  const original = page.get('Contents') ?? null
  const found = resolve(original)
  const items = found instanceof PdfArray ? [...found] : found === null ? [] : [original]
  return items.map((item) => {
    if (item instanceof PdfRef && resolve(item) instanceof PdfStream) return item
    throw new Unstampable('unusual', 'instructions that are no stream')
  })
}

function instructions(contents: readonly PdfRef[], resolve: Resolve): Uint8Array {
  let most = CONTENT_MAX_BYTES
  const streams = contents.map((ref) => {
    const unpacked = unpack(resolve(ref) as PdfStream, resolve, most)
    most -= unpacked.length
    if (most <= 0) throw new Unstampable('too_slow', 'a page with too many instructions')
    return [unpacked, Buffer.from('\n')]
  })
  return Buffer.concat(streams.flat())
}

function unpack(stream: PdfStream, resolve: Resolve, most: number): Uint8Array {
  const filter = resolve(stream.get('Filter') ?? null)
  const names = filter instanceof PdfArray ? [...filter].map(resolve) : filter ? [filter] : []
  const hasParameters = ['DecodeParms', 'DP', 'F'].some((key) => resolve(stream.get(key) ?? null))
  if (hasParameters) throw new Unstampable('unusual', 'instructions packed with parameters')
  let bytes = stream.data
  for (const name of names) {
    const read = FILTERS[(name as { value?: string }).value ?? '']
    if (!read) throw new Unstampable('unusual', 'instructions packed in another way')
    try {
      bytes = read(bytes, most)
    } catch (error) {
      throw new Unstampable('unusual', String(error))
    }
  }
  return bytes
}

/** Where the footer begins, from the lower left corner of an A4 page, in points. */
const LEFT = 24
const BOTTOM = 12
/** The shorter side of A4: on other pages the footer is scaled in proportion. */
const USUAL_SIDE = 595

/** A page as it is shown. */
export interface Place {
  /** The matrix from the footer's coordinates to the page's. */
  readonly matrix: readonly [number, number, number, number, number, number]
  /** The page's size as it is shown, in points. */
  readonly width: number
  readonly height: number
}

interface Box {
  readonly left: number
  readonly bottom: number
  readonly right: number
  readonly top: number
}

const LETTER: Box = { left: 0, bottom: 0, right: 612, top: 792 }

/** At the lower left of the page's visible part, for any box and rotation. */
function footerPlace(page: PdfDict, resolve: Resolve): Place {
  const box = visibleBox(page, resolve)
  const turned = inherited(page, 'Rotate', resolve)
  const turns = turned instanceof PdfNumber ? (((turned.value / 90) % 4) + 4) % 4 : 0
  const [across, up] = [box.right - box.left, box.top - box.bottom]
  const [width, height] = turns % 2 === 1 ? [up, across] : [across, up]
  const scale = Math.min(width, height) / USUAL_SIDE
  // The directions that are displayed as right and up, and the corner that is displayed at the
  // lower left.
  const [rightX, rightY] = (
    [
      [1, 0],
      [0, 1],
      [-1, 0],
      [0, -1],
    ] as const
  )[turns as 0 | 1 | 2 | 3] ?? [1, 0]
  const [upX, upY] = [-rightY, rightX]
  const cornerX = turns === 1 || turns === 2 ? box.right : box.left
  const cornerY = turns === 2 || turns === 3 ? box.top : box.bottom
  const matrix = [
    rightX * scale,
    rightY * scale,
    upX * scale,
    upY * scale,
    cornerX + (rightX * LEFT + upX * BOTTOM) * scale,
    cornerY + (rightY * LEFT + upY * BOTTOM) * scale,
  ] as const
  return { matrix, width, height }
}

/** The visible part of a page: its crop box within its media box. */
function visibleBox(page: PdfDict, resolve: Resolve): Box {
  const medium = readBox(inherited(page, 'MediaBox', resolve), resolve) ?? LETTER
  const crop = readBox(inherited(page, 'CropBox', resolve), resolve)
  if (!crop) return medium
  const both = {
    left: Math.max(medium.left, crop.left),
    bottom: Math.max(medium.bottom, crop.bottom),
    right: Math.min(medium.right, crop.right),
    top: Math.min(medium.top, crop.top),
  }
  return isEmpty(both) ? medium : both
}

/** Reads a box, which is given by any two opposite corners; null if it has no area. */
function readBox(object: unknown, resolve: Resolve): Box | null {
  if (!(object instanceof PdfArray) || object.length < 4) return null
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = [...object].map((item) => {
    const value = resolve(item)
    return value instanceof PdfNumber ? value.value : 0
  })
  const box = {
    left: Math.min(x1, x2),
    bottom: Math.min(y1, y2),
    right: Math.max(x1, x2),
    top: Math.max(y1, y2),
  }
  return isEmpty(box) ? null : box
}

function isEmpty({ left, bottom, right, top }: Box): boolean {
  return right - left <= 0 || top - bottom <= 0
}
