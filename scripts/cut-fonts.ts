/**
 * `npm run fonts:cut`: cuts Readex Pro into the font files that are committed: five woff2 for the
 * pages, and two TrueType files for the preview pictures of shared links.
 */
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import subsetFont from 'subset-font'

const ROOT = resolve(import.meta.dirname, '..')
const PACKAGE = dirname(
  createRequire(import.meta.url).resolve('@fontsource-variable/readex-pro/package.json'),
)

/** The directory of the pages' fonts, with `cuts.json`, which lists the characters of each. */
export const SITE_FONTS = join(ROOT, 'src/styles/fonts')
/** The directory of the fonts of the preview pictures. */
export const PICTURE_FONTS = join(ROOT, 'src/server/drawing/fonts')

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => String.fromCodePoint(from + i)).join('')

const LATIN_LETTERS = `${range(0x41, 0x5a)}${range(0x61, 0x7a)}`
/** Without those that hardly a page has, such as Æ, Ù and ÿ. */
const FRENCH_LETTERS = 'ÀÂÇÈÉÊÎÔŒàâçèéêëîïôùûüœ'
const ARABIC =
  `\u060c\u061b\u061f${range(0x621, 0x63a)}${range(0x640, 0x655)}` +
  // Letters beyond standard Arabic, borrowed from its neighbours for Tunisian names and loan words.
  'ٰٱپچژڤڥڨکگی\u200c\u200d\u200e\u200f'

/**
 * Digits, spaces and common punctuation are in the file of the Latin letters: nearly every Arabic
 * page has words in both (the shop's own name, an e-mail address), and a separate file would cost 1
 * KB more. `numerals` (٠ to ٩) and `rare` hold the characters that few pages have; the system's
 * font shows all others.
 */
const SIGNS = "0123456789 \u00a0\u202f.,:;/()+-−%…@’'–·«»!?©"
/**
 * Without the dot of hidden passwords, for which each form would load this file: the system's font
 * has one.
 */
const RARE = `${range(0x20, 0x40)}[]_|°×÷—‘“”€\u2009®™${range(0xc0, 0xff)}Ÿ`
const CUTS: Record<string, { from: 'arabic' | 'latin'; text: string }> = {
  arabic: { from: 'arabic', text: ARABIC },
  numerals: { from: 'arabic', text: range(0x660, 0x66c) },
  latin: { from: 'latin', text: LATIN_LETTERS + FRENCH_LETTERS + SIGNS },
  rare: {
    from: 'latin',
    text: [...RARE].filter((sign) => !`${FRENCH_LETTERS}${SIGNS}`.includes(sign)).join(''),
  },
}

/**
 * The features that text needs in each script; the fonts' fractions, superscripts and alternates
 * would double the small file.
 */
const FEATURES = {
  // `mkmk` sets the dagger alif of vocalised texts above the fatha.
  arabic: ['init', 'medi', 'fina', 'rlig', 'calt', 'ccmp', 'mark', 'mkmk'],
  latin: ['kern'],
}

/**
 * From body text to bold; the fonts begin at 160, and the thin weights would cost a quarter more.
 */
const WEIGHTS = { min: 400, max: 700 }

/**
 * Tables of how widths and lines vary with the weight: the outlines imply the widths, and the lines
 * of one weight are close enough.
 */
const DROPPED = ['HVAR', 'MVAR', 'STAT', 'gasp']

/** The pages' fonts by file name, and the content of `cuts.json`. */
export async function cutSiteFonts() {
  const cuts: Record<string, string> = {}
  const files: Record<string, Buffer> = {}
  for (const [name, { from, text }] of Object.entries(CUTS)) {
    cuts[name] = rangesOf(text)
    files[`readex-${name}.woff2`] = await subsetFont(await readexPro(from), text, {
      targetFormat: 'woff2',
      variationAxes: { wght: WEIGHTS },
      keepFeatures: FEATURES[from],
      noHinting: true,
      dropTables: DROPPED,
    })
  }
  return { files, cuts }
}

/** A whole script in one weight, as TrueType, for programs that do not support variable fonts. */
export async function cutWeight(script: 'arabic' | 'latin', wght: number): Promise<Buffer> {
  return subsetFont(await readexPro(script), undefined, {
    keepAllGlyphs: true,
    targetFormat: 'truetype',
    variationAxes: { wght },
  })
}

/** The fonts of pictures, and of printed sheets, by file name. */
export async function cutPictureFonts(): Promise<Record<string, Buffer>> {
  return {
    'readex-latin-bold.ttf': await cutWeight('latin', 700),
    'readex-arabic-bold.ttf': await cutWeight('arabic', 700),
    'readex-latin-regular.ttf': await cutWeight('latin', 400),
    'readex-arabic-regular.ttf': await cutWeight('arabic', 400),
  }
}

function readexPro(script: 'arabic' | 'latin'): Promise<Buffer> {
  return readFile(join(PACKAGE, `files/readex-pro-${script}-wght-normal.woff2`))
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

async function writeFonts(directory: string, files: Record<string, Uint8Array>): Promise<void> {
  await mkdir(directory, { recursive: true })
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(directory, name), bytes)
  // The licence has to accompany every copy.
  await copyFile(join(PACKAGE, 'LICENSE'), join(directory, 'OFL.txt'))
}

if (import.meta.main) {
  const site = await cutSiteFonts()
  await writeFonts(SITE_FONTS, site.files)
  await writeFile(join(SITE_FONTS, 'cuts.json'), `${JSON.stringify(site.cuts, null, 2)}\n`)
  await writeFonts(PICTURE_FONTS, await cutPictureFonts())
}
