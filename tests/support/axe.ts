import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import type { Page } from 'playwright'
import { clientOf } from './page-pool.ts'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The rules of WCAG 2.2 at levels A and AA. */
const AA = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const CONTRAST: axe.RunOptions = { runOnly: { type: 'rule', values: ['color-contrast'] } }

interface AxeOptions {
  /** Skips the distance between targets, which takes as long as all other rules. */
  withoutTargets?: boolean
  /** Skips the frame around every page. */
  withoutFrame?: boolean
  /** Checks only this part, whatever is open. */
  part?: string | undefined
}

const FRAME = ['.topbar', '.header', '.footer', '.bottom-bar']

/**
 * The violations that axe finds on the current page, one line each, with the place. If a modal is
 * open only that is checked: what lies behind it is inert, and checked without it.
 */
export function violations(page: Page, settings: AxeOptions = {}): Promise<string[]> {
  const rules = { 'target-size': { enabled: !settings.withoutTargets } }
  return run(page, { runOnly: AA, rules }, settings)
}

/** The violations in light and in dark colours; of the rules, only contrast depends on colours. */
export async function violationsInBoth(page: Page, settings: AxeOptions = {}): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' })
  const light = await violations(page, settings)
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await run(page, CONTRAST, settings)
  return [...light, ...dark.map((line) => `dark: ${line}`)]
}

async function run(
  page: Page,
  options: axe.RunOptions,
  { withoutFrame = false, part }: AxeOptions,
): Promise<string[]> {
  const frame = withoutFrame ? FRAME : []
  // The driver's scripts are not the page's: its content security policy stays in force.
  if (!(await page.evaluate(() => 'axe' in window))) {
    // As a script that the browser has compiled before; `evaluate` would parse it again.
    await clientOf(page).send('Runtime.evaluate', { expression: source })
  }
  const found = await page.evaluate(
    async ([wanted, part, exclude]) => {
      const { axe: checker } = window as unknown as { axe: typeof axe }
      // axe 4.14 renders each text to tell words from the icons of icon fonts, and mistakes the
      // joined letters of Arabic for such icons, whose contrast it skips. We have no such fonts:
      // rendered text is as wide as its letters and fills them.
      const { getContext } = HTMLCanvasElement.prototype
      const letters = {
        canvas: {},
        measureText: (text: string) => ({ width: 30 * text.length }),
        fillText: () => {},
        clearRect: () => {},
        getImageData: (_x: number, _y: number, width: number, height: number) => ({
          data: new Uint8ClampedArray(4 * Math.ceil(width) * Math.ceil(height)).fill(255),
        }),
      }
      HTMLCanvasElement.prototype.getContext = (() => letters) as never
      // A card's link covers the card by a pseudo-element, behind which axe decides nothing.
      const bare = new CSSStyleSheet()
      bare.replaceSync(`
        *::before, *::after { content: none !important }
        /* They stay at the screen's edge, over what is scrolled past. */
        .buy, .office__side { position: static !important }`)
      document.adoptedStyleSheets.push(bare)
      try {
        const modal = [...document.querySelectorAll('dialog:modal')].at(-1)
        const include = part ?? modal ?? document
        const all = await checker.run(
          { include: [include], exclude },
          {
            ...wanted,
            resultTypes: ['violations'],
            // None of our rules reads style sheets, which axe would fetch again for each run.
            preload: { assets: ['media'] },
          },
        )
        return all.violations.flatMap(({ id, nodes }) =>
          nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary}`),
        )
      } finally {
        HTMLCanvasElement.prototype.getContext = getContext
        document.adoptedStyleSheets.splice(document.adoptedStyleSheets.indexOf(bare), 1)
      }
    },
    [options, part, frame] as const,
  )
  return [...new Set(found.map((line) => line.replace(/\s+/g, ' ')))]
}
