import { type CutFont, WEIGHTS } from './cut-fonts.ts'

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
    local: ['Arial', 'Liberation Sans', 'Roboto', 'Helvetica'],
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
export function fontStyles(fonts: readonly CutFont[], base = '/_astro/'): string {
  const faces = fonts.map(
    ({ file, unicodeRange }) =>
      `@font-face{font-family:"Readex Pro";font-weight:${WEIGHTS.min} ${WEIGHTS.max};` +
      `font-display:swap;src:url(${base}${file})format("woff2");unicode-range:${unicodeRange}}`,
  )
  const fallbacks = FALLBACKS.map(({ family, local, width, range }) => {
    const percent = (value: number) => `${((value * 100) / width).toFixed(1)}%`
    return (
      `@font-face{font-family:"${family}";src:${local.map((name) => `local("${name}")`)};` +
      `size-adjust:${width}%;ascent-override:${percent(ASCENT)};` +
      `descent-override:${percent(DESCENT)};line-gap-override:0%` +
      `${range ? `;unicode-range:${range}` : ''}}`
    )
  })
  return (
    faces.join('') +
    fallbacks.join('') +
    ':root{--font-readex:"Readex Pro","Readex Fallback","Readex Fallback 2",system-ui,sans-serif}' +
    ':root[data-save-data]{--font-readex:system-ui,sans-serif}' +
    '@media(prefers-reduced-data:reduce){:root{--font-readex:system-ui,sans-serif}}'
  )
}

/** Which files a page in each script needs at once, so that their download starts with the page. */
export function fontPreloads(
  fonts: readonly CutFont[],
  base = '/_astro/',
): Record<'arabic' | 'latin', string[]> {
  const files = (names: string[]) =>
    fonts.filter(({ name }) => names.includes(name)).map(({ file }) => base + file)
  return { arabic: files(['arabic', 'signs']), latin: files(['letters', 'signs']) }
}
