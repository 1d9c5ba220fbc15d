import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import subsetFont from 'subset-font'

/** Readex Pro in two weights; Arabic and Latin letters lie in separate files. */
export interface BookFonts {
  readonly arabic: Buffer
  readonly arabicBold: Buffer
  readonly latin: Buffer
  readonly latinBold: Buffer
}

/** Cuts static TrueType fonts out of the interface's variable web fonts, for PDFs. */
export async function loadBookFonts(): Promise<BookFonts> {
  const [arabic, latin] = await Promise.all([readFont('arabic'), readFont('latin')])
  return {
    arabic: await atWeight(arabic, 400),
    arabicBold: await atWeight(arabic, 700),
    latin: await atWeight(latin, 400),
    latinBold: await atWeight(latin, 700),
  }
}

function readFont(script: string): Promise<Buffer> {
  const file = `@fontsource-variable/readex-pro/files/readex-pro-${script}-wght-normal.woff2`
  return readFile(createRequire(import.meta.url).resolve(file))
}

function atWeight(font: Buffer, wght: number): Promise<Buffer> {
  return subsetFont(font, undefined, {
    keepAllGlyphs: true,
    targetFormat: 'truetype',
    variationAxes: { wght },
  })
}
