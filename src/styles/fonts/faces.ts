import cuts from './cuts.json'
import arabic from './readex-arabic.woff2?url&no-inline'
import latin from './readex-latin.woff2?url&no-inline'
import numerals from './readex-numerals.woff2?url&no-inline'
import rare from './readex-rare.woff2?url&no-inline'

/** The site's font files, cut by `npm run fonts:cut`: an address, and the characters it is for. */
const FILES = [
  { href: arabic, range: cuts.arabic },
  { href: latin, range: cuts.latin },
  { href: numerals, range: cuts.numerals },
  { href: rare, range: cuts.rare },
]

const OTHERS = '"Readex Fallback 2","Readex Fallback 3",system-ui,sans-serif'
const FALLBACK = `"Readex Fallback",${OTHERS}`
const READEX = `"Readex Pro",${FALLBACK}`

/** Readex Pro's own line: ascent 1000, descent 250, no gap, of 1000 units (its `hhea` table). */
const ASCENT = 100
const DESCENT = 25

const ARABIC = 'U+600-6ff,U+fb50-fdff,U+fe70-fefc'
/** The weights of titles. */
const TITLES = '600 700'

interface Fallback {
  readonly family: string
  readonly local: readonly string[]
  readonly width: number
  readonly weight?: string
  readonly range?: string
}

/**
 * Systems' own fonts, stretched to Readex Pro's widths and line so that nothing moves when it
 * arrives. `width` is Readex Pro's width over the font's, in percent, of a sentence in French, or in
 * Arabic where `range` says so; Arial's from its published widths, the others measured. Titles have widths of
 * their own: Readex Pro's letters grow with the weight, those of a regular font made bold do not.
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
  // Newer phones have one file for all weights, which has the name of the regular one.
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
 * The site's font faces, and `--font-readex`: the list to use as `font-family`. The family that is
 * downloaded is in it once `layouts/font.ts` has set `data-font`, or where no script runs.
 */
export const fontCss =
  `${families}:root{--font-readex:${FALLBACK}}:root[data-font]{--font-readex:${READEX}}` +
  `@media(scripting:none){:root{--font-readex:${READEX}}}`

/** From this width on (px) the office has its menu beside the page, and it and the reader the site's fonts. */
const DESK = 1024

/** The media that these pages load the site's fonts in. */
export const DESK_FONT_MEDIA = `(width >= ${DESK}px)`

/**
 * The same for the pages of the office and the reader. On a phone they are in the phone's own letters,
 * which leaves 22 to 33 KB of each first visit to what the page does; `--font-shop` is for what is shown there as
 * buyers see it.
 */
export const deskFontCss =
  // The fallback for DejaVu, which no phone has, keeps narrow windows of Linux from being too narrow.
  `${families}:root{--font-readex:${OTHERS};--font-shop:${READEX}}` +
  `@media${DESK_FONT_MEDIA}{:root{--font-readex:${READEX}}}`

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

/** Which files a page in each script needs: Arabic ones have words in Latin letters too. */
export const fontPreloads: Record<'arabic' | 'latin', string[]> = {
  arabic: [arabic, latin],
  latin: [latin],
}
