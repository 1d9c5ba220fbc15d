import type { Locator, Page } from 'playwright'
import type { Locale } from '../../src/i18n/locales.ts'
import { dinars } from '../../src/rules/money.ts'
import { orderElsewhere } from './checkout.ts'
import { downloadOfFirst, showChoices, showTable } from './library.ts'
import { PASSWORD, type Person } from './people.ts'
import { button, dialogOf } from './scene-steps.ts'
import type { OpenShop } from './shop.ts'
import { type TextKey, uiText } from './texts.ts'

/** An action of a page: what it calls, and what it says. */
export interface Action {
  readonly what: string
  /** Also tried by the everyday tests. */
  readonly isEveryday?: true
  /** The call's name in the contract. */
  readonly call: string
  /** The person who is logged in, where no scene says it; a customer by default. */
  readonly who?: 'visitor' | 'customer' | 'administrator'
  /** Makes what the page needs; returns its address. */
  open?(shop: OpenShop, person: Person): Promise<string> | string
  /** The scene of the demo shop that shows the page or the dialog, in place of `open`. */
  readonly scene?: string
  /** Leads to the control. */
  prepare?(page: Page, locale: Locale): Promise<void>
  /** The last button of a dialog by default. */
  control?(page: Page, locale: Locale): Locator
  /** What says that an answer is awaited, in place of a busy control. */
  readonly late?: TextKey
  /** How the call fails; as a server that has a fault does by default. */
  readonly status?: number
  /** What is said of a failure; the server's fault by default. */
  readonly failed?: TextKey
  /** What is said of success; left out where another page opens, or the thing itself shows it. */
  readonly done?: TextKey
  /** The question that asks again before the control is there again. */
  again?(page: Page, locale: Locale): Promise<void>
}

/** An action on the page, or in the dialog, that a scene of the demo shop shows. */
export const inScene = (
  what: string,
  call: string,
  scene: string,
  rest: Omit<Action, 'what' | 'call' | 'scene'> = {},
): Action => ({ what, call, scene, ...rest })

const submit = (page: Page) => page.locator('main form button[type=submit]')

const aDocument = (shop: OpenShop) => shop.aDocument({ title: 'Messages', price: dinars(12) })
const bought = async (shop: OpenShop, person: Person, count = 1) => {
  const ids: number[] = []
  for (let at = 0; at < count; at++) ids.push((await shop.aDocument({ price: dinars(1) })).id)
  await shop.buys(person, ids)
  return ids
}

const openDetails = async (page: Page, about: string) => {
  const details = page.locator('details', { hasText: about })
  await details.locator('summary').click()
}

async function shelves(page: Page, locale: Locale): Promise<void> {
  await showChoices(page, locale)
  await button(page, locale, 'library:shelves.first')
    .or(button(page, locale, 'library:shelves.edit'))
    .first()
    .click()
  await dialogOf(page, locale, 'library:shelves.title')
}

const aShelf = async (shop: OpenShop, person: Person) => {
  await bought(shop, person)
  await shop.send(person, 'POST', '/library/shelves', { name: 'Bac' })
  return '/my-documents'
}

const aMark = async (shop: OpenShop, person: Person) => {
  const [documentId] = await bought(shop, person)
  const given = { documentId, child: '', quarters: 50, exerciseQuarters: null, minutes: 60 }
  const mark = { ...given, satAt: '2026-01-31T09:30:00Z' }
  await shop.send(person, 'PUT', `/library/marks/${'a'.repeat(32)}`, mark)
  return '/marks'
}

const alsoElsewhere = async (shop: OpenShop, person: Person) => {
  const body = JSON.stringify({ username: person.email, password: PASSWORD })
  const headers = { 'content-type': 'application/json' }
  await fetch(`${shop.url}/api/auth/login`, { method: 'POST', headers, body })
  return '/account'
}

const aRating = async (shop: OpenShop, person: Person) => {
  const { id } = await aDocument(shop)
  await shop.send(person, 'POST', '/ratings', {
    user: { id: person.id },
    document: { id },
    rating: 4,
    comment: 'شرح واضح',
    createdAt: new Date().toISOString(),
  })
  return `/shop-details/${id}`
}

const inCart = async (shop: OpenShop, person: Person) => {
  const { id } = await aDocument(shop)
  await shop.send(person, 'POST', `/carts/add?userId=${person.id}&documentId=${id}`)
  return '/checkout'
}

/** The actions of the shop's islands. */
export const SHOP_ACTIONS: readonly Action[] = [
  {
    what: 'topping the wallet up',
    isEveryday: true,
    open: () => '/charging',
    prepare: (page) => page.locator('.balance .price').waitFor(),
    control: (page) => page.locator('.charge-panel button[type=submit]'),
    call: 'initiateRecharge',
    failed: 'charging:page.failed',
  },
  {
    what: 'asking for the balance again',
    open: () => '/charging',
    // The first touch of a page asks for it too.
    async prepare(page) {
      await page.locator('.balance .price').waitFor()
      await page.keyboard.press('Shift')
      await page.waitForLoadState('networkidle')
    },
    control: (page, locale) => button(page, locale, 'charging:page.balance.refresh'),
    call: 'getBalance',
    failed: 'charging:page.balance.failed',
  },
  {
    what: 'applying a discount code',
    open: inCart,
    async prepare(page) {
      await page.locator('.code-field > summary').click()
      await page.locator('.code-field input').fill('RENTREE-25')
    },
    control: (page) => page.locator('.code-field button[type=submit]'),
    call: 'quoteCode',
  },
  {
    what: 'paying the cart from the wallet',
    isEveryday: true,
    open: inCart,
    async prepare(page, locale) {
      await page.locator('input[value=wallet]').check({ force: true })
      await page.locator('#payment > button.button--wide, #payment .button--primary').last().click()
      await dialogOf(page, locale, 'checkout:confirm.title')
    },
    control: (page, locale) => button(page, locale, 'checkout:confirm.yes'),
    call: 'createAndPay',
    failed: 'checkout:result.unexpected',
  },
  {
    what: 'cancelling an order',
    isEveryday: true,
    async open(shop, person) {
      const { id } = await orderElsewhere(shop, person, [(await aDocument(shop)).id])
      return `/order?id=${id}`
    },
    prepare: (page, locale) => button(page, locale, 'order:waiting.cancel').click(),
    control: (page, locale) => button(page, locale, 'order:waiting.yes'),
    call: 'cancelOrder',
    failed: 'order:waiting.failed',
    done: 'order:page.status.cancelled',
  },
  {
    what: 'rating a document',
    isEveryday: true,
    open: async (shop) => `/shop-details/${(await aDocument(shop)).id}`,
    prepare: (page) => page.locator('.star-choice label').nth(3).click(),
    control: (page) => page.locator('.rating-form button[type=submit]'),
    call: 'addRating',
    failed: 'ratings:form.messages.failed',
    done: 'ratings:form.messages.success',
  },
  {
    what: 'deleting a rating',
    open: aRating,
    async prepare(page, locale) {
      await page.locator('.rating-form textarea').focus()
      await button(page, locale, 'own-rating:remove').click()
    },
    control: (page, locale) => button(page.getByRole('dialog'), locale, 'own-rating:dialog.yes'),
    call: 'removeRating',
    failed: 'own-rating:removeFailed',
    again: (page, locale) => button(page, locale, 'own-rating:remove').click(),
    done: 'own-rating:removed',
  },
  {
    what: 'reporting a document',
    isEveryday: true,
    who: 'visitor',
    open: async (shop) => `/shop-details/${(await aDocument(shop)).id}`,
    async prepare(page, locale) {
      await button(page, locale, 'reports:link.open').click()
      const dialog = page.getByRole('dialog')
      await dialog.locator('select').selectOption('wrong')
      await dialog.locator('textarea').fill('La page 3 est vide.')
    },
    control: (page, locale) => button(page.getByRole('dialog'), locale, 'report-dialog:send'),
    call: 'reportDocument',
    failed: 'report-dialog:failed',
    done: 'report-dialog:sent',
  },
  {
    what: 'waiting for a correction',
    async open(shop) {
      const { kysely } = shop.database
      const exams = kysely.selectFrom('categories').select('id').where('code', '=', 'exams')
      const { id: categoryId } = await exams.executeTakeFirstOrThrow()
      return `/shop-details/${(await shop.aDocument({ categoryId })).id}`
    },
    control: (page, locale) => button(page, locale, 'document:wait.ask'),
    call: 'waitForCorrection',
    done: 'document:wait.waiting',
  },
  {
    what: 'following no longer',
    async open(shop, person) {
      const { teacherId } = await aDocument(shop)
      await shop.send(person, 'PUT', `/follows/t${teacherId}`)
      return '/news'
    },
    control: (page, locale) => button(page, locale, 'following:page.stop'),
    call: 'unfollow',
    failed: 'following:page.notStopped',
  },
  {
    what: 'adding a shelf',
    open: async (shop, person) => {
      await bought(shop, person)
      return '/my-documents'
    },
    async prepare(page, locale) {
      await shelves(page, locale)
      await page.getByRole('dialog').locator('input[name=shelf]').fill('Bac')
    },
    control: (page, locale) => button(page.getByRole('dialog'), locale, 'library:shelves.add'),
    call: 'addShelf',
    failed: 'library:shelves.problems.failed',
  },
  {
    what: 'downloading several in one file',
    open: async (shop, person) => {
      await bought(shop, person, 2)
      return '/my-documents'
    },
    prepare: (page, locale) => button(page, locale, 'downloads:several.open').click(),
    control: (page, locale) => button(page.getByRole('dialog'), locale, 'downloads:several.zip'),
    call: 'zipLink',
  },
  {
    what: 'asking for another e-mail',
    isEveryday: true,
    open: () => '/account',
    async prepare(page, locale) {
      await openDetails(page, uiText(locale, 'own-account:contacts.email.open'))
      const form = page.locator('details[open] form')
      await form.locator('[name=value]').fill(`messages-${locale}-${Date.now()}@karras.test`)
      await form.locator('[name=password]').fill(PASSWORD)
    },
    control: (page) => page.locator('details[open] button[type=submit]'),
    call: 'changeEmail',
    done: 'own-account:contacts.email.sent',
  },
  {
    what: 'ending all other sessions',
    open: alsoElsewhere,
    control: (page, locale) => button(page, locale, 'own-account:page.devices.endOthers'),
    call: 'endOtherLogIns',
    done: 'own-account:page.devices.endedOthers',
  },
  {
    what: 'choosing the language of mails',
    open: () => '/account',
    control: (page) => page.locator('input[name=language]').last(),
    call: 'setLanguage',
    done: 'own-account:page.language.saved',
  },
  {
    what: 'wanting no mails about news',
    open: () => '/account',
    control: (page) => page.locator('input[name=news]'),
    call: 'setNewsMails',
    done: 'own-account:page.news.saved',
  },
  {
    what: 'asking for one’s data',
    open: () => '/account',
    control: (page, locale) => button(page, locale, 'own-account:leaving.pack.submit'),
    call: 'askForExport',
    done: 'own-account:leaving.pack.making',
  },
  {
    what: 'asking for one’s deletion',
    open: () => '/account',
    async prepare(page, locale) {
      await openDetails(page, uiText(locale, 'own-account:leaving.remove.open'))
      const details = page.locator('details[open]')
      await details.locator('input[value=give-up]').check({ force: true })
      await details.locator('[name=password]').fill(PASSWORD)
    },
    control: (page, locale) => button(page, locale, 'own-account:leaving.remove.submit'),
    call: 'askForDeletion',
    done: 'own-account:leaving.remove.due',
  },
  {
    what: 'asking for a link to a new password',
    isEveryday: true,
    who: 'visitor',
    open: () => '/forget-password',
    prepare: (page) => page.locator('[name=email]').fill('nobody@karras.test'),
    control: submit,
    call: 'forgotPassword',
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
    call: 'logIn',
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
    call: 'register',
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
    call: 'resetPassword',
    done: 'errors:codes.invalid_reset_token',
  },
  {
    what: 'paying the cart at the gateway',
    open: inCart,
    async prepare(page, locale) {
      await page.locator('input[value=card]').check({ force: true })
      await page.locator('#payment .button--primary').last().click()
      await dialogOf(page, locale, 'checkout:confirm.title')
    },
    control: (page, locale) => button(page, locale, 'checkout:confirm.yes'),
    call: 'createOrder',
    failed: 'checkout:result.steps.order',
  },
  inScene('buying a document at once from the wallet', 'payFromWallet', 'purchase-small', {
    isEveryday: true,
    control: (page, locale) => button(page, locale, 'purchase:modal.payWallet'),
    late: 'common:loading',
    failed: 'purchase:modal.problem.unexpected',
  }),
  {
    what: 'renaming a shelf',
    open: aShelf,
    async prepare(page, locale) {
      await shelves(page, locale)
      await button(page.getByRole('dialog'), locale, 'library:shelves.rename').click()
      await page.getByRole('dialog').locator('input[name=shelf]').first().fill('Bac 2027')
    },
    control: (page, locale) => button(page.getByRole('dialog'), locale, 'library:shelves.save'),
    call: 'renameShelf',
    failed: 'library:shelves.problems.failed',
  },
  {
    what: 'removing a shelf',
    open: aShelf,
    async prepare(page, locale) {
      await shelves(page, locale)
      await page
        .getByRole('dialog')
        .getByRole('button', { name: `${uiText(locale, 'library:shelves.remove')} Bac` })
        .click()
    },
    control: (page) => page.getByRole('dialog').locator('.button--danger'),
    call: 'removeShelf',
    failed: 'library:shelves.problems.failed',
  },
  {
    what: 'deleting a mark',
    open: aMark,
    prepare: (page, locale) => button(page.locator('.marks'), locale, 'marks:page.remove').click(),
    control: (page) => page.locator('.marks .button--danger'),
    call: 'removeMark',
    failed: 'marks:page.removeFailed',
    done: 'marks:page.removed',
  },
  {
    what: 'deleting all marks',
    open: aMark,
    prepare: (page, locale) => button(page, locale, 'marks:page.removeAll').click(),
    control: (page) => page.locator('main .button--danger'),
    call: 'removeMarks',
    failed: 'marks:page.removeFailed',
    done: 'marks:page.removed',
  },
  {
    what: 'filling a shelf',
    open: aShelf,
    async prepare(page, locale) {
      await shelves(page, locale)
      await button(page.getByRole('dialog'), locale, 'library:shelves.fill').click()
      await page.locator('.fill-shelf input').first().check()
    },
    control: (page, locale) => button(page.getByRole('dialog'), locale, 'library:shelves.save'),
    call: 'arrangeShelf',
    failed: 'library:shelves.problems.failed',
  },
  inScene('downloading one document', 'fileLink', 'my-documents', {
    isEveryday: true,
    prepare: showTable,
    control: downloadOfFirst,
    failed: 'library:reading.problems.download_server_error',
  }),
  {
    what: 'removing a wish',
    async open(shop, person) {
      const { id } = await aDocument(shop)
      await shop.send(person, 'POST', `/wishlist/add?userId=${person.id}&documentId=${id}`)
      return '/wishlist'
    },
    control: (page) => page.locator('.wishes .card__actions button'),
    call: 'removeFromWishlist',
    late: 'wishlist:page.empty.title',
    failed: 'cart:overlays.wishFailed',
  },
  {
    what: 'sending a message of the chat',
    isEveryday: true,
    async open(shop, person) {
      const { id } = await shop.anAdministrator()
      await shop.send(person, 'POST', `/messages/room?user1Id=${person.id}&user2Id=${id}`)
      return '/chat'
    },
    prepare: (page) => page.locator('.composer__text:enabled').fill('السلام عليكم'),
    control: (page, locale) => button(page, locale, 'chat:page.room.send'),
    call: 'sendMessage',
    late: 'chat:page.state.pending',
    status: 403,
    failed: 'chat:page.state.refused',
  },
  inScene('removing a photo of a receipt', 'removeReceiptPhoto', 'transfer-photos', {
    control: (page) => page.locator('.receipt-photos button').first(),
    done: 'payment:photos.removed',
  }),
  inScene('asking to whom one can write', 'listAdministrators', 'chat-empty', {
    control: (page, locale) => button(page, locale, 'chat:page.list.new'),
    late: 'chat:page.picker.loading',
    failed: 'chat:page.picker.notRead',
  }),
  inScene('starting a conversation', 'openRoom', 'chat-picker', {
    control: (page) => page.locator('.chat__admin').first(),
    failed: 'chat:page.picker.notStarted',
  }),
  {
    what: 'ending one other session',
    open: alsoElsewhere,
    control: (page, locale) => button(page.locator('li'), locale, 'own-account:page.devices.end'),
    call: 'endLogIn',
    done: 'own-account:page.devices.ended',
  },
  {
    what: 'stopping the change of an e-mail',
    async open(shop, person) {
      const email = `stop-${person.id}@karras.test`
      await shop.send(person, 'POST', '/account/email', { email, password: PASSWORD })
      return '/account'
    },
    control: (page, locale) => button(page, locale, 'own-account:contacts.stop'),
    call: 'stopContactChange',
    done: 'own-account:contacts.stopped',
  },
  {
    what: 'keeping an account that is to be deleted',
    async open(shop, person) {
      const body = { password: PASSWORD, account: null, givesUpMoney: true }
      await shop.send(person, 'POST', '/account/deletion', body)
      return '/account'
    },
    control: (page, locale) => button(page, locale, 'own-account:leaving.remove.keep'),
    call: 'keepAccount',
    done: 'own-account:leaving.remove.kept',
  },
  {
    what: 'confirming an e-mail',
    who: 'visitor',
    open: () => `/confirm-email?token=${'x'.repeat(43)}`,
    control: (page, locale) => button(page, locale, 'confirm-email:island.submit'),
    call: 'confirmEmail',
    done: 'errors:codes.invalid_confirmation_token',
  },
  {
    what: 'ending mails about news by a link',
    who: 'visitor',
    open: () => `/unsubscribe?token=1.${'x'.repeat(43)}`,
    control: (page, locale) => button(page, locale, 'following:unsubscribe.submit'),
    call: 'endNewsMails',
    done: 'errors:codes.invalid_confirmation_token',
  },
  {
    what: 'confirming a phone',
    who: 'visitor',
    open: () => '/confirm-phone',
    async prepare(page) {
      await page.locator('[name=phone]').fill('98000000')
      await page.locator('[name=code]').fill('123456')
    },
    control: (page, locale) => button(page, locale, 'password:code.confirm'),
    call: 'confirmPhone',
  },
  {
    what: 'setting a new password by phone',
    who: 'visitor',
    open: () => '/new-password',
    async prepare(page) {
      await page.locator('[name=phone]').fill('98000000')
      await page.locator('[name=code]').fill('123456')
      await page.locator('[name=newPassword]').fill(PASSWORD)
    },
    control: (page, locale) => button(page, locale, 'password:code.setPassword'),
    call: 'resetPasswordByPhone',
  },
  {
    what: 'asking for the link of a confirmation again',
    open: () => '/confirm-email',
    control: (page, locale) => button(page, locale, 'own-rating:link.send'),
    call: 'sendConfirmationLink',
    failed: 'own-rating:link.failed',
  },
  {
    what: 'finding words in a bought document',
    scene: 'reader-find',
    control: (page, locale) => button(page.getByRole('dialog'), locale, 'reader:find.submit'),
    call: 'findInDocument',
    failed: 'reader:find.failed',
  },
]
