import type { Page } from 'playwright'
import type { Locale } from '../../src/i18n/locales.ts'
import { DEMO_PASSWORD } from '../../src/server/demo/demo.ts'
import { type Action, inScene } from './actions.ts'
import { PASSWORD } from './people.ts'
import { button } from './scene-steps.ts'
import type { TextKey } from './texts.ts'

/** Fills the fields of these names, in the open dialog if there is one. */
const filling =
  (fields: Readonly<Record<string, string>>) =>
  async (page: Page): Promise<void> => {
    const dialog = page.getByRole('dialog')
    const within = (await dialog.count()) > 0 ? dialog.last() : page.locator('main')
    for (const [name, text] of Object.entries(fields)) {
      await within.locator(`[name="${name}"]:visible`).first().fill(text)
    }
  }
const REASON = { reason: 'Rentrée' }
const giveReason = filling(REASON)

/** Presses the first of these buttons, and then fills the fields. */
const pressing =
  (key: TextKey, fields: Readonly<Record<string, string>> = {}) =>
  async (page: Page, locale: Locale): Promise<void> => {
    await button(page.locator('main'), locale, key).first().click()
    await filling(fields)(page)
  }

const pressed = (key: TextKey) => (page: Page, locale: Locale) =>
  button(page.locator('main'), locale, key).first()

const submitIn = (selector: string) => (page: Page) =>
  page.locator(`${selector} button[type=submit]:visible`).first()

/** An act on somebody's account, each by the same dialog. */
const onPerson = (act: 'endSessions' | 'passwordLink', call: string): Action => ({
  what: `an act on an account: ${act}`,
  who: 'administrator',
  open: async (shop) => `/office/person?id=${(await shop.aCustomer()).id}`,
  prepare: pressing(`office-people:person.acts.${act}.button`),
  call,
  done: `office-people:person.acts.${act}.done`,
})

/** The actions of the office's islands. */
export const OFFICE_ACTIONS: readonly Action[] = [
  {
    what: 'blocking an account',
    isEveryday: true,
    who: 'administrator',
    open: async (shop) => `/office/person?id=${(await shop.aCustomer()).id}`,
    async prepare(page, locale) {
      await button(page, locale, 'office-people:person.acts.block.button').click()
      await page.getByRole('dialog').locator('textarea').fill('Insultes')
    },
    call: 'blockPerson',
    done: 'office-people:person.acts.block.done',
  },
  {
    what: 'sending a test of the mails',
    who: 'administrator',
    open: () => '/office/notices',
    control: (page, locale) => button(page, locale, 'office-notices:page.mail.test'),
    call: 'sendTestMail',
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
    call: 'endOtherSessions',
    done: 'office-access:security.sessionsDone',
  },
  {
    what: 'opening a teacher’s account',
    who: 'visitor',
    open: () => `/office/join?token=${'x'.repeat(43)}`,
    prepare: filling({ newPassword: 'a password of her own' }),
    control: (page, locale) => button(page, locale, 'office-access:join.confirm'),
    call: 'confirmJoining',
    done: 'office-access:join.spent',
  },
  onPerson('endSessions', 'endSessionsOf'),
  onPerson('passwordLink', 'sendPasswordLink'),
  inScene('inviting a colleague', 'invitePerson', 'office-people-invite', {
    prepare: filling({
      email: 'messages-office@karras.test',
      firstName: 'Amal',
      lastName: 'Gharbi',
      ...REASON,
    }),
  }),
  inScene('merging two accounts', 'mergePeople', 'office-merge', {
    async prepare(page) {
      await giveReason(page)
      await page.locator('main .button--danger').click()
    },
  }),
  {
    what: 'asking for somebody’s data',
    who: 'administrator',
    open: async (shop) => `/office/person?id=${(await shop.aCustomer()).id}`,
    // Far below on a phone, it is loaded once one comes near.
    async prepare(page) {
      await page.locator('.person').waitFor()
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    },
    control: pressed('own-account:leaving.pack.submit'),
    call: 'askForExportOf',
  },
  inScene('giving the money of an order back', 'refundShopOrder', 'office-order', {
    isEveryday: true,
    prepare: pressing('office-money:order.refund.all', REASON),
  }),
  inScene('adjusting a wallet', 'adjustWallet', 'office-wallet', {
    async prepare(page) {
      await filling({ amount: '1' })(page)
      await page.locator('.adjust-form button[type=submit]').click()
      await giveReason(page)
    },
  }),
  inScene('confirming an act', 'confirmAct', 'office-acts-confirm'),
  inScene('refusing an act', 'refuseAct', 'office-acts-refuse', { prepare: giveReason }),
  inScene('withdrawing an act', 'withdrawAct', 'office-acts-some', {
    prepare: pressing('office-acts:page.withdraw'),
  }),
  inScene('changing a bound', 'setBound', 'office-acts-bound', {
    prepare: filling({ value: '150', ...REASON }),
  }),
  inScene('confirming a transfer', 'confirmTransfer', 'office-transfers-second', {
    prepare: pressing('office-money:transfers.confirm.open', REASON),
  }),
  inScene('refusing a transfer', 'refuseTransfer', 'office-transfers-second', {
    prepare: pressing('office-money:transfers.refuse.open'),
  }),
  inScene('recording a payout', 'recordTeacherPayout', 'office-teacher-payouts-approval', {
    prepare: pressing('office-money:payouts.record.open', { reference: 'Virement 118' }),
  }),
  inScene('refusing a payout', 'refuseTeacherPayout', 'office-teacher-payouts-approval', {
    prepare: pressing('office-money:payouts.refuse.open', REASON),
  }),
  inScene('having a payout approved', 'askForPayoutApproval', 'office-teacher-payouts-approval', {
    prepare: pressing('office-money:payouts.approval.open', REASON),
  }),
  inScene('closing a day', 'closeDay', 'office-closing', {
    control: (page) => page.locator('.sheet__ways .button--primary'),
  }),
  inScene('downloading the closing of a day', 'downloadClosing', 'office-closing', {
    control: pressed('office-money:closing.download'),
  }),
  inScene('changing the share of teachers', 'setCommission', 'office-commissions-change', {
    prepare: filling({ percent: '71', ...REASON }),
  }),
  inScene(
    'recording what was paid to the tax office',
    'recordTaxPayment',
    'office-withheld-record',
    { prepare: filling({ reference: 'Quittance 118', amount: '10' }) },
  ),
  inScene('switching the stamp', 'setStamp', 'office-stamp-switch'),
  inScene('stamping files again', 'retryFiles', 'office-stamp-full', {
    control: pressed('office-stamp:stamp.retry'),
  }),
  inScene('taking a conversation', 'takeConversation', 'office-conversation', {
    isEveryday: true,
    control: pressed('office-conversations:open.take'),
  }),
  inScene('closing a conversation', 'closeConversation', 'office-conversation', {
    prepare: pressing('office-conversations:open.close'),
  }),
  inScene('adding a ready answer', 'addCannedAnswer', 'office-conversation-canned-new', {
    prepare: filling({ 'name.ar': 'شكر', 'text.ar': 'شكرًا لك' }),
    control: submitIn('dialog'),
  }),
  inScene('retiring a ready answer', 'changeCannedAnswer', 'office-conversation-canned', {
    prepare: (page, locale) =>
      button(page.getByRole('dialog'), locale, 'office-conversations:canned.manage').click(),
    control: (page, locale) =>
      button(page.getByRole('dialog'), locale, 'office-conversations:canned.retire').first(),
  }),
  inScene('closing a case of reports', 'closeCase', 'office-report-close', {
    prepare: giveReason,
    control: submitIn('main'),
  }),
  inScene('taking a reported document down', 'takeDownReported', 'office-report-open', {
    prepare: pressing('office-reports:page.takeDown', REASON),
    control: submitIn('main'),
  }),
  inScene('returning a document', 'returnReview', 'office-review-return', {
    prepare: giveReason,
    control: submitIn('.review__return'),
  }),
  inScene('accepting a document', 'acceptReview', 'office-review-version', {
    isEveryday: true,
    control: (page) => page.locator('.review__acts .button--primary'),
  }),
  inScene('accepting a request to join', 'acceptJoinRequest', 'office-joining', {
    control: (page) => page.locator('.joining__acts .button--primary').first(),
  }),
  inScene('refusing a request to join', 'refuseJoinRequest', 'office-joining', {
    async prepare(page) {
      await page.locator('.joining__acts .button:not(.button--primary)').first().click()
      await giveReason(page)
    },
    control: submitIn('.joining__one'),
  }),
  inScene('saving a page of the shop', 'saveSitePage', 'office-site-page', {
    isEveryday: true,
    prepare: (page) => page.locator('main [name$=".title"]:visible').first().fill('Questions'),
    control: (page) => page.locator('.save-foot button[type=submit]'),
  }),
  inScene('saving a text of the interface', 'saveInterfaceText', 'office-interface-texts', {
    prepare: (page) => page.locator('main textarea:visible').first().press('End+x'),
    control: submitIn('main .site-fold[open]'),
  }),
  inScene('saving an order of a list', 'orderList', 'office-catalogue', {
    control: (page) => page.locator('.save-order .button--primary'),
  }),
  inScene('changing the price of a bundle', 'setBundlePrice', 'office-bundles-price', {
    prepare: filling({ price: '6,50' }),
    done: 'office-bundles:list.change.done',
  }),
  inScene('making a code', 'createOwnCode', 'office-codes-new', {
    prepare: (page, locale) => filling({ code: `MESSAGES-${locale}` })(page),
    control: submitIn('.code-form'),
    done: 'office-codes:form.done',
  }),
  inScene('agreeing to a bundle', 'answerBundle', 'office-bundles-asked', {
    control: pressed('office-bundles:asked.agree'),
  }),
  inScene('offering a bundle', 'offerBundle', 'office-shared-bundles-new', {
    prepare: filling({ price: '0,50' }),
    control: submitIn('.bundle-form > form'),
  }),
  inScene('adding to a list', 'addEntry', 'office-catalogue-covers', {
    async prepare(page) {
      await page.locator('.lists .button--primary').first().click()
      await filling({ 'names.ar': 'غلاف', 'names.fr': 'Couverture', 'names.en': 'Cover' })(page)
    },
    control: submitIn('.lists__new'),
  }),
  inScene('retiring an entry of a list', 'retireEntry', 'office-catalogue-covers', {
    prepare: (page) => page.locator('.lists__entry [aria-expanded]').first().click(),
    control: (page) => page.locator('.lists__standing button').first(),
  }),
  inScene('saving the order of chapters', 'saveChapters', 'office-chapters-listed', {
    control: (page) => page.locator('.save-order .button--primary'),
  }),
  inScene('merging two chapters', 'mergeChapters', 'office-chapters-listed', {
    prepare: (page) => page.locator('.lists__acts button').nth(1).click(),
  }),
  inScene('moving a chapter', 'moveChapter', 'office-chapters-listed', {
    prepare: (page) => page.locator('.lists__acts button').nth(2).click(),
  }),
  inScene('saving the calendar', 'saveCalendar', 'office-calendar-add', {
    prepare: filling({ from: '2026-12-01', to: '2026-12-05', source: 'x' }),
    control: submitIn('.lists__new'),
  }),
  inScene('saving what the first page shows', 'saveFeatured', 'office-featured', {
    prepare: (page) => page.locator('.lists__entries .button--plain').first().click(),
    control: (page) => page.locator('.save-order .button--primary'),
  }),
  inScene('switching a notice', 'setNotice', 'office-notices', {
    control: (page) => page.locator('main table button').first(),
  }),
  inScene(
    'seeing a change of many documents first',
    'previewBulkChange',
    'office-all-documents-change',
    {
      async prepare(page) {
        await page.locator('.change__form [name="kind"]').selectOption('percent')
        await page.locator('.change__form [name="percent"]').fill('-25')
      },
      control: submitIn('.change__form'),
    },
  ),
  inScene('changing many documents', 'applyBulkChange', 'office-all-documents-preview', {
    prepare: giveReason,
    control: (page) => page.locator('.change > .cluster .button--primary'),
  }),
  inScene('adding the facts that titles state', 'applyOwnFacts', 'office-paper-facts-rows', {
    control: (page) => page.locator('main .button--primary'),
  }),
  inScene('hiding a rating', 'hideRating', 'office-all-ratings-hide', { prepare: giveReason }),
  inScene('taking a document off the shop', 'unpublishOwnDocument', 'office-document-unpublish'),
  inScene('choosing the pages of a sample', 'setSamplePages', 'office-sample', {
    control: submitIn('.sample'),
  }),
  inScene('answering reports', 'answerReports', 'office-document-reported', {
    prepare: pressing('office-reports:own.answer', { reason: 'Je l’ai écrite en 2019.' }),
    control: submitIn('.alert'),
  }),
  inScene('answering a rating', 'answerRating', 'office-ratings', {
    async prepare(page, locale) {
      const write = button(page.locator('main'), locale, 'office-ratings:ratings.write')
      const change = button(page.locator('main'), locale, 'office-ratings:ratings.change')
      await write.or(change).first().click()
      await page.locator('.received__form textarea').fill('Merci !')
    },
    control: submitIn('.received__form'),
  }),
  inScene('saving one’s profile', 'saveOwnProfile', 'office-profile', {
    prepare: filling({ latinName: 'Salma Ben Amor Zouari' }),
    control: (page) => page.locator('.save-foot button[type=submit]'),
  }),
  inScene('choosing one’s link', 'setOwnLink', 'office-profile', {
    prepare: filling({ link: 'salma-ben-amor' }),
    control: submitIn('.profile__link'),
  }),
  inScene('leaving out the code on pages', 'setPageCode', 'office-profile', {
    control: pressed('office-profile:pageCode.switchOff'),
  }),
  inScene('saving one’s bank account', 'setBankAccount', 'office-payouts', {
    async prepare(page) {
      const form = page.locator('.account-form')
      await form.locator('[name=holder]').fill('Salma Ben Amor')
      await form.locator('[name=password]').fill(DEMO_PASSWORD)
    },
    control: submitIn('.account-form'),
  }),
  inScene('setting a second factor up', 'startSecondFactor', 'office-security', {
    prepare: pressing('office-access:security.start', { password: DEMO_PASSWORD }),
    control: submitIn('.security__form'),
  }),
  inScene('confirming a second factor', 'confirmSecondFactor', 'office-security-set-up', {
    prepare: filling({ code: '123456' }),
    control: submitIn('.security__form'),
  }),
  inScene('changing one’s password in the office', 'changeOfficePassword', 'office-security', {
    prepare: filling({
      password: DEMO_PASSWORD,
      newPassword: PASSWORD,
      confirmPassword: PASSWORD,
    }),
    control: pressed('office-access:security.passwordSubmit'),
  }),
  inScene('logging in at the office', 'officeLogIn', 'office-login', {
    prepare: filling({ username: 'teacher@karras.test', password: DEMO_PASSWORD }),
    control: submitIn('main'),
  }),
  inScene('asking to join', 'askToJoin', 'office-join', {
    prepare: filling({
      firstName: 'Amira',
      lastName: 'Trabelsi',
      email: 'messages-join@karras.test',
      phone: '98000001',
      subjects: 'Maths',
    }),
    control: submitIn('main'),
  }),
  inScene('accepting an invitation', 'acceptInvitation', 'office-invitation-teacher', {
    prepare: filling({ newPassword: PASSWORD, confirmPassword: PASSWORD }),
    control: submitIn('main'),
  }),
  {
    what: 'saving facts of the shop',
    who: 'administrator',
    open: () => '/office/facts#contact',
    prepare: (page) => page.locator('details[open] [name="email"]').fill('bonjour@karras.test'),
    control: submitIn('details.site-fold[open]'),
    call: 'saveContact',
  },
]
