import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { beginsInArabic, type sharedDocument } from '../../i18n/shared-document.ts'
import { drawFittingText } from '../drawing/drawing.ts'

/** The size, in pixels, that Facebook, WhatsApp and X show. */
const WIDTH = 1200
const HEIGHT = 630

interface Room {
  readonly top: number
  readonly height: number
}

/** Where the title is, in pixels: above the ruled lines. */
const HEAD: Room = { top: 112, height: 190 }
/** Where each of the other lines is: above a ruled one. */
const LINES = [322, 392, 462].map((top): Room => ({ top, height: 52 }))

type Shared = ReturnType<typeof sharedDocument>

/**
 * Draws the picture that represents a document when its address is shared: PNG, `WIDTH` × `HEIGHT`.
 * The colours are read when the first picture is drawn.
 */
export function sharePictures() {
  let prepared: Promise<CoverColors> | undefined
  return async ({ title, programme, paper, teacher, subjectCode }: Shared): Promise<Buffer> => {
    prepared ??= readCoverColors()
    const colors = await prepared
    const rtl = beginsInArabic(title)
    const place = async (content: string, size: number, { top, height }: Room) => {
      // By `left`, the library means the beginning also of a text from the right.
      const look = { size, color: colors.ink, align: 'left' as const }
      const drawn = await drawFittingText(content, { ...look, width: 840, height })
      if (!drawn) return []
      return [{ input: drawn.data, left: rtl ? 1020 - drawn.info.width : 180, top }]
    }
    const placed = await Promise.all([
      place(shorten(title, 90), title.length > 60 ? 42 : title.length > 30 ? 50 : 60, HEAD),
      // Where it is no paper, its teacher takes that line.
      ...[programme, paper, teacher]
        .filter(Boolean)
        .map((text, at) => place(shorten(text, 70), at === 2 ? 28 : 32, LINES[at] as Room)),
    ])
    return sharp(Buffer.from(book(colors, subjectCode, rtl)))
      .composite(placed.flat())
      .png({ palette: true, effort: 7 })
      .toBuffer()
  }
}

/**
 * The cover of an exercise book lying on its side: cloth strip, white label with ruled lines.
 */
function book(colors: CoverColors, subjectCode: string | null, rtl: boolean): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
<rect width="${WIDTH}" height="${HEIGHT}" fill="${colors.of(subjectCode)}"/>
<rect x="${rtl ? WIDTH - 72 : 0}" width="72" height="${HEIGHT}" fill="${colors.fold}"/>
<rect x="130" y="80" width="940" height="470" rx="10" fill="${colors.label}"/>
<rect x="142" y="92" width="916" height="446" rx="5" fill="none" stroke="${colors.edge}" stroke-width="3"/>
<path d="M180 310h840M180 380h840M180 450h840M180 520h840" stroke="${colors.line}" stroke-width="3"/>
</svg>`
}

function shorten(text: string, most: number): string {
  const [next] = [...new Intl.Segmenter().segment(text)].slice(most)
  return next ? `${text.slice(0, next.index)}…` : text
}

const TOKENS = new URL('../../styles/tokens.css', import.meta.url)
const COVERS = new URL('../../parts/cover.css', import.meta.url)

/**
 * The rules that assign cloths to subjects:
 * `.subject-a, .subject-b { --cover: var(--cloth-c); … }`.
 */
const SUBJECTS = /((?:\.subject-[\w-]+[,\s]*)+)\{\s*--cover: var\((--[\w-]+)\);/g

/** The colours of a document's cover, as the pages draw it in the light scheme. */
interface CoverColors {
  readonly label: string
  readonly ink: string
  readonly fold: string
  readonly edge: string
  readonly line: string
  /** The colour of a subject's cover; sand if it has no colour of its own. */
  of(subjectCode: string | null): string
}

/** Reads the colours from the style sheets, their only source. Throws if one is missing. */
export async function readCoverColors(): Promise<CoverColors> {
  const [tokens, covers] = await Promise.all([readFile(TOKENS, 'utf8'), readFile(COVERS, 'utf8')])
  const color = (name: string) => {
    // The first match belongs to the light scheme.
    const found = new RegExp(`${name}: ([^;]+);`).exec(tokens)?.[1]
    if (!found) throw new Error(`tokens.css has no colour ${name}`)
    return found
  }
  const cloths = new Map<string, string>()
  for (const [, selectors = '', cloth = ''] of covers.matchAll(SUBJECTS)) {
    for (const [, code = ''] of selectors.matchAll(/\.subject-([\w-]+)/g)) {
      cloths.set(code, color(cloth))
    }
  }
  const sand = color('--cloth-sand')
  return {
    label: color('--label'),
    ink: color('--label-ink'),
    fold: color('--fold'),
    edge: color('--label-edge'),
    line: color('--label-line'),
    of: (code) => cloths.get(code ?? '') ?? sand,
  }
}
