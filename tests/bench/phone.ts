import { setTimeout as delay } from 'node:timers/promises'
import type { Page } from 'playwright'
import { median } from '../support/quantiles.ts'
import { uiText } from '../support/texts.ts'
import { OLD_PHONE, type PhoneOptions, withPhone } from './support/chromium.ts'
import type { Bench, Row } from './support/part.ts'
import { warmUpPages } from './support/read-before.ts'

const PATH = '/shop-details/3'

/** How long the details page and its first tap take on an old phone with a bad line, and the tap on a good one. */
export async function rows(bench: Bench): Promise<Row[]> {
  const { url } = await bench.openShop()
  await warmUpPages(url, [PATH])
  const times = async <Name extends string>(measure: () => Promise<Record<Name, number>>) => {
    const measured: Record<Name, number>[] = []
    for (let n = 0; n < bench.rounds; n++) measured.push(await measure())
    return (name: Name) => median(measured.map((one) => one[name])) / 1000
  }
  const opened = (options: PhoneOptions) =>
    withPhone(options, async (page) => {
      await page.goto(url + PATH, { waitUntil: 'commit' })
      return { readable: await readable(page) }
    })
  const bought = (options: PhoneOptions) =>
    withPhone(options, async (page) => {
      await page.goto(url + PATH, { waitUntil: 'commit' })
      await readable(page)
      return tapped(page)
    })
  const withScript = await times(() => opened(OLD_PHONE))
  const without = await times(() => opened({ ...OLD_PHONE, javaScriptEnabled: false }))
  const slow = await times(() => bought(OLD_PHONE))
  const fast = await times(() =>
    withPhone({}, async (page) => {
      await page.goto(url + PATH, { waitUntil: 'networkidle' })
      return tapped(page)
    }),
  )
  return [
    { id: 'P4', what: 'details readable', value: withScript('readable'), unit: 's', most: 1.2 },
    {
      id: 'P4',
      what: 'details readable without script',
      value: without('readable'),
      unit: 's',
      most: 1.2,
    },
    {
      id: 'P4',
      what: 'tap on “add to cart” as soon as it is seen: answered',
      value: slow('answered'),
      unit: 's',
      most: 1.5,
      note: `tapped at ${slow('tappedAt').toFixed(2)} s, answered ${Math.round(1000 * (slow('answered') - slow('tappedAt')))} ms later`,
    },
    {
      id: 'P2',
      what: 'first tap on a fast line and phone: answered after',
      value: 1000 * (fast('answered') - fast('tappedAt')),
      unit: 'ms',
      most: 100,
    },
  ]
}

/** When the page's text was first painted, in milliseconds after the start of the visit. */
async function readable(page: Page): Promise<number> {
  // Polled from Node: with scripts off, no timer runs in the page.
  for (;;) {
    const painted = await page.evaluate(() => {
      const first = performance.getEntriesByName('first-contentful-paint')[0]
      return document.querySelector('h1') && first ? first.startTime : 0
    })
    if (painted > 0) return painted
    await delay(20)
  }
}

/**
 * Taps on the button that adds to the cart as soon as it is visible, and waits for a toast or a dialog; both
 * times in milliseconds after the start of the visit.
 */
async function tapped(page: Page): Promise<{ tappedAt: number; answered: number }> {
  const { x, y } = await page.evaluate(
    (text) =>
      new Promise<{ x: number; y: number }>((resolve) => {
        addEventListener(
          'pointerdown',
          ({ timeStamp }) => Object.assign(window, { tappedAt: timeStamp }),
          { capture: true, once: true },
        )
        const poll = () => {
          const button = [...document.querySelectorAll<HTMLElement>('main button, main a')].find(
            (one) => one.textContent?.trim().startsWith(text) && one.checkVisibility(),
          )
          if (!button) {
            requestAnimationFrame(poll)
            return
          }
          button.scrollIntoView({ block: 'center', behavior: 'instant' })
          const { left, top, width, height } = button.getBoundingClientRect()
          resolve({ x: left + width / 2, y: top + height / 2 })
        }
        poll()
      }),
    uiText('ar', 'cart:add.add'),
  )
  await page.touchscreen.tap(x, y)
  return page.evaluate(
    () =>
      new Promise<{ tappedAt: number; answered: number }>((resolve) => {
        const poll = () => {
          const { tappedAt } = window as Window & { tappedAt?: number }
          const shown = [...document.querySelectorAll('dialog[open], .toast, :popover-open')]
          const isThere = shown.some((one) => one.checkVisibility({ visibilityProperty: true }))
          if (tappedAt && isThere) resolve({ tappedAt, answered: performance.now() })
          else requestAnimationFrame(poll)
        }
        poll()
      }),
  )
}
