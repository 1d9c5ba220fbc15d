import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CHROMIUM_FLAGS, ensureChromium } from '../../support/chromium.ts'

/** Builds and serves the small site of `site/` in a process of its own; about five seconds. */
async function startBuiltSite() {
  const program = fileURLToPath(new URL('./serve-site.ts', import.meta.url))
  const child = fork(program, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const address = await new Promise<string>((done, fail) => {
    child.once('message', (message) => done((message as { address: string }).address))
    child.once('exit', (code) => fail(new Error(`The test site ended with code ${code}.`)))
  })
  return {
    address,
    /** Changes how scripts are served or the documents' title, or announces changed tags. */
    control: (settings: Record<string, string>) =>
      fetch(`${address}/control?${new URLSearchParams(settings)}`),
    stop: () =>
      new Promise<void>((done) => {
        child.once('exit', () => done())
        child.disconnect()
      }),
  }
}

let site: Awaited<ReturnType<typeof startBuiltSite>>
beforeAll(async () => {
  site = await startBuiltSite()
  return () => site.stop()
})

const fetched = async (path: string) => {
  const response = await fetch(site.address + path, { redirect: 'manual' })
  return { status: response.status, headers: response.headers, html: await response.text() }
}

describe('the built site', () => {
  test.each([
    ['/', 'ar', 'rtl'],
    ['/fr', 'fr', 'ltr'],
    ['/en', 'en', 'ltr'],
    ['/documents/12', 'ar', 'rtl'],
    ['/fr/documents/12', 'fr', 'ltr'],
  ])('%s is in %s', async (path, lang, dir) => {
    const { status, html } = await fetched(path)
    expect(status).toBe(200)
    expect(html).toContain(`<html lang="${lang}" dir="${dir}">`)
  })

  test.each([
    '/xx',
    '/ar',
    '/xx/documents/12',
    '/en-fr',
    '/documents/abc',
    '/_image',
    '/about.html',
  ])('%s is not found, in Arabic', async (path) => {
    const { status, html } = await fetched(path)
    expect(status).toBe(404)
    expect(html).toContain('<h1>404 ar</h1>')
  })

  test('a missing page under /fr says so in French', async () => {
    const { status, html } = await fetched('/fr/documents/abc')
    expect([status, html.includes('<h1>404 fr</h1>')]).toEqual([404, true])
  })

  test('pages name the site and not the Host header, and have no header of the store', async () => {
    const { html, headers } = await fetched('/documents/12')
    expect(html).toContain('https://karras.example/documents/12')
    expect(headers.get('cache-tag')).toBeNull()
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000')
    expect(headers.get('cache-control')).toBe('no-cache')
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  })

  test('every page has the policy, with the hashes of its inline content', async () => {
    for (const path of ['/', '/fr', '/documents/12', '/documents/12?x=1', '/nothing']) {
      const policy = (await fetched(path)).headers.get('content-security-policy') ?? ''
      expect(policy).toContain("default-src 'none'")
      expect(policy).toMatch(/script-src 'self' 'sha256-/)
      expect(policy).toMatch(/style-src 'self' 'sha256-/)
      expect(policy).not.toContain('unsafe')
    }
  })

  test('a page whose data cannot be read is an error without a stack trace, and never stored', async () => {
    await site.control({ title: 'fail' })
    const { status, html } = await fetched('/documents/9')
    expect([status, html]).toEqual([500, 'Internal Server Error'])
    await site.control({ title: 'there again' })
    expect((await fetched('/documents/9')).html).toContain('there again 9')
  })

  test('a page whose data cannot be read for now says so, and is never stored', async () => {
    await site.control({ title: 'busy' })
    const { status, headers, html } = await fetched('/documents/10')
    expect([status, html]).toEqual([503, 'Service Unavailable'])
    expect(headers.get('retry-after')).toBe('5')
    await site.control({ title: 'there again' })
    expect((await fetched('/documents/10')).html).toContain('there again 10')
  })

  test('a change is public at once, in every language', async () => {
    await site.control({ title: 'first' })
    await Promise.all([fetched('/documents/5'), fetched('/fr/documents/5')])
    await site.control({ title: 'second' })
    expect((await fetched('/documents/5')).html).toContain('first 5')
    await site.control({ changed: 'document:5' })
    expect((await fetched('/documents/5')).html).toContain('second 5')
    expect((await fetched('/fr/documents/5')).html).toContain('second 5')
    await site.control({ title: 'third', changed: 'tag, with signs' })
    expect((await fetched('/documents/5')).html).toContain('third 5')
  })

  test('a prerendered page has the headers of any other, and is precompressed', async () => {
    const [rendered, ...prerendered] = await Promise.all(
      ['/', '/about', '/fr/about', '/en/about?x=1'].map(fetched),
    )
    // Only a stored page among these is a dictionary.
    const varying = ['content-length', 'content-security-policy', 'date', 'etag', 'vary']
    const fixed = (headers: Headers = new Headers()) =>
      [...headers].filter(
        ([name]) => !varying.includes(name) && name !== 'strict-transport-security',
      )
    for (const [n, path] of ['/about', '/fr/about', '/en/about'].entries()) {
      const { status, headers = new Headers(), html } = prerendered[n] ?? {}
      expect([status, html]).toEqual([200, expect.stringContaining(`<h1>about ${path}</h1>`)])
      expect(fixed(headers)).toEqual(fixed(rendered?.headers))
      const policy = headers.get('content-security-policy') ?? ''
      const sources = (name: string) => policy.split('; ').find((part) => part.startsWith(name))
      const inline = [...(html ?? '').matchAll(/<(script|style)[^>]*>(.+?)<\/\1>/gs)]
      expect(inline.length).toBeGreaterThanOrEqual(3)
      for (const [, name = '', text = ''] of inline) {
        const hash = createHash('sha256').update(text).digest('base64')
        expect(sources(`${name}-src`)).toContain(`'sha256-${hash}'`)
      }
    }
    const again = await fetch(`${site.address}/about`, {
      headers: { 'if-none-match': prerendered[0]?.headers.get('etag') ?? '' },
    })
    expect(again.status).toBe(304)
    const gone = await Promise.all(['/about/index.html', '/about/index.html.br'].map(fetched))
    expect(gone.map(({ status }) => status)).toEqual([404, 404])
    expect((await fetched('/about/')).headers.get('location')).toBe('/about')
  })

  test('a route invalidates pages by their tag, and one page by its path', async () => {
    const read = async () => {
      const paths = ['/documents/6', '/fr/documents/6', '/documents/7', '/fr/documents/7']
      const pages = await Promise.all(paths.map(fetched))
      return pages.map(({ html }) => /<h1>(.*)<\/h1>/.exec(html)?.[1])
    }
    await site.control({ title: 'old' })
    expect(await read()).toEqual(['old 6', 'old 6', 'old 7', 'old 7'])
    await site.control({ title: 'new' })
    expect(await read()).toEqual(['old 6', 'old 6', 'old 7', 'old 7'])
    expect((await fetched('/changed/6')).html).toBe('{"changed":"6"}')
    expect(await read()).toEqual(['new 6', 'new 6', 'old 7', 'old 7'])
    expect((await fetched('/changed/7')).html).toBe('{"changed":"7"}')
    expect(await read()).toEqual(['new 6', 'new 6', 'new 7', 'old 7'])
  })
})

describe('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: ensureChromium(), args: CHROMIUM_FLAGS })
    return () => browser.close()
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
    (await page.evaluate(() => window.notes ?? [])).filter(
      (text) => !/^(hydrated|focus)/.test(text),
    )
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
      // A repeated press would arrive before the answer to this.
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
})
