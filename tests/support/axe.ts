import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import type { Page } from 'playwright'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The rules of WCAG 2.2 at A and AA. */
const AA = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/**
 * What axe finds on the page as it is: each finding in one line, with the place. On Arabic pages
 * axe 4.14 passes over the contrast of most texts; there the French ones speak for both.
 */
export async function violations(page: Page): Promise<string[]> {
  // Scripts of the driver are no scripts of the page: its content security policy stays in force.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  const found = await page.evaluate(async (tags) => {
    const { axe: checker } = window as unknown as { axe: typeof axe }
    const { violations: all } = await checker.run(document, {
      runOnly: { type: 'tag', values: tags },
      resultTypes: ['violations'],
    })
    return all.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary}`),
    )
  }, AA)
  return found.map((line) => line.replace(/\s+/g, ' '))
}
