import cuts from './cuts.json'
import arabic from './readex-arabic.woff2?url&no-inline'
import latin from './readex-latin.woff2?url&no-inline'
import numerals from './readex-numerals.woff2?url&no-inline'
import rare from './readex-rare.woff2?url&no-inline'

/**
 * The site's font files, subset by `npm run fonts:cut`: the URL, and the characters that each is
 * for.
 */
const FILES = [
  { href: arabic, range: cuts.arabic },
  { href: latin, range: cuts.latin },
  { href: numerals, range: cuts.numerals },
  { href: rare, range: cuts.rare },
]

const OTHERS = '"Readex Fallback 2","Readex Fallback 3",system-ui,sans-serif'
const FALLBACK = `"Readex Fallback",${OTHERS}`
const READEX = `"Readex Pro",${FALLBACK}`

/**
 * Readex Pro's own line metrics, from its `hhea` table: ascent 1000, descent 250, no gap, of 1000
 * units.
 */
const ASCENT = 100
const DESCENT = 25

const ARABIC = 'U+600-6ff,U+fb50-fdff,U+fe70-fefc'
/** The font weights of titles. */
const TITLES = '600 700'

interface Fallback {
  readonly family: string
  readonly local: readonly string[]
  readonly width: number
  readonly weight?: string
  readonly range?: string
}

/**
 * System fonts, stretched to Readex Pro's widths and line height so that nothing moves when it
 * arrives. `width` is the ratio of Readex Pro's width to the font's, in percent, for a sentence in
 * French, or in Arabic if `range` says so; Arial's comes from its published widths, the others are
 * measured. Titles have their own widths: Readex Pro's letters get wider with the weight, those of
 * a synthetically bold font do not.
 */
const FALLBACKS: readonly Fallback[] = [
  {
    family: 'Readex Fallback',
    local: ['Arial', 'Liberation Sans', 'Roboto'],
    width: 107.7,
  },
  { family: 'Readex Fallback 2', local: ['DejaVu Sans'], width: 94.8 },
  {
    family: 'Readex Fallback 2',
    local: ['DejaVu Sans'],
    width: 104.8,
    range: ARABIC,
  },
  {
    family: 'Readex Fallback',
    local: ['Arial Bold', 'Liberation Sans Bold'],
    width: 102.9,
    weight: TITLES,
  },
  // Newer phones have one file for all weights, under the name of the regular font.
  {
    family: 'Readex Fallback 2',
    local: ['Roboto Bold', 'Roboto'],
    width: 110.5,
    weight: TITLES,
  },
  { family: 'Readex Fallback 3', local: ['DejaVu Sans Bold'], width: 86.9, weight: TITLES },
  {
    family: 'Readex Fallback 3',
    local: ['DejaVu Sans Bold'],
    width: 92.4,
    weight: TITLES,
    range: ARABIC,
  },
]

const families = [...faces(), ...fallbacks()].join('')

/**
 * The site's font faces, and `--font-readex`, the list to use as `font-family`. It includes the
 * downloaded family once `layouts/head.ts` has set `data-font`, or if no script runs.
 */
export const fontCss =
  `${families}:root{--font-readex:${FALLBACK}}:root[data-font]{--font-readex:${READEX}}` +
  `@media(scripting:none){:root{--font-readex:${READEX}}}`

/**
 * From this width on (px), the office has its menu beside the page, and the office and the reader
 * use the site's fonts.
 */
const DESKTOP_PX = 1024

/** The media query under which these pages load the site's fonts. */
export const DESKTOP_FONT_MEDIA = `(width >= ${DESKTOP_PX}px)`

/**
 * The same for the pages of the office and the reader. On phones they use the phone's own font,
 * which saves 22 to 33 KB on each first visit; `--font-shop` is for content that they show as
 * buyers see it.
 */
export const desktopFontCss =
  // The fallback for DejaVu, which no phone has, is for narrow windows on Linux, whose text would
  // be too wide.
  `${families}:root{--font-readex:${OTHERS};--font-shop:${READEX}}` +
  `@media${DESKTOP_FONT_MEDIA}{:root{--font-readex:${READEX}}}`

function faces(): string[] {
  return FILES.map(
    ({ href, range }) =>
      '@font-face{font-family:"Readex Pro";font-weight:400 700;' +
      `font-display:swap;src:url(${href});unicode-range:${range}}`,
  )
}

function fallbacks(): string[] {
  const percent = (value: number, width: number) => `${((value * 100) / width).toFixed(1)}%`
  return FALLBACKS.map(
    ({ family, local, width, weight, range }) =>
      `@font-face{font-family:"${family}";src:${local.map((name) => `local("${name}")`)};` +
      `size-adjust:${width}%;ascent-override:${percent(ASCENT, width)};` +
      `descent-override:${percent(DESCENT, width)};line-gap-override:0%` +
      `${weight ? `;font-weight:${weight}` : ''}` +
      `${range ? `;unicode-range:${range}` : ''}}`,
  )
}

/** The files that a page in each script needs; Arabic pages also contain words in Latin letters. */
export const fontPreloads: Record<'arabic' | 'latin', string[]> = {
  arabic: [arabic, latin],
  latin: [latin],
}
