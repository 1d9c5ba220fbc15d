import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright'
import { describe, expect, onTestFinished, test } from 'vitest'
import { pathIn } from '../../../src/i18n/paths.ts'
import { TOKEN_KEY } from '../../../src/rules/storage-keys.ts'
import { type Altered, alteredShop } from '../../support/altered-shop.ts'
import { RUN } from '../../support/amount.ts'
import { loggedIn, newVisitor } from '../../support/browser.ts'
import { CHROMIUM_FLAGS, ensureWholeChromium } from '../../support/chromium.ts'
import { allKept, CUT_ERRORS, cacheNames, eventually, untilControlled } from '../../support/kept.ts'
import { sharedShop } from '../../support/stage.ts'
import { logOut } from '../../support/steps.ts'
import { aToken } from '../../support/token.ts'

const shop = sharedShop()

const keptPages = async (page: Page) => (await allKept(page)).pages ?? []

/** From the first page to the second, which installs the worker. */
async function toSecondPage(page: Page): Promise<void> {
  await page.goto('/about')
  await page.locator('a[href="/shop"]:visible').first().click()
  await page.waitForURL('**/shop')
}

test('pages from before the worker are kept without another request, with their images', async () => {
  const way = await alteredShop(shop.url)
  const { page, context } = await newVisitor(way.url, { keepsPages: true, allowed: CUT_ERRORS })
  const sent = (path: string) => way.requests.filter((line) => line === `GET ${path}`).length
  await toSecondPage(page)
  // Twice if the link was held long enough to prefetch the page, but not to finish.
  const before = sent('/shop')
  await eventually(() => keptPages(page)).toEqual(expect.arrayContaining(['/about', '/shop']))
  expect([sent('/about'), sent('/shop')]).toEqual([1, before])
  await untilControlled(page)
  await page.goto('/teachers')
  await eventually(() => keptPages(page)).toContain('/teachers')
  const preload = way.headersOf('/teachers')?.['service-worker-navigation-preload']
  expect(preload).toBe('true')
  // `untilControlled` reloaded the shop page once.
  expect([sent('/about'), sent('/shop'), sent('/teachers')]).toEqual([1, before + 1, 1])

  const portrait = page.locator('main img[src^="/media/"]').first()
  const isPainted = () =>
    portrait.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0)
  await portrait.scrollIntoViewIfNeeded()
  await eventually(isPainted).toBe(true)
  await context.setOffline(true)
  await page.goto('/about')
  await page.waitForFunction(() => document.documentElement.dataset.kept)
  // From the browser's own cache, which the worker leaves to it.
  await page.goto('/teachers')
  await page.waitForFunction(() => document.documentElement.dataset.kept)
  await portrait.scrollIntoViewIfNeeded()
  await eventually(isPainted).toBe(true)
})

test('only a page’s own successful responses are kept', async () => {
  const way = await alteredShop(shop.url)
  const allowed = [...CUT_ERRORS, /status of [45]\d\d/]
  const { page } = await newVisitor(way.url, { keepsPages: true, allowed })
  await toSecondPage(page)
  await untilControlled(page)
  await page.goto('/teachers')
  await eventually(() => keptPages(page)).toContain('/teachers')
  const html = { 'content-type': 'text/html' }
  const body = '<!doctype html><title>poison</title>poison'
  const answers: Altered[] = [
    { status: 500, headers: html, body },
    { status: 404, headers: html, body },
    { headers: { ...html, 'cache-control': 'no-store' }, body },
    { headers: { ...html, 'cache-control': 'private, no-cache' }, body },
    { status: 302, headers: { location: '/login' } },
  ]
  for (const bad of answers) {
    way.answer('/teachers', bad)
    await page.goto('/teachers')
  }
  await page.goto('/login')
  await page.goto('/shop-details/3?payment=x')
  await page.goto('/contact')
  await eventually(() => keptPages(page)).toContain('/contact')
  expect(await keptPages(page)).toContain('/shop-details/3')
  const kept = await page.evaluate(async () => (await caches.match('/teachers'))?.text())
  expect(kept).toContain('</html>')
  expect(kept).not.toContain('poison')
  const all = Object.values(await allKept(page)).flat()
  expect(all.filter((address) => /^\/(?:login|api|media)|\?/.test(address))).toEqual([])
})

const ENDS = {
  'another tab logs out': async (page: Page) => {
    const tab = await page.context().newPage()
    await tab.goto('/robots.txt')
    await tab.evaluate((key) => localStorage.removeItem(key), TOKEN_KEY)
    await tab.close()
  },
  'the account is deleted': async (page: Page, userId: number) => {
    await page.evaluate(([key, token]) => localStorage.setItem(key, token), [
      TOKEN_KEY,
      aToken({ userId }),
    ] as const)
    await page.reload()
  },
  'it expires while no page is open, offline': async (page: Page, userId: number) => {
    await page.goto('/robots.txt')
    await page.evaluate(([key, token]) => localStorage.setItem(key, token), [
      TOKEN_KEY,
      aToken({ userId, expiresIn: -1 }),
    ] as const)
    await page.context().setOffline(true)
    await page.goto('/my-documents')
  },
}

describe('copies are deleted with the session', () => {
  test.each(Object.entries(ENDS))('when %s', async (_how, end) => {
    const owner = await shop.aCustomer()
    const allowed = [...CUT_ERRORS, /status of 401/]
    const { page } = await loggedIn(shop.url, owner, { keepsPages: true, allowed })
    await page.goto('/my-documents')
    await untilControlled(page)
    await eventually(async () => Object.keys(await allKept(page))).toContain(`kept-${owner.id}`)
    await page.evaluate(async (id) => {
      const cache = await caches.open(`kept-${id}`)
      await cache.put('/kept/1/1/reading?title=x&of=1&at=1', Response.json({ documentId: 1 }))
    }, owner.id)
    await end(page, owner.id)
    await eventually(() => cacheNames(page)).not.toContain(`kept-${owner.id}`)
  })
})

describe('after a log-out no search from before it is kept', () => {
  // What the page asked for while its session ended is refused.
  const allowed = [...CUT_ERRORS, /status of 401/]
  const searches = async (page: Page) =>
    (await keptPages(page)).filter((address) => address.includes('search='))
  /** How to tell that the worker has seen to everything that pages told it until now. */
  const untilSeenTo = async (page: Page) => {
    await page.goto('/contact')
    await eventually(() => keptPages(page)).toContain('/contact')
  }

  test('that the worker saw, also in a second tab', async () => {
    const owner = await shop.aCustomer()
    const { page, context } = await loggedIn(shop.url, owner, { keepsPages: true, allowed })
    await toSecondPage(page)
    await untilControlled(page)
    await page.goto('/shop?search=fractions')
    const other = await context.newPage()
    await other.goto('/shop?search=limites')
    await eventually(() => searches(page)).toHaveLength(2)
    await logOut(page, 'ar')
    await eventually(() => searches(page)).toEqual([])
    // The other tab goes on from its search to a page that names it as the one before.
    await other.evaluate(() => location.assign('/teachers'))
    await other.waitForURL('**/teachers')
    await untilSeenTo(other)
    expect(await searches(page)).toEqual([])
    await other.close()
  })

  test('that a page reports which the worker does not control', async () => {
    const owner = await shop.aCustomer()
    const { page } = await loggedIn(shop.url, owner, { keepsPages: true, allowed, at: '/about' })
    await page.goto('/shop?search=fractions')
    await logOut(page, 'ar')
    await page.evaluate(() => navigator.serviceWorker.ready)
    await page.goto('/teachers')
    await untilSeenTo(page)
    expect(await searches(page)).toEqual([])
  })

  test('that was still being answered', async () => {
    const way = await alteredShop(shop.url)
    const owner = await shop.aCustomer()
    const { page, context } = await loggedIn(way.url, owner, { keepsPages: true, allowed })
    await toSecondPage(page)
    await untilControlled(page)
    const release = way.hold('/shop?search=fractions')
    const other = await context.newPage()
    const opened = other.goto('/shop?search=fractions')
    await eventually(async () => way.requests.filter((line) => line.includes('fractions'))).toEqual(
      [expect.anything()],
    )
    await logOut(page, 'ar')
    release()
    await opened
    await untilSeenTo(page)
    expect(await searches(page)).toEqual([])
    await other.close()
  })
})

describe('in a headed browser', () => {
  /** A page with a profile of its own, since private windows cannot install anything. */
  async function ownPage(): Promise<Page> {
    const profile = await mkdtemp(join(tmpdir(), 'karras-profile-'))
    const context = await chromium.launchPersistentContext(profile, {
      executablePath: ensureWholeChromium(),
      args: CHROMIUM_FLAGS,
      ignoreDefaultArgs: ['--disable-back-forward-cache'],
      viewport: { width: 1280, height: 800 },
    })
    onTestFinished(async () => {
      await context.close()
      await rm(profile, { recursive: true, force: true, maxRetries: 5 })
    })
    return context.newPage()
  }

  // The browser decides whether to prefetch: on a busy machine it once did not. Without a worker,
  // page-to-page.test.ts checks the same every day.
  test.runIf(RUN === 'long')(
    'a prefetched page is kept once it is open, and a page that was left is restored',
    async () => {
      const way = await alteredShop(shop.url)
      const page = await ownPage()
      await page.goto(`${way.url}/fr/about`)
      await page.locator('a[href="/fr/shop"]:visible').first().click()
      await page.waitForURL('**/fr/shop')
      await untilControlled(page)
      const first = page.locator('main a[href^="/fr/shop-details/"]').first()
      const href = (await first.getAttribute('href')) ?? ''
      await fetch(shop.url + href) // a prefetched page is never rendered
      await page.evaluate(() => {
        document.documentElement.dataset.line = ''
        document.body.dataset.was = 'here'
      })
      const session = await page.context().newCDPSession(page)
      await session.send('Preload.enable')
      const fetched = new Promise<void>((done) =>
        session.on('Preload.prefetchStatusUpdated', ({ status, prefetchUrl }) => {
          if (status === 'Ready' && prefetchUrl.endsWith(href)) done()
        }),
      )
      await first.hover()
      await page.mouse.down()
      await fetched
      expect(await keptPages(page)).not.toContain(href)
      await page.mouse.up()
      await page.waitForURL(`**${href}`)
      await eventually(() => keptPages(page)).toContain(href)
      expect(way.requests.filter((line) => line === `GET ${href}`)).toHaveLength(1)

      // A page that was restored as it was fires no load event; a headless browser keeps none
      // ("masked").
      await page.evaluate(() => history.back())
      const comesBack = () =>
        page.evaluate(() => {
          const [entry] = performance.getEntriesByType('navigation')
          const { reasons = [] } = entry?.toJSON().notRestoredReasons ?? {}
          return document.body.dataset.was ?? reasons[0]?.reason
        })
      await eventually(comesBack).toMatch(/^(?:here|masked)$/)
      expect(await page.evaluate(() => Boolean(navigator.serviceWorker.controller))).toBe(true)
    },
  )

  test.each([
    ['ar', 'rtl'],
    ['fr', 'ltr'],
  ] as const)('the shop can be installed: %s', async (locale, dir) => {
    const page = await ownPage()
    const address = shop.url + pathIn(locale, '/')
    await page.goto(address)
    const session = await page.context().newCDPSession(page)
    const { installabilityErrors } = await session.send('Page.getInstallabilityErrors')
    expect(installabilityErrors).toEqual([])
    const { url, errors, data = '' } = await session.send('Page.getAppManifest')
    expect(errors).toEqual([])
    const answer = await fetch(url)
    expect(answer.headers.get('content-type')).toMatch(/^application\/manifest\+json/)
    const manifest = JSON.parse(data)
    expect(manifest).toMatchObject({ lang: locale, dir, start_url: pathIn(locale, '/') })
    expect(manifest.shortcuts).toContainEqual(
      expect.objectContaining({ url: pathIn(locale, '/my-documents') }),
    )
    const purposes: string[] = []
    for (const { src, sizes, type, purpose } of manifest.icons) {
      purposes.push(purpose)
      const icon = await fetch(new URL(src, url))
      expect([icon.status, icon.headers.get('content-type')]).toEqual([200, type])
      if (type !== 'image/png') continue
      // The bytes of a PNG that contain its size.
      const bytes = Buffer.from(await icon.arrayBuffer())
      expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`).toBe(sizes)
    }
    expect(purposes).toContain('maskable')
  })
})
