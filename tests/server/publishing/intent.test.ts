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
let scripts: string[]

/** A phone on a slow connection: touch, and scripts that take a while. */
beforeEach(async () => {
  context = await browser.newContext({ hasTouch: true, viewport: { width: 400, height: 800 } })
  page = await context.newPage()
  faults = []
  scripts = []
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('request', (request) => request.url().endsWith('.js') && scripts.push(request.url()))
  await site.control({ scripts: '100' })
  await page.goto(site.address, { waitUntil: 'networkidle' })
  await scroll()
})
afterEach(() => context.close())

/** The first sign of an intent, after which the page has what wakes islands. */
async function scroll(): Promise<void> {
  await page.waitForFunction(() => {
    dispatchEvent(new Event('scroll'))
    return window.early && !window.early.events
  })
}

/** Opens the page anew, as if its first bytes had taken so long (ms). */
async function openAfter(time: number): Promise<void> {
  await page.addInitScript((time) => {
    performance.now = () => time
  }, time)
  scripts = []
  await page.goto(site.address, { waitUntil: 'networkidle' })
}

const requested = () => scripts.map((address) => address.replace(/.*\/|\..*/g, ''))

/** Leaves the page a quarter of this CPU: the throttle burns the other three. */
async function slowDown(): Promise<void> {
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
}

const eventually = <T>(read: () => T) => expect.poll(read)

const notes = () => page.evaluate(() => window.notes ?? [])
const pressed = async (name: string) =>
  (await notes()).filter((text) => text === `pressed ${name}`).length

describe('a dormant island', () => {
  test('has one file once the visitor scrolls, and none before', async () => {
    await openAfter(200)
    expect(requested()).toEqual([])
    await scroll()
    expect(requested()).toEqual(['intent-script'])
    expect(faults).toEqual([])
  })

  test('has that file once a mouse is over an island, not one that lies still or is elsewhere', async () => {
    await page.mouse.move(390, 790)
    await openAfter(200)
    await page.locator('h1').hover()
    await page.waitForLoadState('networkidle')
    expect(requested()).toEqual([])
    await page.locator('#first').hover()
    await eventually(requested).toContain('intent-script')
    expect(await notes()).toEqual([])
    expect(faults).toEqual([])
  })

  test('has that file at once on a slow line, whose first tap could not wait for it', async () => {
    await openAfter(400)
    expect(requested()).toEqual(['intent-script'])
    expect(await page.evaluate(() => window.early?.events)).toBeUndefined()
    expect(faults).toEqual([])
  })

  test('responds to the tap that hydrated it, once, and is busy until then', async () => {
    await site.control({ scripts: 'held' })
    await page.locator('#first').tap()
    expect(await page.locator('#first').getAttribute('aria-busy')).toBe('true')
    await site.control({ scripts: '0' })
    await page.getByText('first 1').waitFor()
    expect(await page.locator('#first').getAttribute('aria-busy')).toBeNull()
    expect(await notes()).toEqual(['hydrated first', 'pressed first'])

    await page.locator('#first').tap()
    await page.getByText('first 2').waitFor()
    expect(await pressed('first')).toBe(2)
    expect(faults).toEqual([])
  })

  test('counts repeated taps as one, and taps on several islands as several', async () => {
    await site.control({ scripts: 'held' })
    for (let n = 0; n < 3; n++) await page.locator('#first').tap()
    await page.locator('#second').tap()
    await site.control({ scripts: '0' })
    await page.getByText('first 1').waitFor()
    await page.getByText('second 1').waitFor()
    expect([await pressed('first'), await pressed('second')]).toEqual([1, 1])
  })

  test.each(['Enter', 'Space'])('responds to %s on a button', async (key) => {
    await page.locator('#second').focus()
    await page.keyboard.press(key)
    await page.getByText('second 1').waitFor()
    expect(await pressed('second')).toBe(1)
  })

  test('keeps input, choices and ticks made meanwhile, and submits them, on an old phone', async () => {
    await site.control({ scripts: 'held' })
    await slowDown()
    await page.locator('#name').pressSequentially('درس')
    await page.locator('#level').selectOption('primary')
    await page.locator('#free').tap()
    await page.locator('#stars-2').tap()
    await page.locator('#send').tap()
    await site.control({ scripts: '0' })
    await eventually(notes).toContain('sent درس primary true 2')
    expect(await page.locator('#name').inputValue()).toBe('درس')
    expect(await page.locator('#stars-2').isChecked()).toBe(true)
    expect((await notes()).filter((text) => text.startsWith('sent'))).toHaveLength(1)
    expect(page.url()).toBe(`${site.address}/`)
    expect(faults).toEqual([])
  })

  test('submits a form by Enter in a field', async () => {
    await page.locator('#name').fill('x')
    await page.keyboard.press('Enter')
    await eventually(notes).toContain('sent x none false 0')
  })

  test('receives the focus and the arrow key that hydrated it', async () => {
    await page.locator('#name').focus()
    await page.keyboard.press('ArrowDown')
    await eventually(notes).toEqual(['focus', 'down'])
  })

  test('lets a plain link navigate at once', async () => {
    await site.control({ scripts: '20000' })
    await page.locator('#first-link').tap()
    await page.waitForURL('**/documents/7')
  })

  test('is fetched, but not hydrated, by a mouse passing over it', async () => {
    await page.mouse.move(0, 0)
    await page.locator('#first').hover()
    await eventually(() => scripts.length).toBeGreaterThan(0)
    await page.waitForLoadState('networkidle')
    expect(await notes()).toEqual([])
  })

  test('hydrates together with the other dormant ones', async () => {
    expect(await page.locator('#toast').count()).toBe(0)
    await page.locator('#first').tap()
    await page.locator('#toast').waitFor()
  })

  test('hydrates together with the others on an event too, and only with those', async () => {
    await page.evaluate(() => dispatchEvent(new Event('karras:wake')))
    await page.locator('#toast').waitFor()
    expect(await notes()).toEqual([])
  })

  test('retries when its script failed to load', async () => {
    await site.control({ scripts: 'fail' })
    await page.locator('#first').tap()
    await eventually(() => page.locator('#first').getAttribute('aria-busy')).toBeNull()
    await site.control({ scripts: '0' })
    await page.locator('#first').tap()
    await page.getByText('first 1').waitFor()
    await page.locator('#second').tap()
    await page.getByText('second 1').waitFor()
    expect([await pressed('first'), await pressed('second')]).toEqual([1, 1])
  })

  test('leaves a form to the browser when its script failed to load', async () => {
    await site.control({ scripts: 'fail' })
    await page.locator('#name').fill('x')
    await page.locator('#send').tap()
    await page.waitForURL('**/fr?name=x')
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
