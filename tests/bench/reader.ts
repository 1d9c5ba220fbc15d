import type { Page } from 'playwright'
import { DEMO_PASSWORD } from '../../src/server/demo/demo.ts'
import { median } from '../support/quantiles.ts'
import { READER_SHELL_MAX_BYTES } from '../support/weight.ts'
import { OLD_PHONE, withPhone } from './support/chromium.ts'
import { type Bench, KB, type Row, row } from './support/part.ts'

/** A document that the demo shop's first parent has bought. */
const DOCUMENT = 1
const PARENT = { username: 'parent@karras.test', password: DEMO_PASSWORD }

/** The reader on an old phone with a bad line: its first page, and a turn to a page fetched ahead. */
export async function rows(bench: Bench): Promise<Row[]> {
  const { url } = await bench.openShop()
  const answer = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(PARENT),
  })
  const { accessToken } = (await answer.json()) as { accessToken: string }
  const visits: Visit[] = []
  // Not counted: at the first visit the shop draws the pictures, once for each document.
  for (let n = -1; n < bench.rounds; n++) {
    const visit = await withPhone(OLD_PHONE, (page) => visitReader(page, url, accessToken))
    if (n >= 0) visits.push(visit)
  }
  const value = (name: keyof Visit) => median(visits.map((visit) => visit[name]))
  const inKB = (what: string, bytes: number, most: number) =>
    row('14', what, bytes / KB, { most: most / KB, unit: 'KB' })
  return [
    row('14', 'first page visible', value('shown') / 1000, { most: 3, unit: 's' }),
    inKB('bytes before the first picture', value('shell'), READER_SHELL_MAX_BYTES),
    inKB('bytes after that until it is visible', value('picture'), 100 * KB),
    row('14', 'a fetched page turned', value('turned'), { most: 100, unit: 'ms' }),
  ]
}

interface Visit {
  /** Milliseconds from the start of the visit until the first page is on the screen. */
  shown: number
  /** Bytes until the request for its picture, and from there until the picture is on the screen. */
  shell: number
  picture: number
  /** Milliseconds from a key press until the next page is on the screen. */
  turned: number
}

async function visitReader(page: Page, url: string, token: string): Promise<Visit> {
  await page.addInitScript((text) => localStorage.setItem('token', text), token)
  await page.goto(`${url}/read/${DOCUMENT}`, { waitUntil: 'commit' })
  const shown = await page.evaluate(
    () =>
      new Promise<Omit<Visit, 'turned'>>((resolve) => {
        const poll = () => {
          const first = document.querySelector('#first-page:not([hidden]), .reader__sheet img')
          if (!first) {
            requestAnimationFrame(poll)
            return
          }
          requestAnimationFrame(() => {
            const [page] = performance.getEntriesByType(
              'navigation',
            ) as PerformanceNavigationTiming[]
            const others = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
            const picture = others.find(({ name }) => name.endsWith('.webp'))
            const bytes = (of: PerformanceResourceTiming[]) =>
              of.reduce((sum, { transferSize }) => sum + transferSize, 0)
            const isShell = ({ startTime }: PerformanceEntry) =>
              !picture || startTime < picture.startTime
            resolve({
              shown: performance.now(),
              shell: bytes(others.filter(isShell)) + (page?.transferSize ?? 0),
              picture: bytes(others.filter((each) => !isShell(each))),
            })
          })
        }
        poll()
      }),
  )
  await page.locator('[data-page="2"] img').waitFor({ state: 'attached' })
  const turned = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const next = document.querySelector('[data-page="2"] img') as Element
        const startedAt = performance.now()
        dispatchEvent(new KeyboardEvent('keydown', { key: 'PageDown' }))
        const poll = () => {
          if (Math.abs(next.getBoundingClientRect().left) < 2)
            resolve(performance.now() - startedAt)
          else requestAnimationFrame(poll)
        }
        poll()
      }),
  )
  return { ...shown, turned }
}
