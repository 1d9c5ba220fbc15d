import { type Browser, type BrowserContext, chromium, type Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CHROMIUM_FLAGS, ensureChromium } from '../../support/chromium.ts'
import { startBuiltSite } from './built-site.ts'

let site: Awaited<ReturnType<typeof startBuiltSite>>
let browser: Browser
beforeAll(async () => {
  site = await startBuiltSite()
  browser = await chromium.launch({ executablePath: ensureChromium(), args: CHROMIUM_FLAGS })
})
afterAll(async () => {
  await browser.close()
  await site.stop()
})

let context: BrowserContext
let page: Page
let faults: string[]
beforeEach(async () => {
  context = await browser.newContext({ hasTouch: true, viewport: { width: 400, height: 800 } })
  page = await context.newPage()
  faults = []
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  page.on('pageerror', (error) => faults.push(error.message))
  await site.control({ scripts: '0' })
  await page.goto(site.address, { waitUntil: 'networkidle' })
})
afterEach(() => context.close())

/** What the islands did, without what they note of themselves. */
const notes = async () =>
  (await page.evaluate(() => window.notes ?? [])).filter((text) => !/^(hydrated|focus)/.test(text))
const press = (selector: string, key: string) => page.locator(selector).press(key)

/** What a visitor does before the scripts of an island are there, and what the island then does, once. */
const TOUCHES: Readonly<Record<string, [touch: () => Promise<unknown>, done: string[]]>> = {
  'a tap': [() => page.locator('#first').tap(), ['pressed first']],
  'repeated taps, as one': [
    async () => {
      for (let n = 0; n < 3; n++) await page.locator('#first').tap()
    },
    ['pressed first'],
  ],
  'Enter on a button': [() => press('#second', 'Enter'), ['pressed second']],
  'Space on a button': [() => press('#second', 'Space'), ['pressed second']],
  'Enter in a form, with what was typed, chosen and ticked': [
    async () => {
      await page.locator('#name').pressSequentially('درس')
      await page.locator('#level').selectOption('primary')
      await page.locator('#free').tap()
      await page.locator('#stars-2').tap()
      await press('#name', 'Enter')
    },
    ['sent درس primary true 2'],
  ],
  'a press of a form’s button': [
    async () => {
      await page.locator('#name').fill('x')
      await page.locator('#send').tap()
    },
    ['sent x none false 0'],
  ],
}

describe('a dormant island', () => {
  test.each(Object.entries(TOUCHES))('answers %s', async (_, [touch, done]) => {
    // An old phone: the throttle burns three quarters of this CPU.
    const devtools = await context.newCDPSession(page)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
    await site.control({ scripts: 'held' })
    await touch()
    expect(await notes()).toEqual([])
    await site.control({ scripts: '0' })
    await expect.poll(notes).toEqual(done)
    // What is repeated too often would be there before the answer to this.
    await page.locator('#second').tap()
    await expect.poll(notes).toEqual([...done, 'pressed second'])
    expect(page.url()).toBe(`${site.address}/`)
    expect(faults).toEqual([])
  })

  test('keeps what is typed while it wakes', async () => {
    await site.control({ scripts: 'held' })
    await page.locator('#name').pressSequentially('درس')
    await page.locator('#stars-2').tap()
    await site.control({ scripts: '0' })
    await page.locator('#first').tap()
    await page.getByText('first 1').waitFor()
    expect(await page.locator('#name').inputValue()).toBe('درس')
    expect(await page.locator('#stars-2').isChecked()).toBe(true)
  })

  test('lets a plain link navigate at once', async () => {
    await site.control({ scripts: '20000' })
    await page.locator('#first-link').tap()
    await page.waitForURL('**/documents/7')
  })

  test('does nothing until it is touched, and then wakes alone', async () => {
    const awake = () =>
      page.evaluate(() => (window.notes ?? []).filter((text) => text.startsWith('hydrated')))
    await page.waitForLoadState('networkidle')
    expect(await awake()).toEqual([])
    await page.locator('#first').hover()
    await expect.poll(awake).toEqual(['hydrated first'])
  })

  test('wakes with a later touch when its scripts failed', async () => {
    await site.control({ scripts: 'fail' })
    await page.locator('#first').tap()
    await site.control({ scripts: '0' })
    await expect
      .poll(async () => {
        if ((await notes()).length === 0) await page.locator('#first').tap()
        return notes()
      })
      .toContain('pressed first')
  })

  test('forgets a press for which its scripts failed', async () => {
    await site.control({ scripts: 'fail' })
    await page.locator('#first').tap()
    // Marked as busy until the scripts have failed.
    await expect.poll(() => page.locator('#first[aria-busy=true]').count()).toBe(0)
    await site.control({ scripts: '0' })
    await page.locator('#first-link').focus()
    await expect.poll(() => page.evaluate(() => window.notes)).toContain('hydrated first')
    await page.locator('#second').tap()
    await expect.poll(notes).toContain('pressed second')
    expect(await notes()).toEqual(['pressed second'])
  })
})

describe('the head', () => {
  test('paints what this browser has stored before anything else runs', async () => {
    const colour = () => page.evaluate(() => getComputedStyle(document.body).color)
    expect(await colour()).toBe('rgb(27, 36, 64)')
    await page.evaluate(() => localStorage.setItem('painted', '1'))
    await page.reload()
    expect(await colour()).toBe('rgb(1, 2, 3)')
    expect(faults).toEqual([])
  })
})
