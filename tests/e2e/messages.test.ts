// @everyday: what a failed, a late and a successful answer say, where one looks.
import type { ElementHandle, Locator, Page, Route } from 'playwright'
import { describe, expect, test } from 'vitest'
import type { Locale } from '../../src/i18n/locales.ts'
import { inLanguage } from '../../src/i18n/paths.ts'
import { dinars } from '../../src/rules/money.ts'
import { RUN } from '../support/amount.ts'
import { atOffice, loggedIn, newVisitor, untilHydrated } from '../support/browser.ts'
import { orderElsewhere } from '../support/checkout.ts'
import { showChoices } from '../support/library.ts'
import { PASSWORD, type Person } from '../support/people.ts'
import { expectSaid, isBusy, notePlace } from '../support/said.ts'
import { button, dialogOf } from '../support/scene-steps.ts'
import { PERSONAS, sharedShop } from '../support/stage.ts'
import { type TextKey, uiText } from '../support/texts.ts'

const shop = sharedShop()

/** An action of a page: what it calls, and what it says. */
interface Action {
  readonly what: string
  /** Also tried by the everyday tests. */
  readonly isEveryday?: true
  readonly who: 'visitor' | 'customer' | 'administrator'
  /** Makes what the page needs; returns its address. */
  open(person: Person): Promise<string> | string
  /** Leads to the control. */
  prepare?(page: Page, locale: Locale): Promise<void>
  control(page: Page, locale: Locale): Locator
  /** The method and the end of the path of the call. */
  readonly call: readonly [method: string, path: RegExp]
  /** What is said of a failure of the server. */
  readonly failed: TextKey
  /** What is said of success; left out where another page opens, or the thing itself shows it. */
  readonly done?: TextKey
  /** The question that asks again before the control is there again. */
  again?(page: Page, locale: Locale): Promise<void>
}

const SERVER_ERROR = 'errors:codes.server_error'
const submit = (page: Page) => page.locator('main form button[type=submit]')

const aDocument = () => shop.aDocument({ title: 'Messages', price: dinars(12) })
const bought = async (person: Person, count = 1) => {
  const ids: number[] = []
  for (let at = 0; at < count; at++) ids.push((await shop.aDocument({ price: dinars(1) })).id)
  await shop.buys(person, ids)
  return ids
}

const openDetails = async (page: Page, about: string) => {
  const details = page.locator('details', { hasText: about })
  await details.locator('summary').click()
}
const confirmIn = (page: Page) => page.getByRole('dialog').locator('.button--danger').last()

const ACTIONS: readonly Action[] = [
  {
    what: 'topping the wallet up',
    isEveryday: true,
    who: 'customer',
    open: () => '/charging',
    prepare: (page) => page.locator('.balance .price').waitFor(),
    control: (page) => page.locator('.charge-panel button[type=submit]'),
    call: ['POST', /\/wallet\/recharge\/initiate$/],
    failed: 'charging:page.failed',
  },
  {
    what: 'asking for the balance again',
    who: 'customer',
    open: () => '/charging',
    // The first touch of a page asks for it too.
    async prepare(page) {
      await page.locator('.balance .price').waitFor()
      await page.keyboard.press('Shift')
      await page.waitForLoadState('networkidle')
    },
    control: (page, locale) => button(page, locale, 'charging:page.balance.refresh'),
    call: ['GET', /\/wallet\/balance\?/],
    failed: 'charging:page.balance.failed',
  },
  {
    what: 'paying the cart from the wallet',
    isEveryday: true,
    who: 'customer',
    async open(person) {
      const { id } = await aDocument()
      await shop.send(person, 'POST', `/carts/add?userId=${person.id}&documentId=${id}`)
      return '/checkout'
    },
    async prepare(page, locale) {
      await page.locator('input[value=wallet]').check({ force: true })
      await page.locator('#payment > button.button--wide, #payment .button--primary').last().click()
      await dialogOf(page, locale, 'checkout:confirm.title')
    },
    control: (page, locale) => button(page, locale, 'checkout:confirm.yes'),
    call: ['POST', /\/wallet\/orders\/create-and-pay$/],
    failed: 'checkout:result.unexpected',
  },
  {
    what: 'cancelling an order',
    isEveryday: true,
    who: 'customer',
    async open(person) {
      const { id } = await orderElsewhere(shop, person, [(await aDocument()).id])
      return `/order?id=${id}`
    },
    prepare: (page, locale) => button(page, locale, 'order:waiting.cancel').click(),
    control: (page, locale) => button(page, locale, 'order:waiting.yes'),
    call: ['POST', /\/cancel$/],
    failed: 'order:waiting.failed',
    done: 'order:page.status.cancelled',
  },
  {
    what: 'rating a document',
    isEveryday: true,
    who: 'customer',
    open: async () => `/shop-details/${(await aDocument()).id}`,
    prepare: (page) => page.locator('.star-choice label').nth(3).click(),
    control: (page) => page.locator('.rating-form button[type=submit]'),
    call: ['POST', /\/ratings$/],
    failed: 'ratings:form.messages.failed',
    done: 'ratings:form.messages.success',
  },
  {
    what: 'deleting a rating',
    who: 'customer',
    async open(person) {
      const { id } = await aDocument()
      await shop.send(person, 'POST', '/ratings', {
        user: { id: person.id },
        document: { id },
        rating: 4,
        comment: 'شرح واضح',
        createdAt: new Date().toISOString(),
      })
      return `/shop-details/${id}`
    },
    async prepare(page, locale) {
      await page.locator('.rating-form textarea').focus()
      await button(page, locale, 'own-rating:remove').click()
    },
    control: (page, locale) => button(page.getByRole('dialog'), locale, 'own-rating:dialog.yes'),
    call: ['DELETE', /\/ratings\/\d+$/],
    failed: 'own-rating:removeFailed',
    again: (page, locale) => button(page, locale, 'own-rating:remove').click(),
    done: 'own-rating:removed',
  },
  {
    what: 'reporting a document',
    isEveryday: true,
    who: 'visitor',
    open: async () => `/shop-details/${(await aDocument()).id}`,
    async prepare(page, locale) {
      await button(page, locale, 'reports:link.open').click()
      const dialog = page.getByRole('dialog')
      await dialog.locator('select').selectOption('wrong')
      await dialog.locator('textarea').fill('La page 3 est vide.')
    },
    control: (page, locale) => button(page.getByRole('dialog'), locale, 'report-dialog:send'),
    call: ['POST', /\/reports$/],
    failed: 'report-dialog:failed',
    done: 'report-dialog:sent',
  },
  {
    what: 'adding a shelf',
    who: 'customer',
    open: async (person) => {
      await bought(person)
      return '/my-documents'
    },
    async prepare(page, locale) {
      await shelves(page, locale)
      await page.getByRole('dialog').locator('input[name=shelf]').fill('Bac')
    },
    control: (page, locale) => button(page.getByRole('dialog'), locale, 'library:shelves.add'),
    call: ['POST', /\/shelves$/],
    failed: 'library:shelves.problems.failed',
  },
  {
    what: 'downloading several in one file',
    who: 'customer',
    open: async (person) => {
      await bought(person, 2)
      return '/my-documents'
    },
    prepare: (page, locale) => button(page, locale, 'downloads:several.open').click(),
    control: (page, locale) => button(page.getByRole('dialog'), locale, 'downloads:several.zip'),
    call: ['POST', /\/library\/archive$/],
    failed: SERVER_ERROR,
  },
  {
    what: 'asking for another e-mail',
    isEveryday: true,
    who: 'customer',
    open: () => '/account',
    async prepare(page, locale) {
      await openDetails(page, uiText(locale, 'own-account:contacts.email.open'))
      const form = page.locator('details[open] form')
      await form.locator('[name=value]').fill(`messages-${locale}-${Date.now()}@karras.test`)
      await form.locator('[name=password]').fill(PASSWORD)
    },
    control: (page) => page.locator('details[open] button[type=submit]'),
    call: ['POST', /\/account\/email$/],
    failed: SERVER_ERROR,
    done: 'own-account:contacts.email.sent',
  },
  {
    what: 'ending all other sessions',
    who: 'customer',
    open: async (person) => {
      const body = JSON.stringify({ username: person.email, password: PASSWORD })
      const headers = { 'content-type': 'application/json' }
      await fetch(`${shop.url}/api/auth/login`, { method: 'POST', headers, body })
      return '/account'
    },
    control: (page, locale) => button(page, locale, 'own-account:page.devices.endOthers'),
    call: ['POST', /\/log-ins\/end-others$/],
    failed: SERVER_ERROR,
    done: 'own-account:page.devices.endedOthers',
  },
  {
    what: 'choosing the language of mails',
    who: 'customer',
    open: () => '/account',
    control: (page) => page.locator('input[name=language]').last(),
    call: ['POST', /\/auth\/language$/],
    failed: SERVER_ERROR,
    done: 'own-account:page.language.saved',
  },
  {
    what: 'asking for one’s data',
    who: 'customer',
    open: () => '/account',
    control: (page, locale) => button(page, locale, 'own-account:leaving.pack.submit'),
    call: ['POST', /\/account\/export$/],
    failed: SERVER_ERROR,
    done: 'own-account:leaving.pack.making',
  },
  {
    what: 'asking for one’s deletion',
    who: 'customer',
    open: () => '/account',
    async prepare(page, locale) {
      await openDetails(page, uiText(locale, 'own-account:leaving.remove.open'))
      const details = page.locator('details[open]')
      await details.locator('input[value=give-up]').check({ force: true })
      await details.locator('[name=password]').fill(PASSWORD)
    },
    control: (page, locale) => button(page, locale, 'own-account:leaving.remove.submit'),
    call: ['POST', /\/account\/deletion$/],
    failed: SERVER_ERROR,
    done: 'own-account:leaving.remove.due',
  },
  {
    what: 'asking for a link to a new password',
    isEveryday: true,
    who: 'visitor',
    open: () => '/forget-password',
    prepare: (page) => page.locator('[name=email]').fill('nobody@karras.test'),
    control: submit,
    call: ['POST', /\/auth\/forgot-password$/],
    failed: 'password:forgot.errors.failed',
    done: 'password:forgot.sent',
  },
  {
    what: 'logging in',
    who: 'visitor',
    open: () => '/login',
    async prepare(page) {
      await page.locator('[name=username]').fill('nobody@karras.test')
      await page.locator('[name=password]').fill('some password')
    },
    control: submit,
    call: ['POST', /\/auth\/login$/],
    failed: SERVER_ERROR,
    done: 'errors:codes.wrong_credentials',
  },
  {
    what: 'registering',
    who: 'visitor',
    open: () => '/register',
    async prepare(page) {
      const fields = { firstName: 'Amal', lastName: 'Ben Salah', phone: '98000000' }
      for (const [name, text] of Object.entries(fields)) {
        await page.locator(`[name=${name}]`).fill(text)
      }
      await page.locator('[name=gender]').first().check({ force: true })
      await page.locator('[name=email]').fill('messages@karras.test')
      await page.locator('[name=password]').fill(PASSWORD)
      await page.locator('[name=confirmPassword]').fill(PASSWORD)
      const terms = page.locator('[name=terms]')
      if ((await terms.count()) > 0) await terms.check()
    },
    control: submit,
    call: ['POST', /\/auth\/register$/],
    failed: SERVER_ERROR,
  },
  {
    what: 'setting a new password',
    who: 'visitor',
    open: () => `/reset-password?token=${'x'.repeat(43)}`,
    async prepare(page) {
      await page.locator('[name=newPassword]').fill(PASSWORD)
      await page.locator('[name=confirmPassword]').fill(PASSWORD)
    },
    control: submit,
    call: ['POST', /\/auth\/reset-password$/],
    failed: SERVER_ERROR,
    done: 'errors:codes.invalid_reset_token',
  },
  {
    what: 'blocking an account',
    isEveryday: true,
    who: 'administrator',
    open: async () => `/office/person?id=${(await shop.aCustomer()).id}`,
    async prepare(page, locale) {
      await button(page, locale, 'office-people:person.acts.block.button').click()
      await page.getByRole('dialog').locator('textarea').fill('Insultes')
    },
    control: confirmIn,
    call: ['POST', /\/block$/],
    failed: SERVER_ERROR,
    done: 'office-people:person.acts.block.done',
  },
  {
    what: 'sending a test of the mails',
    who: 'administrator',
    open: () => '/office/notices',
    control: (page, locale) => button(page, locale, 'office-notices:page.mail.test'),
    call: ['POST', /\/test-mail$/],
    failed: SERVER_ERROR,
  },
  {
    what: 'ending other sessions in the office',
    who: 'administrator',
    open: () => '/office/security',
    // What loads above it moves it.
    async prepare(page) {
      await page.locator('main section').last().scrollIntoViewIfNeeded()
      await page.locator('main .skeleton').first().waitFor({ state: 'detached' })
    },
    control: (page, locale) => button(page, locale, 'office-access:security.sessionsSubmit'),
    call: ['POST', /\/end-others$/],
    failed: SERVER_ERROR,
    done: 'office-access:security.sessionsDone',
  },
  {
    what: 'confirming a request to join',
    who: 'visitor',
    open: () => `/office/join?token=${'x'.repeat(43)}`,
    control: (page, locale) => button(page, locale, 'office-access:join.confirm'),
    call: ['POST', /\/join\/confirm$/],
    failed: SERVER_ERROR,
    done: 'office-access:join.spent',
  },
]

async function shelves(page: Page, locale: Locale): Promise<void> {
  await showChoices(page, locale)
  await button(page, locale, 'library:shelves.first')
    .or(button(page, locale, 'library:shelves.edit'))
    .first()
    .click()
  await dialogOf(page, locale, 'library:shelves.title')
}

const TRIED = ACTIONS.filter(({ isEveryday }) => isEveryday || RUN !== 'everyday')

/** The words of a text up to its first value. */
const wordsOf = (locale: Locale, key: TextKey) => (uiText(locale, key).split('{{')[0] ?? '').trim()

describe.each(PERSONAS)('what is said, $who', (persona) => {
  const { locale } = persona
  test.each(TRIED)('$what: late, failed, and done', async (action) => {
    const { who, call, control: find, failed, done } = action
    const person =
      who === 'administrator'
        ? await shop.anOfficeAdministrator()
        : await shop.aCustomer({ balance: dinars(60) })
    const address = inLanguage(locale, await action.open(person))
    const options = { ...persona, allowed: [/status of [45]/] }
    const { page } =
      who === 'visitor'
        ? await newVisitor(shop.url, options)
        : who === 'customer'
          ? await loggedIn(shop.url, person, options)
          : await atOffice(shop.url, person, options)
    await page.goto(address)
    // The islands of a document's page wake when they are touched.
    if (!address.includes('/shop-details/')) await untilHydrated(page)
    await action.prepare?.(page, locale)

    let calls = 0
    const held = Promise.withResolvers<void>()
    const [method, path] = call
    await page.route(path, async (route: Route) => {
      if (route.request().method() !== method) return route.fallback()
      calls++
      if (calls > 1) return route.fallback()
      await held.promise
      await route.fulfill({
        status: 500,
        json: { status: 500, error: 'server_error', message: '' },
      })
    })
    const control = find(page, locale)
    await notePlace(control)
    // Its text may change while it waits.
    const pressed = (await control.elementHandle()) as ElementHandle<HTMLElement>
    await control.press('Space')
    await expect.poll(() => calls).toBe(1)
    await expect.poll(() => isBusy(pressed)).toBe(true)
    await pressed.evaluate((element) => element.click())
    held.resolve()
    await expectSaid(page, wordsOf(locale, failed))
    expect(calls).toBe(1)
    if (!done) return

    await action.again?.(page, locale)
    await notePlace(control)
    await control.press('Space')
    await expectSaid(page, wordsOf(locale, done))
    expect(calls).toBe(2)
  })
})
