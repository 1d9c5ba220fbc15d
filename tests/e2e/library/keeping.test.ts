import { expect } from 'vitest'
import { pathIn } from '../../../src/i18n/paths.ts'
import { dinars } from '../../../src/rules/money.ts'
import { OWN_PHONE_KEY } from '../../../src/rules/storage-keys.ts'
import { alteredShop } from '../../support/altered-shop.ts'
import { loggedIn, untilHydrated } from '../../support/browser.ts'
import { anOwner, keepIn, openReader, PAGES, progress, refund } from '../../support/keeping.ts'
import { allKept, CUT_ERRORS, eventually, untilControlled } from '../../support/kept.ts'
import { PATIENCE } from '../../support/patience.ts'
import { aPdf } from '../../support/pdf.ts'
import { button } from '../../support/scene-steps.ts'
import { journeys, sharedShop } from '../../support/stage.ts'
import { uiText } from '../../support/texts.ts'

const shop = sharedShop()

journeys('offline copies', (who, test) => {
  const { locale } = who
  const text = (name: 'kept' | 'full' | 'cut' | 'goOn' | 'remove') =>
    uiText(locale, `offline:keep.${name}`)

  test('wait for a busy shop, resume by themselves where a page was left half-way, and say what is missing', async () => {
    const { page, context, ids } = await anOwner(shop, who, 1)
    const [id = 0] = ids
    const keep = await openReader(page, locale, id)
    // The reader and the copy ask for it; a busy shop delays both.
    await page.route(
      /\/api\/preview\/.*\/2-\d+\.webp/,
      (route) => route.fulfill({ status: 503, headers: { 'retry-after': '1' } }),
      { times: 2 },
    )
    const rest = /\/api\/preview\/.*\/(?:[7-9]|1\d)-\d+\.webp/
    await page.route(rest, () => {}) // never answered
    await keepIn(keep, locale)
    await keep.getByText(progress(locale, 6)).waitFor(PATIENCE)
    await page.goto('/robots.txt')
    await page.unroute(rest)

    await context.setOffline(true)
    await page.goto(pathIn(locale, '/my-documents'))
    const row = page.locator('.kept__list .keep')
    await row.getByText(`${text('cut')} ${progress(locale, 6)}`).waitFor()
    await page.locator('.kept__list a').click()
    await page.locator('[data-page="1"] img').waitFor()
    await page.getByLabel(uiText(locale, 'reader:page.goTo')).fill('12')
    await page.keyboard.press('Enter')
    const missing = page.locator('[data-page="12"]').getByRole('alert')
    await missing.getByText(uiText(locale, 'reader:page.notKept')).waitFor(PATIENCE)

    await context.setOffline(false)
    await page.locator('[data-page="12"] img').waitFor(PATIENCE)
    await page.goto(pathIn(locale, '/my-documents'))
    await row.getByText(text('kept')).waitFor(PATIENCE)
    await row.getByRole('button', { name: text('remove') }).click()
    await row.waitFor({ state: 'detached' })
    await eventually(async () => Object.values(await allKept(page)).flat()).not.toContainEqual(
      expect.stringMatching(`/kept/${id}/`),
    )
  })

  test('a refunded document is deleted from the device, and nothing else is', async () => {
    const { page, context, parent, ids } = await anOwner(shop, who, 3, 2)
    const [first = 0, second = 0, third = 0] = ids
    for (const id of ids) {
      const keep = await openReader(page, locale, id)
      await keepIn(keep, locale)
      await keep.getByText(text('kept')).waitFor(PATIENCE)
    }
    const other = await shop.aCustomer()
    await page.evaluate(
      async ([key, name, address, accounts]) => {
        localStorage.setItem(key, accounts)
        await (await caches.open(name)).put(address, new Response('{}'))
      },
      [
        OWN_PHONE_KEY,
        `kept-${other.id}`,
        `/kept/${first}/1/reading`,
        JSON.stringify({ accounts: [other.id], reader: null }),
      ] as const,
    )
    const keptOf = async (id: number, of = parent) =>
      ((await allKept(page))[`kept-${of.id}`] ?? []).filter((address) =>
        address.startsWith(`/kept/${id}/`),
      ).length

    await page.goto(pathIn(locale, '/my-documents'))
    await eventually(async () => (await allKept(page))[`kept-${parent.id}`]).toContain('/kept/list')
    // Offline, the refund is not known yet.
    await context.setOffline(true)
    await refund(shop, first)
    await page.goto(pathIn(locale, '/my-documents'))
    await eventually(() => page.locator('[data-purchased]').count()).toBe(3)
    await eventually(() => page.locator('.kept__list li').count()).toBe(3)
    await context.setOffline(false)
    await page.goto(pathIn(locale, '/my-documents'))
    await eventually(() => page.locator('[data-purchased]').count()).toBe(2)
    await eventually(() => page.locator('.kept__list li').count()).toBe(2)
    await eventually(() => keptOf(first)).toBe(0)

    await refund(shop, second)
    await page.goto(pathIn(locale, `/read/${second}`))
    await page.getByText(uiText(locale, 'reader:problems.not_bought.title')).waitFor()
    await eventually(() => keptOf(second)).toBe(0)
    // Its two pages, and what the reader needs to know of it.
    expect(await keptOf(third)).toBe(3)
    expect(await keptOf(first, other)).toBe(1)
  })

  for (const [by, other] of [
    ['saving the place', '**/api/preview/**'],
    ['renewing the links', '**/api/library/documents/*/place'],
  ] as const) {
    test(`a document refunded while it is read is deleted with ${by}`, async () => {
      const { page, parent, ids } = await anOwner(shop, who, 1)
      const [id = 0] = ids
      const keep = await openReader(page, locale, id)
      await keepIn(keep, locale)
      await keep.getByText(text('kept')).waitFor(PATIENCE)
      await page.keyboard.press('Escape')
      await page.locator('[data-page="1"] img').waitFor()
      await refund(shop, id)
      await page.route(other, (route) => route.abort('internetdisconnected'))
      await page.getByLabel(uiText(locale, 'reader:page.goTo')).focus()
      await page.getByLabel(uiText(locale, 'reader:page.goTo')).fill('9')
      await page.keyboard.press('Enter')
      await page.getByText(uiText(locale, 'reader:problems.not_bought.title')).waitFor(PATIENCE)
      await eventually(() => page.locator('main img').count()).toBe(0)
      const keptPages = async () =>
        ((await allKept(page))[`kept-${parent.id}`] ?? []).filter((address) =>
          address.startsWith(`/kept/${id}/`),
        )
      await eventually(keptPages).toEqual([])
    })
  }

  test('the button disappears when the operator switches the worker off under an open page', async () => {
    const parent = await shop.aCustomer({ balance: dinars(1) })
    const file = aPdf('Kept', PAGES)
    const title = `Kept ${Math.random()}`
    const { id } = await shop.aDocument({ title, price: dinars(1), file, pages: PAGES })
    await shop.buys(parent, [id])
    const way = await alteredShop(shop.url)
    const options = { locale, viewport: who.viewport, keepsPages: true, allowed: CUT_ERRORS }
    const { page } = await loggedIn(way.url, parent, { ...options, at: '/my-documents' })
    await untilControlled(page)
    const keep = await openReader(page, locale, id)
    await button(keep, locale, 'offline:keep.keep').waitFor()
    way.changeWorker(await (await fetch(`${shop.url}/sw-off.js`)).text())
    await page.evaluate(async () => (await navigator.serviceWorker.ready).update())
    await keep.waitFor({ state: 'detached' })
    await button(page, locale, 'reader:view.print').waitFor()

    await page.reload()
    await openReader(page, locale, id)
    await button(page, locale, 'reader:view.print').waitFor()
    await eventually(() => keep.count()).toBe(0)
  })

  test('a full device is reported, and no partial copy counts as kept', async () => {
    const { page, context, ids } = await anOwner(shop, who, 2, 4)
    const [first = 0, second = 0] = ids
    let keep = await openReader(page, locale, first)
    const session = await context.newCDPSession(page)
    const origin = new URL(shop.url).origin
    const leaveSpace = async (bytes?: number) => {
      const { usage } = await session.send('Storage.getUsageAndQuota', { origin })
      const limit = bytes === undefined ? {} : { quotaSize: usage + bytes }
      await session.send('Storage.overrideQuotaForOrigin', { origin, ...limit })
    }
    await leaveSpace(0)
    await keepIn(keep, locale)
    await keep.getByText(text('full')).waitFor(PATIENCE)
    const documents = async () =>
      Object.values(await allKept(page))
        .flat()
        .filter((address) => /^\/kept\/\d/.test(address))
    expect(await documents()).toEqual([])

    await leaveSpace()
    await keep.getByRole('button', { name: text('goOn') }).click()
    await keep.getByText(text('kept')).waitFor(PATIENCE)
    const bytes = (await documents()).reduce(
      (sum, address) => sum + Number(new URLSearchParams(address.split('?')[1]).get('bytes')),
      0,
    )

    keep = await openReader(page, locale, second)
    await leaveSpace(Math.round(bytes / 2))
    await keepIn(keep, locale)
    await keep.getByText(text('full')).waitFor(PATIENCE)
    const there = (await documents()).filter((address) =>
      new RegExp(`^/kept/${second}/\\d+/\\d+\\?`).test(address),
    )
    expect(there.length).toBeLessThan(4)
    await leaveSpace()
    await page.goto(pathIn(locale, '/my-documents'))
    await untilHydrated(page)
    const kept = page.locator('.kept__list .keep')
    await eventually(() => kept.getByText(text('kept')).count()).toBe(1)
    await eventually(() => kept.count()).toBe(there.length > 0 ? 2 : 1)
  })
})
