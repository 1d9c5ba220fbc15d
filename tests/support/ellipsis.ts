import sharp from 'sharp'
import type { Locale } from '../../src/i18n/locales.ts'

/** A browser's page, as Playwright and Puppeteer have it. */
interface BrowserPage {
  evaluate(expression: string): Promise<unknown>
}
interface Place {
  x: number
  y: number
  width: number
  height: number
}

/** Titles against the direction of a page in Arabic, and of one in French. */
const FOREIGN = {
  ar: 'Les équations du premier degré et leurs applications ',
  fr: 'المعادلات من الدرجة الأولى وتطبيقاتها في المسائل ',
}

/** Room around a text for the sign that hangs over its edge. */
const BESIDE = 16

/**
 * The classes of texts in people's own direction on a page that are cut without "…" if they run
 * against the page's direction. The sign is compared with that of the same text at its own edge.
 */
export async function lostEllipses(
  page: BrowserPage,
  locale: Exclude<Locale, 'en'>,
  shoot: (clip: Place) => Promise<Uint8Array>,
): Promise<string[]> {
  const run = <Given, Result>(task: (given: Given) => Result, given: Given) =>
    page.evaluate(`(${task})(${JSON.stringify(given)})`) as Promise<Result>
  const classes = await run(shownClasses, 'auto')
  const lost: string[] = []
  for (const [at, name] of classes.entries()) {
    if (name === '' || classes.indexOf(name) !== at) continue
    const ink = async (align: string) => {
      const clip = await run(writeLong, { at, text: FOREIGN[locale], align, beside: BESIDE })
      const seen = await shoot(clip)
      await run(hide, at)
      return differing(seen, await shoot(clip))
    }
    const [atOwnEdge, shown] = [await ink('start'), await ink('')]
    // A third of the sign is one of its dots.
    if (atOwnEdge === 0 || shown < 0.9 * atOwnEdge) lost.push(name)
  }
  return lost
}

/**
 * By text, its classes if it is shown, has this direction and begins at the page's edge, else ''. Others
 * have their sign at their own edge.
 */
function shownClasses(dir: string): string[] {
  return [...document.querySelectorAll<HTMLElement>('.clamp, .one-line')].map((text) =>
    text.dir === dir && text.matches('.along') && text.checkVisibility() && text.clientHeight > 0
      ? text.className
      : '',
  )
}

/** Fills a text so that it is cut, with only the sign of that visible; returns where it is. */
function writeLong({
  at,
  text,
  align,
  beside,
}: {
  at: number
  text: string
  align: string
  beside: number
}): Place {
  const box = document.querySelectorAll<HTMLElement>('.clamp, .one-line')[at]
  if (!box) throw new Error(`no text ${at}`)
  const letters = document.createElement('span')
  letters.textContent = text.repeat(8)
  letters.style.color = 'transparent'
  box.replaceChildren(letters)
  box.style.color = 'black'
  box.style.visibility = 'visible'
  box.style.textAlign = align
  box.scrollIntoView({ block: 'center' })
  const { x, y, width, height } = box.getBoundingClientRect()
  const start = Math.max(0, x - beside)
  const end = Math.min(document.documentElement.clientWidth, x + width + beside)
  return { x: start, y, width: end - start, height }
}

function hide(at: number): void {
  const box = document.querySelectorAll<HTMLElement>('.clamp, .one-line')[at]
  if (box) box.style.visibility = 'hidden'
}

async function differing(one: Uint8Array, other: Uint8Array): Promise<number> {
  const [a, b] = await Promise.all(
    [one, other].map((png) => sharp(png).greyscale().raw().toBuffer()),
  )
  return a?.reduce((sum, grey, at) => sum + Math.abs(grey - (b?.[at] ?? grey)), 0) ?? 0
}
