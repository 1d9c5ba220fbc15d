import cuts from './cuts.json'
import arabic from './readex-arabic.woff2?url&no-inline'
import letters from './readex-letters.woff2?url&no-inline'
import numerals from './readex-numerals.woff2?url&no-inline'
import rare from './readex-rare.woff2?url&no-inline'
import signs from './readex-signs.woff2?url&no-inline'

/** The site's font files, cut by `npm run fonts:cut`: an address, and the characters it is for. */
const FILES = [
  { href: arabic, range: cuts.arabic },
  { href: letters, range: cuts.letters },
  { href: signs, range: cuts.signs },
  { href: numerals, range: cuts.numerals },
  { href: rare, range: cuts.rare },
]

const READEX = '"Readex Pro","Readex Fallback","Readex Fallback 2",system-ui,sans-serif'

/** Readex Pro's own line: ascent 1000, descent 250, no gap, of 1000 units (its `hhea` table). */
const ASCENT = 100
const DESCENT = 25

/**
 * Systems' own fonts, stretched to Readex Pro's widths and line so that nothing moves when it
 * arrives. `width` is Readex Pro's width over the font's, in percent, of a sentence in French, or in
 * Arabic where `range` says so; Arial's from its published widths, DejaVu's measured.
 */
const FALLBACKS = [
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
    range: 'U+600-6ff,U+fb50-fdff,U+fe70-fefc',
  },
]

/**
 * The site's font faces, and `--font-readex`: the list to use as `font-family`. With
 * `prefers-reduced-data`, or `data-save-data` on the root, that list is the system's font alone.
 */
export const fontCss = [...faces(), ...fallbacks(), ...variables()].join('')

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
  `${fontCss}:root:not([data-save-data]){--font-shop:${READEX}}` +
  // The fallback for DejaVu, which no phone has, keeps narrow windows of Linux from being too narrow.
  `@media(width<${DESK}px){:root{--font-readex:"Readex Fallback 2",system-ui,sans-serif}}`

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
    ({ family, local, width, range }) =>
      `@font-face{font-family:"${family}";src:${local.map((name) => `local("${name}")`)};` +
      `size-adjust:${width}%;ascent-override:${percent(ASCENT, width)};` +
      `descent-override:${percent(DESCENT, width)};line-gap-override:0%` +
      `${range ? `;unicode-range:${range}` : ''}}`,
  )
}

function variables(): string[] {
  return [
    `:root{--font-readex:${READEX}}`,
    ':root[data-save-data]{--font-readex:system-ui,sans-serif}',
    '@media(prefers-reduced-data:reduce){:root{--font-readex:system-ui,sans-serif}}',
  ]
}

/** Which files a page in each script needs at once, so that their download starts with the page. */
export const fontPreloads: Record<'arabic' | 'latin', string[]> = {
  arabic: [arabic, signs],
  latin: [letters, signs],
}
