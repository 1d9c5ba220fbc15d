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

/**
 * Draws bold text, in any mix of Arabic and Latin, on a transparent background; a PNG with its size
 * in `info`.
 */
export async function drawText(content: string, { size, color, width, align }: TextLook) {
  registered ??= registerFonts()
  await registered
  const text = {
    text: `<span foreground="${color}" size="${size * 1024}">${xmlText(content)}</span>`,
    fontfile: FONTS.at(-1) ?? '',
    font: 'Readex Pro Bold',
    dpi: 72,
    rgba: true,
    ...(width && { width, wrap: 'word-char' as const }),
    ...(align && { align }),
  }
  return sharp({ text }).png().toBuffer({ resolveWithObject: true })
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
