import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import type { Page } from 'playwright'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The rules of WCAG 2.2 at A and AA; contrast is looked at apart. */
const AA: axe.RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
  rules: { 'color-contrast': { enabled: false } },
}
const CONTRAST: axe.RunOptions = { runOnly: { type: 'rule', values: ['color-contrast'] } }

/** What axe finds on the page as it is: each finding in one line, with the place. */
export async function violations(page: Page): Promise<string[]> {
  return [...(await run(page, AA)), ...(await paleTexts(page))]
}

/** What axe finds in light and in dark colours, on which of its rules contrast alone depends. */
export async function violationsInBoth(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' })
  const light = await violations(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  return [...light, ...(await paleTexts(page)).map((line) => `dark: ${line}`)]
}

/** Texts with too little contrast. */
async function paleTexts(page: Page): Promise<string[]> {
  // A link that covers its card does so by a pseudo-element, behind which axe decides nothing.
  const bare = await page.evaluateHandle(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('*::before, *::after { content: none !important }')
    document.adoptedStyleSheets.push(sheet)
    return sheet
  })
  try {
    return await run(page, CONTRAST)
  } finally {
    await bare.evaluate((sheet) => {
      document.adoptedStyleSheets.splice(document.adoptedStyleSheets.indexOf(sheet), 1)
    })
  }
}

async function run(page: Page, options: axe.RunOptions): Promise<string[]> {
  // Scripts of the driver are no scripts of the page: its content security policy stays in force.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  const found = await page.evaluate(async (wanted) => {
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
    try {
      const all = await checker.run(document, { ...wanted, resultTypes: ['violations'] })
      return all.violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary}`),
      )
    } finally {
      HTMLCanvasElement.prototype.getContext = getContext
    }
  }, options)
  return [...new Set(found.map((line) => line.replace(/\s+/g, ' ')))]
}
