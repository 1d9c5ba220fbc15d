import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import type { Page } from 'playwright'
import { clientOf } from './seats.ts'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The rules of WCAG 2.2 at A and AA. */
const AA = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const CONTRAST: axe.RunOptions = { runOnly: { type: 'rule', values: ['color-contrast'] } }

interface Looks {
  /** Leaves out how far apart targets are, which takes as long as all the rest. */
  withoutTargets?: boolean
  /** Leaves out what stands around every page. */
  withoutFrame?: boolean
  /** Looks at this alone, whatever is open. */
  part?: string | undefined
}

const FRAME = ['.topbar', '.header', '.footer', '.bottom-bar']

/**
 * What axe finds on the page as it is: each finding in one line, with the place. Where a modal is open
 * that is the modal: what lies behind it is for nobody, and looked at without it.
 */
export function violations(page: Page, looks: Looks = {}): Promise<string[]> {
  const rules = { 'target-size': { enabled: !looks.withoutTargets } }
  return run(page, { runOnly: AA, rules }, looks)
}

/** What axe finds in light and in dark colours, on which of its rules contrast alone depends. */
export async function violationsInBoth(page: Page, looks: Looks = {}): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' })
  const light = await violations(page, looks)
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await run(page, CONTRAST, looks)
  return [...light, ...dark.map((line) => `dark: ${line}`)]
}

async function run(
  page: Page,
  options: axe.RunOptions,
  { withoutFrame = false, part }: Looks,
): Promise<string[]> {
  const frame = withoutFrame ? FRAME : []
  // Scripts of the driver are no scripts of the page: its content security policy stays in force.
  if (!(await page.evaluate(() => 'axe' in window))) {
    // As a script that the browser has compiled before, where `evaluate` would have it read anew.
    await clientOf(page).send('Runtime.evaluate', { expression: source })
  }
  const found = await page.evaluate(
    async ([wanted, part, exclude]) => {
      const { axe: checker } = window as unknown as { axe: typeof axe }
      // axe 4.14 draws each text to tell words from icons that a font makes of them, and takes the
      // joined letters of Arabic for such icons, whose contrast it passes over. We have no such
      // fonts: what it draws is as wide as its letters and fills them.
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
      // A link that covers its card does so by a pseudo-element, behind which axe decides nothing.
      const bare = new CSSStyleSheet()
      bare.replaceSync('*::before, *::after { content: none !important }')
      document.adoptedStyleSheets.push(bare)
      try {
        const modal = [...document.querySelectorAll('dialog:modal')].at(-1)
        const include = part ?? modal ?? document
        const all = await checker.run(
          { include: [include], exclude },
          {
            ...wanted,
            resultTypes: ['violations'],
            // None of our rules reads style sheets, which axe would fetch again for each look.
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
