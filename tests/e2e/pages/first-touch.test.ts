import type { Page } from 'playwright'
import { expect } from 'vitest'
import { inLanguage, pathIn } from '../../../src/i18n/paths.ts'
import { dinars } from '../../../src/rules/money.ts'
import { loggedIn, newVisitor, type Visitor, withoutCache } from '../../support/browser.ts'
import { add, count, heart, prompt, toast } from '../../support/cart-buttons.ts'
import { hasFocus } from '../../support/keyboard.ts'
import { PASSWORD } from '../../support/people.ts'
import { modalOf, named } from '../../support/purchase-modal.ts'
import { button } from '../../support/scene-steps.ts'
import { journeys, sharedShop } from '../../support/stage.ts'
import { openOwnMenu } from '../../support/steps.ts'
import { type TextKey, uiText } from '../../support/texts.ts'

const shop = sharedShop()

/** Ends what a journey held back. */
type Release = () => Promise<void>

/** Holds back, or fails, what the page requests of these kinds. */
async function interceptFiles(page: Page, kinds: string[], how: 'hold' | 'fail'): Promise<Release> {
  await withoutCache(page)
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/*', async (route) => {
    if (!kinds.includes(route.request().resourceType())) return route.fallback()
    if (how === 'fail') return route.abort()
    await released
    await route.continue().catch(() => undefined)
  })
  return async () => {
    release()
    if (how === 'fail') await page.unroute('**/*')
  }
}

/** The ways in which a visitor comes to a document's page; some end after the tap. */
const WAYS: Readonly<
  Record<string, (visitor: Visitor, path: string) => Promise<Release | undefined>>
> = {
  async 'on a page that has loaded'({ page }, path) {
    await page.goto(path, { waitUntil: 'networkidle' })
    return undefined
  },
  async 'before any script file is there'({ page }, path) {
    const release = await interceptFiles(page, ['script'], 'hold')
    await page.goto(path, { waitUntil: 'commit' })
    return release
  },
  async 'on a slow line and an old phone'({ page, context }, path) {
    const session = await context.newCDPSession(page)
    await session.send('Network.enable')
    const throughput = (400 * 1024) / 8
    const line = { downloadThroughput: throughput, uploadThroughput: throughput }
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 400,
      ...line,
    })
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
    await page.goto(path, { waitUntil: 'commit' })
    return undefined
  },
  async 'where no style comes after the page'({ page }, path) {
    await page.goto(path)
    await interceptFiles(page, ['stylesheet'], 'fail')
    return undefined
  },
  async 'without a network, until it is back'({ page, context }, path) {
    await page.goto(path, { waitUntil: 'networkidle' })
    await context.setOffline(true)
    return () => context.setOffline(false)
  },
  async 'where nothing can be stored'({ page }, path) {
    await page.addInitScript(() =>
      Object.defineProperty(window, 'localStorage', {
        get() {
          throw new Error('SecurityError')
        },
      }),
    )
    await page.goto(path)
    return undefined
  },
  async 'on a page that was gone back to'({ page }, path) {
    await page.goto(path)
    await page.goto('/about')
    await page.goBack()
    return undefined
  },
}

/** Those in which what a customer adds may be lost between the page and the shop. */
const WAYS_TO_THE_SHOP = [
  'before any script file is there',
  'on a slow line and an old phone',
  'without a network, until it is back',
]
const ALLOWED = [/ERR_FAILED|ERR_INTERNET_DISCONNECTED/, /Failed to (load|fetch)/]

journeys('the first touch', ({ locale, viewport }, test) => {
  const options = { locale, viewport, allowed: ALLOWED }
  const dialog = (page: Page, title: TextKey) =>
    page.getByRole('dialog', { name: uiText(locale, title) })
  const aDocument = () =>
    shop.aDocument({ title: `Premier ${locale}`, price: dinars(7), priceDiscount: dinars(5.5) })
  const detailsOf = ({ id }: { id: number }) => pathIn(locale, `/shop-details/${id}`)
  const answerOf = async (person: { token: string }, path: string) =>
    JSON.stringify((await shop.send(person as never, 'GET', path)).body)

  for (const [way, come] of Object.entries(WAYS)) {
    test(`of a visitor ${way} asks once, and then adds the document`, async () => {
      const visitor = await newVisitor(shop.url, options)
      const { page } = visitor
      const release = await come(visitor, detailsOf(await aDocument()))
      await add(page).dblclick()
      await release?.()
      await prompt(page, locale).waitFor()
      await page.keyboard.press('Escape')
      await prompt(page, locale).waitFor({ state: 'hidden' })
      await expect.poll(() => hasFocus(add(page))).toBe(true)
      expect(await count(page).count()).toBe(0)
      await add(page).click()
      await button(prompt(page, locale), locale, 'cart:overlays.anonymous.continue').click()
      await toast(page)
        .getByText(locale === 'fr' ? '5,50' : '5.50')
        .waitFor()
      await expect.poll(() => count(page).textContent()).toBe('1')
      await dialog(page, 'cart:overlays.walletIntro.title').getByRole('button').last().click()
      await expect.poll(() => page.locator('dialog[open]').count()).toBe(0)
      await expect.poll(() => add(page).textContent()).toContain(uiText(locale, 'cart:add.inCart'))
      await add(page).click()
      await page.waitForURL(/\/checkout$/)
      if (way !== 'where nothing can be stored') {
        await expect.poll(() => page.locator('.line-items > li').count()).toBe(1)
      }
    })

    if (!WAYS_TO_THE_SHOP.includes(way)) continue
    test(`of a customer ${way} reaches the shop and the other tabs`, async () => {
      const customer = await shop.aCustomer()
      const document = await aDocument()
      const visitor = await loggedIn(shop.url, customer, options)
      const { page } = visitor
      const other = await visitor.context.newPage()
      await other.goto(pathIn(locale, '/about'))
      const release = await come(visitor, detailsOf(document))
      await add(page).dblclick()
      await release?.()
      await toast(page).waitFor()
      await expect.poll(() => count(page).textContent()).toBe('1')
      await expect.poll(() => count(other).textContent()).toBe('1')
      await expect
        .poll(() => answerOf(customer, `/carts/user/${customer.id}`))
        .toContain(`"id":${document.id},`)
    })
  }

  test('on a heart is stored with the next one when the page is left at once', async () => {
    const customer = await shop.aCustomer()
    const [document, next] = [await aDocument(), await aDocument()]
    const { page } = await loggedIn(shop.url, customer, options)
    await page.goto(detailsOf(document))
    await heart(page).click()
    await expect.poll(() => heart(page).getAttribute('aria-pressed')).toBe('true')
    await page.goto(detailsOf(next))
    await heart(page).click()
    for (const { id } of [document, next]) {
      await expect
        .poll(() => answerOf(customer, `/wishlist/${customer.id}`))
        .toContain(`"id":${id},`)
    }
  })

  test('on a heart by a double click wishes', async () => {
    const customer = await shop.aCustomer()
    const document = await aDocument()
    const { page } = await loggedIn(shop.url, customer, options)
    await page.goto(detailsOf(document))
    await heart(page).dblclick()
    await expect
      .poll(() => answerOf(customer, `/wishlist/${customer.id}`))
      .toContain(`"id":${document.id},`)
    expect(await heart(page).getAttribute('aria-pressed')).toBe('true')
  })

  for (const how of ['hold', 'fail'] as const) {
    const what = how === 'hold' ? 'opens once its scripts are there' : 'works again after a failure'
    test(`on “buy now” ${what}, one dialog for two taps`, async () => {
      const { page } = await loggedIn(shop.url, await shop.aCustomer(), options)
      await page.goto(detailsOf(await aDocument()))
      const buy = named(page.locator('main .buy'), locale, 'buy')
      const release = await interceptFiles(page, ['script', 'fetch'], how)
      await buy.click()
      await buy.click()
      expect(await page.locator('dialog[open]').count()).toBe(0)
      await release()
      const modal = modalOf(page, locale)
      await expect
        .poll(async () => {
          if (how === 'fail' && !(await modal.isVisible())) await buy.click({ timeout: 1000 })
          return modal.isVisible()
        })
        .toBe(true)
      await modal.getByText(uiText(locale, 'purchase:modal.balance'), { exact: true }).waitFor()
      expect(await page.locator('dialog[open]').count()).toBe(1)
    })

    test(`on the log-out leaves nothing of the customer (scripts ${how})`, async () => {
      const customer = await shop.aCustomer()
      const { page } = await loggedIn(shop.url, customer, options)
      const draft = `chat_draft:${customer.id}:room_1_2`
      await page.evaluate((key) => localStorage.setItem(key, '"private"'), draft)
      await page.goto(pathIn(locale, '/about'), { waitUntil: 'networkidle' })
      const release = await interceptFiles(page, ['script', 'fetch'], how)
      await openOwnMenu(page, locale)
      await button(page, locale, 'account:session.logout').click()
      await page.waitForURL((url) => url.pathname === pathIn(locale, '/'), { waitUntil: 'commit' })
      const kept = await page.evaluate(() => Object.keys(localStorage))
      expect(kept.filter((key) => !['font', 'clock'].includes(key))).toEqual([])
      await release()
    })

    test(`in the search keeps what is typed (scripts ${how}), and Enter searches`, async () => {
      const { page } = await newVisitor(shop.url, options)
      const release = await interceptFiles(page, ['script'], how)
      await page.goto(pathIn(locale, '/shop'), { waitUntil: 'commit' })
      const search = page.locator('header input[type=search]:visible')
      await search.fill('Premier')
      if (how === 'hold') await release()
      expect(await search.inputValue()).toBe('Premier')
      await search.press('Enter')
      await page.waitForURL(/=Premier/, { waitUntil: 'commit' })
    })
  }

  test('in the search keeps what a keyboard is composing', async () => {
    const { page, context } = await newVisitor(shop.url, options)
    const release = await interceptFiles(page, ['script'], 'hold')
    await page.goto(pathIn(locale, '/shop'), { waitUntil: 'commit' })
    const search = page.locator('header input[type=search]:visible')
    await search.focus()
    const keyboard = await context.newCDPSession(page)
    const compose = (text: string) =>
      keyboard.send('Input.imeSetComposition', { text, selectionStart: 1, selectionEnd: 1 })
    await compose('ري')
    await release()
    await page.waitForLoadState('networkidle')
    await compose('رياض')
    await keyboard.send('Input.insertText', { text: 'رياض' })
    await expect.poll(() => page.locator('header astro-island[ssr]:has(input)').count()).toBe(0)
    expect(await search.inputValue()).toBe('رياض')
  })

  test('in the middle of a search goes on there', async () => {
    const { page } = await newVisitor(shop.url, options)
    const release = await interceptFiles(page, ['script'], 'hold')
    await page.goto(pathIn(locale, '/shop'), { waitUntil: 'commit' })
    const search = page.locator('header input[type=search]:visible')
    await search.fill('Premer')
    await search.evaluate((field: HTMLInputElement) => field.setSelectionRange(4, 4))
    await release()
    await expect.poll(() => page.locator('header astro-island[ssr]:has(input)').count()).toBe(0)
    await page.keyboard.type('i')
    expect(await search.inputValue()).toBe('Premier')
  })

  test('in a rating keeps the stars, the comment and where it is being written', async () => {
    const { teacherId } = await shop.aDocument({ title: `Toucher ${locale}` })
    const { page } = await loggedIn(shop.url, await shop.aCustomer(), options)
    const release = await interceptFiles(page, ['script'], 'hold')
    const path = pathIn(locale, `/teacher-details/${teacherId}`)
    await page.goto(path, { waitUntil: 'commit' })
    const form = page.locator('.rating-form')
    const stars = form.getByRole('radio')
    await stars.first().focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Bie')
    await release()
    await expect.poll(() => page.locator('astro-island[ssr]:has(.rating-form)').count()).toBe(0)
    await page.keyboard.type('n')
    expect(await form.locator('textarea').inputValue()).toBe('Bien')
    expect(await stars.nth(1).isChecked()).toBe(true)
    await button(page, locale, 'ratings:form.submit').click()
    await form.getByText(uiText(locale, 'ratings:form.messages.success')).waitFor()
    const found = await shop.database.kysely
      .selectFrom('ratings')
      .select(['stars', 'comment'])
      .where('teacherId', '=', teacherId)
      .executeTakeFirstOrThrow()
    expect(found).toEqual({ stars: 2, comment: 'Bien' })
  })

  for (const way of ['Enter', 'a press of the button']) {
    test(`${way} before the scripts are there logs in once`, async () => {
      const parent = await shop.aCustomer()
      const { page } = await newVisitor(shop.url, options)
      const release = await interceptFiles(page, ['script'], 'hold')
      const sent: string[] = []
      page.on('request', (request) => {
        if (request.method() === 'POST') sent.push(new URL(request.url()).pathname)
      })
      await page.goto(pathIn(locale, '/login'), { waitUntil: 'commit' })
      await page.getByLabel(uiText(locale, 'account:login.username')).fill(parent.email)
      const password = page.getByLabel(uiText(locale, 'account:login.password'), { exact: true })
      await password.fill(PASSWORD)
      if (way === 'Enter') await password.press('Enter')
      else await button(page, locale, 'account:login.submit').click()
      expect(sent).toEqual([])
      await release()
      await page.waitForURL((url) => url.pathname === pathIn(locale, '/'))
      expect(sent.filter((path) => path === '/api/auth/login')).toHaveLength(1)
      expect(sent).not.toContain(pathIn(locale, '/login'))
    })
  }

  test('a press of the button before the scripts are there logs in to the office', async () => {
    const { email } = await shop.anOfficeTeacher()
    const { page } = await newVisitor(shop.url, options)
    const release = await interceptFiles(page, ['script'], 'hold')
    await page.goto(pathIn(locale, '/office/login'), { waitUntil: 'commit' })
    await page.getByLabel(uiText(locale, 'office-access:fields.username')).fill(email)
    const label = uiText(locale, 'office-access:fields.password')
    await page.getByLabel(label, { exact: true }).fill(PASSWORD)
    await button(page, locale, 'office-access:login.submit').click()
    await release()
    await page.waitForURL((url) => url.pathname === pathIn(locale, '/office'))
  })

  test('a press of the button before the scripts are there asks to sell here, and keeps what was typed', async () => {
    const { page } = await newVisitor(shop.url, options)
    const release = await interceptFiles(page, ['script'], 'hold')
    const posted: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST') posted.push(new URL(request.url()).pathname)
    })
    await page.goto(pathIn(locale, '/office/join'), { waitUntil: 'commit' })
    const name = page.getByLabel(uiText(locale, 'office-access:fields.firstName'))
    await name.fill('Amira')
    await button(page, locale, 'office-access:join.submit').click()
    await release()
    await page.getByText(uiText(locale, 'office-access:fields.errors.required')).first().waitFor()
    expect(await name.inputValue()).toBe('Amira')
    expect(posted).not.toContain(pathIn(locale, '/office/join'))
  })

  test('Enter in the registration shows the errors, and keeps the input', async () => {
    const { page } = await newVisitor(shop.url, options)
    const release = await interceptFiles(page, ['script'], 'hold')
    await page.goto(pathIn(locale, '/register'), { waitUntil: 'commit' })
    const name = page.getByLabel(uiText(locale, 'account:register.username'), { exact: true })
    await name.fill('amal')
    await name.press('Enter')
    await release()
    await page.getByText(uiText(locale, 'account:register.errors.required')).nth(5).waitFor()
    expect(await name.inputValue()).toBe('amal')
  })

  test('without script searches; forms that need one say so and offer no button', async () => {
    const { page } = await newVisitor(shop.url, { ...options, javaScriptEnabled: false, at: '/' })
    // On phones the home page has it below its header.
    await page.locator('input[type=search]:visible').fill('Premier')
    await page.keyboard.press('Enter')
    await page.waitForURL(/=Premier/)
    for (const path of ['/login', '/register']) {
      await page.goto(inLanguage(locale, path))
      const notice = page.locator('main noscript')
      expect(await notice.textContent()).toContain(uiText(locale, 'account:noScript'))
      expect(await notice.isVisible()).toBe(true)
      expect(await page.locator('main button[type=submit]').isVisible()).toBe(false)
    }
  })
})
