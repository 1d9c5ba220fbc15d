import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import subsetFont from 'subset-font'

/** A font file as the site serves it. */
export interface CutFont {
  name: FontName
  /** Below `/_astro/`; the content's hash is in it, so it never changes under its name. */
  file: string
  bytes: Buffer
  /** The characters it is for, as CSS `unicode-range`; no two files share one. */
  unicodeRange: string
}

export type FontName = 'arabic' | 'letters' | 'signs'

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => String.fromCodePoint(from + i)).join('')

const LATIN_LETTERS = `${range(0x41, 0x5a)}${range(0x61, 0x7a)}${range(0xc0, 0xff)}ŒœŸ`
const ARABIC = range(0x600, 0x6ff) + range(0xfb50, 0xfdff) + range(0xfe70, 0xfefc)

/**
 * Digits, spaces and punctuation have a file of their own: an Arabic page with prices then does not
 * need the Latin letters, and Latin pages need it as much as the letters.
 */
const CUTS: Record<FontName, { from: 'arabic' | 'latin'; text: string }> = {
  arabic: { from: 'arabic', text: `${ARABIC}\u200c\u200d\u200e\u200f\u2010\u2011` },
  letters: { from: 'latin', text: `${LATIN_LETTERS}©®™`.replace(/[×÷]/g, '') },
  signs: {
    from: 'latin',
    text: `${range(0x20, 0x40)}[]_|\u00a0«°·»×÷–—‘’“”•…€−\u2009\u202f`,
  },
}

/** What text needs; the fonts' fractions, superscripts and alternates would double the small file. */
const FEATURES = 'kern mark mkmk ccmp locl liga rlig calt rclt init medi fina isol curs tnum'.split(
  ' ',
)

/** Body text to bold; the fonts reach from 160, and the thin weights would cost a quarter more. */
export const WEIGHTS = { min: 400, max: 700 }

/** Cuts Readex Pro into the three files of the site, woff2. About half a second. */
export async function cutFonts(): Promise<CutFont[]> {
  const names = Object.keys(CUTS) as FontName[]
  return Promise.all(
    names.map(async (name) => {
      const { from, text } = CUTS[name]
      const bytes = await subsetFont(await readexPro(from), text, {
        targetFormat: 'woff2',
        variationAxes: { wght: WEIGHTS },
        keepFeatures: FEATURES,
        noHinting: true,
      })
      const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 8)
      return { name, file: `readex-${name}.${hash}.woff2`, bytes, unicodeRange: rangesOf(text) }
    }),
  )
}

function readexPro(script: 'arabic' | 'latin') {
  const { resolve } = createRequire(import.meta.url)
  return readFile(
    resolve(`@fontsource-variable/readex-pro/files/readex-pro-${script}-wght-normal.woff2`),
  )
}

/** The characters of a text as a CSS `unicode-range`: `U+20-40,U+5b`. */
export function rangesOf(text: string): string {
  const points = [...new Set(text)].map((c) => c.codePointAt(0) ?? 0).sort((a, b) => a - b)
  const runs: [number, number][] = []
  for (const point of points) {
    const last = runs.at(-1)
    if (last && point === last[1] + 1) last[1] = point
    else runs.push([point, point])
  }
  const hex = (n: number) => n.toString(16)
  return runs.map(([a, b]) => (a === b ? `U+${hex(a)}` : `U+${hex(a)}-${hex(b)}`)).join(',')
}
