import { join } from 'node:path'
import sharp from 'sharp'
import { xmlText } from '../http/html.ts'
import { type Customer, tasksOf, type Workers } from '../workers/workers.ts'
import type { Sheet } from './sheet.ts'

export type { Sheet } from './sheet.ts'

/**
 * The site's own fonts, cut by `npm run fonts:cut`: the result does not depend on the machine's
 * fonts.
 */
const FONTS = ['latin', 'arabic'].map((script) =>
  join(import.meta.dirname, `fonts/readex-${script}-bold.ttf`),
)

interface TextLook {
  /** In pixels. */
  readonly size: number
  /** A CSS colour, such as `#1b2440`. */
  readonly color: string
  /** The width at which lines break, in pixels; a single line without it. */
  readonly width?: number
  readonly align?: 'left' | 'right'
}

let registered: Promise<void> | undefined

/** Marks that make text appear in another order than it is written in: `exe.pdf` for `fdp.exe`. */
const REORDERING = /[\u202a-\u202e\u2066-\u2069]/gu

/** Of any text that people write; shared with the other drawings of the process. */
const DRAW_SECONDS = 5

/**
 * Draws bold text, in any mix of Arabic and Latin, on a transparent background; a PNG with its size
 * in `info`.
 */
export async function drawText(content: string, { size, color, width, align }: TextLook) {
  registered ??= registerFonts()
  await registered
  const text = {
    text: `<span foreground="${color}" size="${size * 1024}">${xmlText(content.replace(REORDERING, ''))}</span>`,
    fontfile: FONTS.at(-1) ?? '',
    font: 'Readex Pro Bold',
    dpi: 72,
    rgba: true,
    ...(width && { width, wrap: 'word-char' as const }),
    ...(align && { align }),
  }
  return sharp({ text })
    .timeout({ seconds: DRAW_SECONDS })
    .png()
    .toBuffer({ resolveWithObject: true })
}

/** How often a text is cut until it fits; then it is drawn smaller. */
const CUTS = 3

/**
 * Draws any text that people write so that it fits into a box: a longer one ends in an ellipsis. null
 * if nothing of it can be seen, such as a text of control characters.
 */
export async function drawFittingText(
  content: string,
  { height, ...look }: TextLook & { readonly width: number; readonly height: number },
): Promise<{ data: Buffer; info: { width: number; height: number } } | null> {
  const letters = Array.from(new Intl.Segmenter().segment(content), ({ segment }) => segment)
  let shown = content
  let kept = letters.length
  try {
    for (let cut = 0; ; cut++) {
      const drawn = await drawText(shown, look)
      const { info, data } = drawn
      if (info.width <= look.width && info.height <= height) return drawn
      if (cut === CUTS || kept <= 1) {
        return await sharp(data)
          .resize({ width: look.width, height, fit: 'inside', withoutEnlargement: true })
          .png()
          .toBuffer({ resolveWithObject: true })
      }
      const share = Math.min(height / info.height, look.width / info.width)
      kept = Math.max(1, Math.min(kept - 1, Math.floor(kept * share)))
      shown = `${letters.slice(0, kept).join('')}…`
    }
  } catch {
    // The library refuses texts of which nothing is to be drawn, or that take too long.
    return null
  }
}

/** Registers the fonts with the drawing library, once per process. */
async function registerFonts(): Promise<void> {
  for (const fontfile of FONTS) {
    await sharp({ text: { text: 'a', fontfile, width: 9 } })
      .png()
      .toBuffer()
  }
}

const PRINT = tasksOf<typeof import('./print-tasks.ts')>(
  new URL('./print-tasks.ts', import.meta.url),
)('printSheet')

/** A sheet as PDF; the same sheet always gives the same bytes. Throws `WorkersBusy`. */
export async function printSheet(
  workers: Workers,
  sheet: Sheet,
  customer: Customer,
): Promise<Buffer> {
  return Buffer.from(await workers.run(PRINT, sheet, customer))
}
