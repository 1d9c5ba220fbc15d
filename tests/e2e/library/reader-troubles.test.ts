import { expect } from 'vitest'
import { pathIn } from '../../../src/i18n/paths.ts'
import { MINUTE_MS } from '../../../src/rules/durations.ts'
import { dinars } from '../../../src/rules/money.ts'
import { loggedIn, newVisitor } from '../../support/browser.ts'
import { showTable } from '../../support/library.ts'
import { PATIENCE } from '../../support/patience.ts'
import { aReader, readerAt, untilCurrent } from '../../support/reader.ts'
import { button } from '../../support/scene-steps.ts'
import { journeys, sharedShop } from '../../support/stage.ts'
import { uiText } from '../../support/texts.ts'

const shop = sharedShop()

journeys('the reader', ({ locale, viewport }, test) => {
  const address = (id: number | string) => readerAt(locale, id)
  const text = (key: 'next' | 'previous' | 'view' | 'goTo' | 'close' | 'slider') =>
    uiText(locale, `reader:page.${key}`)

  test('renews its link while the reader is open, and when an image is refused', async () => {
    const { parent, id } = await aReader(shop, locale)
    const allowed = [/status of 410/]
    const { page } = await loggedIn(shop.url, parent, { locale, viewport, allowed })
    await page.clock.install()
    // Counted after the response: an image that is refused before that shares the renewal under
    // way.
    let openings = 0
    page.on('requestfinished', (request) => {
      if (request.url().endsWith('/reading')) openings++
    })
    await page.goto(address(id))
    await untilCurrent(page, 1)
    await expect.poll(() => openings).toBe(1)
    await page.clock.fastForward(9 * MINUTE_MS)
    await expect.poll(() => openings).toBe(2)

    // An image of the old link is refused, as after a night in a pocket.
    let isRefused = true
    await page.route('**/api/preview/**', (route) =>
      isRefused ? route.fulfill({ status: 410, json: {} }) : route.fallback(),
    )
    page.on('request', (request) => {
      if (request.url().endsWith('/reading')) isRefused = false
    })
    await page.getByLabel(text('goTo')).focus()
    await page.getByLabel(text('goTo')).fill('9')
    await page.keyboard.press('Enter')
    await untilCurrent(page, 9)
    await expect.poll(() => openings).toBe(3)
  })

  test('says what the problem is, and what to do', async () => {
    const { parent, id } = await aReader(shop, locale)
    const other = await shop.aDocument({ price: dinars(1) })
    const allowed = [/status of (403|404|503)/, /ERR_(FAILED|INTERNET)/]
    const problem = (name: 'not_bought' | 'not_found' | 'offline' | 'busy') =>
      uiText(locale, `reader:problems.${name}.title`)
    const action = (name: 'details' | 'library' | 'retry') =>
      uiText(locale, `reader:actions.${name}`)

    const stranger = await newVisitor(shop.url, { locale, viewport })
    await stranger.page.goto(address(id))
    await stranger.page.waitForURL(/\/login\?/)
    const returnTo = new URL(stranger.page.url()).searchParams.get('returnTo')
    expect(returnTo).toBe(address(id))
    await stranger.leave()

    const { page } = await loggedIn(shop.url, parent, { locale, viewport, allowed })
    const heading = (name: string) => page.getByRole('heading', { name })
    await page.goto(address(other.id))
    await heading(problem('not_bought')).waitFor()
    const details = page.getByRole('link', { name: action('details') })
    expect(await details.getAttribute('href')).toBe(pathIn(locale, `/shop-details/${other.id}`))
    for (const garbage of ['garbage', '0', '99999999999', '-1']) {
      await page.goto(address(garbage))
      if (garbage !== '-1') await heading(problem('not_found')).waitFor()
    }

    const opening = '**/api/library/documents/*/reading'
    await page.route(opening, (route) => route.fulfill({ status: 503, json: {} }))
    await page.goto(address(id))
    await heading(problem('busy')).waitFor()
    await page.unroute(opening)
    await page.route(opening, (route) => route.abort('internetdisconnected'))
    await page.getByRole('button', { name: action('retry') }).click()
    await heading(problem('offline')).waitFor()
    await page.unroute(opening)
    await page.evaluate(() => dispatchEvent(new Event('online')))
    await untilCurrent(page, 1)

    // A page that fails to load says so, and loads by its button.
    const third = '**/api/preview/*/9-*.webp'
    await page.route(third, (route) => route.fulfill({ status: 404, json: {} }))
    await page.getByLabel(text('goTo')).focus()
    await page.getByLabel(text('goTo')).fill('9')
    await page.keyboard.press('Enter')
    const missing = page.locator('[data-page="9"]').getByRole('alert')
    await missing.getByText(uiText(locale, 'reader:page.pageFailed')).waitFor()
    await page.unroute(third)
    await missing.getByRole('button').click()
    await untilCurrent(page, 9)
  })

  test('retries a plain page after a temporary refusal or a lost connection', async () => {
    const { parent } = await aReader(shop, locale)
    const allowed = [/status of (404|429|503)/, /ERR_INTERNET_DISCONNECTED/]
    const { page } = await loggedIn(shop.url, parent, { locale, viewport, allowed })
    await page.route('**/api/library/documents/*/reading', (route) =>
      route.fulfill({ status: 404, json: {} }),
    )
    await page.goto(pathIn(locale, '/my-documents'))
    await showTable(page, locale)
    for (const status of [429, 503]) {
      let isBusy = true
      const headers = { 'retry-after': '1' }
      await page.route('**/api/preview/*/1.webp', (route) =>
        isBusy ? route.fulfill({ status, headers, json: {} }) : route.continue(),
      )
      await button(page, locale, 'library:page.preview').first().click()
      const dialog = page.getByRole('dialog')
      const sentence = dialog.getByText(uiText(locale, 'reader:dialog.waiting'))
      await sentence.waitFor()
      isBusy = false
      await sentence.waitFor({ state: 'detached' })
      const first = page.frameLocator('dialog iframe').locator('img').first()
      await expect
        .poll(() => first.evaluate((image: HTMLImageElement) => image.naturalWidth))
        .toBeGreaterThan(0)
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      await page.unroute('**/api/preview/*/1.webp')
    }
    let isCut = true
    await page.route('**/api/preview/*/1.webp', (route) =>
      isCut ? route.abort('internetdisconnected') : route.continue(),
    )
    const cut = page.waitForEvent('requestfailed')
    await button(page, locale, 'library:page.preview').first().click()
    await cut
    isCut = false
    const first = page.frameLocator('dialog iframe').locator('img').first()
    await expect
      .poll(() => first.evaluate((image: HTMLImageElement) => image.naturalWidth), PATIENCE)
      .toBeGreaterThan(0)
  })

  test('retries a refused image when the server says', async () => {
    const { parent, id } = await aReader(shop, locale)
    const allowed = [/status of 429/]
    const { page } = await loggedIn(shop.url, parent, { locale, viewport, allowed })
    const requestedAt: number[] = []
    await page.route('**/2-*.webp', (route) => {
      requestedAt.push(performance.now())
      return requestedAt.length === 1
        ? route.fulfill({ status: 429, headers: { 'retry-after': '2' }, json: {} })
        : route.continue()
    })
    await page.goto(readerAt(locale, id))
    await expect.poll(() => requestedAt.length, PATIENCE).toBeGreaterThan(1)
    const [refused = 0, again = 0] = requestedAt
    expect(again - refused).toBeGreaterThan(1990)
  })
})
