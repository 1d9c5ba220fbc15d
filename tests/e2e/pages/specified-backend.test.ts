// @everyday: visitors and customers of a shop in front of a backend with the specification's calls alone.

import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LOCALES } from '../../../src/i18n/locales.ts'
import { inLanguage, pathIn } from '../../../src/i18n/paths.ts'
import { featureOf, PAGES } from '../../../src/rules/pages.ts'
import { fill, loggedIn, newVisitor } from '../../support/browser.ts'
import { add, heart } from '../../support/cart-buttons.ts'
import { chargeButton, openCharging, preset } from '../../support/charging.ts'
import { input, openChat, shownMessages, writeMessage } from '../../support/chat-page.ts'
import { atDocuments, confirm, lines, openCart } from '../../support/checkout.ts'
import { downloadOfFirst, showTable } from '../../support/library.ts'
import { buyNow } from '../../support/purchase-modal.ts'
import { button } from '../../support/scene-steps.ts'
import { type ShopProcess, spawnShop } from '../../support/shop-process.ts'
import {
  ADMINISTRATOR,
  GATEWAY,
  type Shape,
  SPECIFIED_FILE,
  SPECIFIED_PASSWORD,
  type SpecifiedBackend,
  specifiedBackend,
} from '../../support/specified-backend.ts'
import { journeys } from '../../support/stage.ts'
import { addFirst, logIn, logOut } from '../../support/steps.ts'
import { uiText } from '../../support/texts.ts'

const SHAPES: readonly Shape[] = ['objects', 'texts']

/** A backend in each of the shapes that the specification leaves open, and the site before it. */
const backends = {} as Record<Shape, SpecifiedBackend>
const sites = {} as Record<Shape, ShopProcess>

beforeAll(async () => {
  for (const shape of SHAPES) {
    backends[shape] = await specifiedBackend(shape)
    sites[shape] = await spawnShop({ API_ORIGIN: backends[shape].url })
  }
})
afterAll(async () => {
  for (const shape of SHAPES) {
    await sites[shape]?.stop()
    await backends[shape]?.stop()
  }
})

const readPage = async (shape: Shape, path: string) => {
  const response = await fetch(sites[shape].url + path)
  return { status: response.status, text: await response.text() }
}

/** The languages take turns with the pages. */
const turn = (at: number) => LOCALES[at % LOCALES.length] ?? 'ar'

test.each(SHAPES)(
  'with %s, every page answers; what the backend lacks is in none',
  async (shape) => {
    backends[shape].unknownCalls()
    const details = ['/shop-details/1', '/shop-details/2', '/teacher-details/1']
    for (const [at, path] of [...Object.keys(PAGES), ...details].entries()) {
      const locale = turn(at)
      const { status, text } = await readPage(shape, inLanguage(locale, path))
      // Nobody has written who the team is.
      expect(status, path).toBe(featureOf(path) || path === '/team' ? 404 : 200)
      expect(text, path).toContain(`lang="${locale}"`)
      expect(text, path).not.toContain('[object')
      for (const lacking of ['/account"', '/office', '/rss.xml', '/look-inside', '/read/'])
        expect(text, path).not.toContain(`href="${inLanguage(locale, lacking)}`)
    }
    for (const [at, path] of [
      '/shop-details/99',
      '/teacher-details/99',
      '/nowhere',
      '/read/1',
      '/look-inside/1',
    ].entries()) {
      expect((await readPage(shape, inLanguage(turn(at), path))).status, path).toBe(404)
    }
    expect(backends[shape].unknownCalls()).toEqual([])
  },
)

test.each([
  ['ar', '/shop', '/documents/paginated', 503, 'shop:error.title'],
  ['fr', '/teachers', '/teachers', 503, 'content:teachers.error'],
  ['en', '/shop-details/1', '/documents/1', 500, 'error:title'],
  ['ar', '/teacher-details/1', '/teachers/1', 500, 'error:title'],
] as const)('in %s, %s says that %s failed', async (locale, path, call, status, key) => {
  backends.objects.fail(call, 500)
  const answer = await readPage('objects', pathIn(locale, path as '/'))
  backends.objects.fail(call, undefined)
  expect(answer.status).toBe(status)
  expect(answer.text).toContain(uiText(locale, key))
})

test('while the backend is away, pages of content are served; pages of data say so', async () => {
  await backends.objects.stop()
  try {
    const content = ['/about', '/faq', '/terms', '/contact', '/login']
    for (const path of content) expect((await readPage('objects', path)).status, path).toBe(200)
    const data = ['/', '/shop', '/teachers', '/shop-details/1', '/teacher-details/1']
    for (const path of data) expect((await readPage('objects', path)).status, path).toBe(503)
  } finally {
    await backends.objects.listen()
  }
  await expect.poll(async () => (await readPage('objects', '/shop-details/1')).status).toBe(200)
})

for (const shape of SHAPES)
  journeys(`with ${shape}, a customer`, ({ locale, viewport }, test) => {
    // Such a site has no `robots.txt`, and a backend may say so where there is no rating yet.
    const person = { locale, viewport, allowed: [/robots\.txt/, /ratings\/\w+\/\d+\/user/] }
    /** A customer's page, on which nothing asks for what the backend lacks. */
    async function aCustomer(given?: Parameters<SpecifiedBackend['aCustomer']>[0]) {
      const customer = backends[shape].aCustomer(given)
      const { page } = await loggedIn(sites[shape].url, customer, person)
      return { customer, page }
    }
    const asksNothingElse = () => expect(backends[shape].unknownCalls()).toEqual([])

    test('finds a document, registers, logs in, pays, reads, downloads and leaves', async () => {
      const backend = backends[shape]
      backend.unknownCalls()
      const { page } = await newVisitor(sites[shape].url, { ...person, at: '/' })
      await page.locator('main a[href*="/shop-details/"]:visible').first().waitFor()
      await page.goto(pathIn(locale, '/shop'))
      await expect.poll(() => page.locator('main .card').count()).toBe(4)
      await page.goto(`${pathIn(locale, '/shop')}?matiereId=1&price=10-25`)
      await expect.poll(() => page.locator('main .card').count()).toBe(0)
      await page.goto(`${pathIn(locale, '/shop')}?search=fractions`)
      await page.locator('main .card a').first().click()
      await page.waitForURL(/\/shop-details\/1$/)
      const facts = page.locator('.facts-list').first()
      await expect.poll(() => facts.innerText()).toContain('Mathématiques')
      await addFirst(page, locale)

      const email = `new-${locale}-${shape}@example.com`
      await page.goto(pathIn(locale, '/register'))
      const texts = {
        username: 'amal',
        firstName: 'Amal',
        lastName: 'Ben Salah',
        phone: '20100001',
        email,
        password: SPECIFIED_PASSWORD,
        confirmPassword: SPECIFIED_PASSWORD,
      }
      for (const [name, text] of Object.entries(texts))
        await page.locator(`main input[name="${name}"]`).fill(text)
      await page.locator('main input[name="gender"]').first().check()
      await page.locator('main form button[type="submit"]').click()
      await page.waitForURL((url) => url.pathname === pathIn(locale, '/login'))
      await page
        .getByText(uiText(locale, 'account:unconfirmed.registered'), { exact: true })
        .waitFor()
      await logIn(page, locale, email, SPECIFIED_PASSWORD)
      await page.waitForURL((url) => url.pathname === pathIn(locale, '/'))

      // Such a backend knows no codes: a link's is neither asked about nor shown.
      await page.goto(`${pathIn(locale, '/')}?code=RENTREE-25`)
      await openCart(page, locale)
      expect(await lines(page).count()).toBe(1)
      expect(await page.locator('.code-field').count()).toBe(0)
      await expect.poll(() => keptCart(page)).not.toContain('fractions')
      await confirm(page, locale, 'wallet')
      await atDocuments(page, locale)
      await page.getByText(uiText(locale, 'library:page.purchased')).waitFor()

      await showTable(page, locale)
      await button(page, locale, 'library:page.preview').first().click()
      await page.frameLocator('dialog iframe').getByText('Page 1').waitFor()
      await page.keyboard.press('Escape')
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        downloadOfFirst(page, locale).click(),
      ])
      expect(download.suggestedFilename()).toBe('Les fractions en 20 exercices.pdf')
      expect((await readFile(await download.path())).equals(SPECIFIED_FILE)).toBe(true)

      await logOut(page, locale)
      await page.waitForURL((url) => url.pathname === pathIn(locale, '/'))
      expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
      asksNothingElse()
    })

    test('wishes, rates and buys one document directly', async () => {
      const { page } = await aCustomer({ balance: 0 })
      await page.goto(pathIn(locale, '/shop-details/3'))
      await heart(page).click()
      await expect.poll(() => heart(page).getAttribute('aria-pressed')).toBe('true')
      await page.goto(pathIn(locale, '/wishlist'))
      await page.locator('main .card').getByText('Le théorème de Thalès').first().waitFor()
      await page.goto(pathIn(locale, '/shop-details/3'))
      await expect.poll(() => heart(page).getAttribute('aria-pressed')).toBe('true')

      await page.locator('.star-choice label').nth(3).click()
      await page.getByLabel(uiText(locale, 'ratings:form.comment')).fill('شرح واضح')
      await button(page, locale, 'ratings:form.submit').click()
      await page
        .locator('.rating-form')
        .getByText(uiText(locale, 'ratings:form.messages.success'))
        .waitFor()
      await page.reload()
      await page.locator('.comment__text').getByText('شرح واضح').waitFor()
      await page.locator('.rating-form textarea').focus()
      await expect.poll(() => page.locator('.rating-form textarea').inputValue()).toBe('شرح واضح')

      const modal = await buyNow(page, locale, 3)
      await modal.locator('.dialog__foot button, .dialog__body button').first().click()
      await page.waitForURL((url) => url.pathname === pathIn(locale, '/my-documents'))
      await page
        .locator('main')
        .getByRole('link', { name: 'Le théorème de Thalès' })
        .first()
        .waitFor()
      asksNothingElse()
    })

    test('adds to the cart once, orders what is in it, and pays at the gateway', async () => {
      const { customer, page } = await aCustomer()
      const gateway = fakeGateway(page)
      await page.goto(pathIn(locale, '/shop-details/3'))
      await add(page).click()
      await page.getByRole('dialog').waitFor()
      await page.keyboard.press('Escape')
      await expect.poll(() => backends[shape].cartOf(customer)).toEqual([3])
      await expect.poll(() => keptCart(page)).not.toContain('Thalès')
      const adding: string[] = []
      page.on('request', (request) => {
        if (request.url().includes('/carts/add')) adding.push(request.url())
      })
      await openCart(page, locale)
      await confirm(page, locale, 'card')
      await page.waitForURL(/\/my-documents$/)
      await page
        .locator('main')
        .getByRole('link', { name: 'Le théorème de Thalès' })
        .first()
        .waitFor()
      expect(await gateway).toContain('paymentRef=order-')
      expect(adding).toEqual([])
      asksNothingElse()
    })

    test('tops up the wallet', async () => {
      const { page } = await aCustomer({ balance: 3 })
      const gateway = fakeGateway(page)
      await openCharging(page, locale)
      await preset(page, 20_000).check()
      await chargeButton(page).click()
      expect(await gateway).toContain('paymentRef=top-up-')
      await page.waitForURL(/\/my-documents$/)
      await openCharging(page, locale)
      await expect
        .poll(() => page.locator('.balance .price').innerText())
        .toContain(locale === 'ar' ? '23.00' : '23,00')
      asksNothingElse()
    })

    test('writes to the shop, and reads what it answers', async () => {
      const { customer, page } = await aCustomer()
      await openChat(page, locale)
      await button(page, locale, 'chat:page.list.new').click()
      await page.getByRole('dialog').getByRole('button', { name: ADMINISTRATOR.username }).click()
      await input(page).waitFor()
      for (const text of ['السلام عليكم', 'Bonjour']) await writeMessage(page, locale, text)
      await expect.poll(() => shownMessages(page)).toEqual(['السلام عليكم', 'Bonjour'])
      await expect.poll(() => page.locator('.message--waiting').count()).toBe(0)
      backends[shape].write(customer, 'Bonjour !')
      await expect.poll(() => shownMessages(page)).toEqual(['السلام عليكم', 'Bonjour', 'Bonjour !'])
      await page.reload()
      await expect.poll(() => shownMessages(page)).toEqual(['السلام عليكم', 'Bonjour', 'Bonjour !'])
      asksNothingElse()
    })

    test('sets a new password', async () => {
      const { email } = backends[shape].aCustomer()
      const { page } = await newVisitor(sites[shape].url, { ...person, at: '/forget-password' })
      await fill(page, uiText(locale, 'password:forgot.email'), email)
      await button(page, locale, 'password:forgot.submit').click()
      await page.getByText(uiText(locale, 'password:forgot.sent')).waitFor()
      const token = backends[shape].resetTokenOf(email)
      await page.goto(`${pathIn(locale, '/reset-password')}?token=${token}`)
      await fill(page, uiText(locale, 'password:reset.newPassword'), 'another-secret')
      await fill(page, uiText(locale, 'password:reset.confirmPassword'), 'another-secret')
      await button(page, locale, 'password:reset.submit').click()
      await page.waitForURL((url) => url.pathname === pathIn(locale, '/login'))
      await logIn(page, locale, email, 'another-secret')
      await page.waitForURL((url) => url.pathname === pathIn(locale, '/'))
      asksNothingElse()
    })
  })

/** What only this browser has of the cart. */
const keptCart = (page: Page) => page.evaluate(() => localStorage.getItem('static_cart') ?? '')

/** The gateway's page, which sends the browser back; resolves to its address. */
function fakeGateway(page: Page): Promise<string> {
  return new Promise((resolve, reject) => {
    page
      .route(`${GATEWAY}/**`, (route) => {
        const { search } = new URL(route.request().url())
        resolve(route.request().url())
        const location = `${new URL(page.url()).origin}/api/orderss/payment/success${search}`
        return route.fulfill({ status: 302, headers: { location } })
      })
      .catch(reject)
  })
}
