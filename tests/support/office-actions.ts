import type { Page } from 'playwright'
import type { Locale } from '../../src/i18n/locales.ts'
import { DEMO_PASSWORD } from '../../src/server/demo/demo.ts'
import type { Action } from './actions.ts'
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
    what: 'confirming a request to join',
    who: 'visitor',
    open: () => `/office/join?token=${'x'.repeat(43)}`,
    control: (page, locale) => button(page, locale, 'office-access:join.confirm'),
    call: 'confirmJoining',
    done: 'office-access:join.spent',
  },
  onPerson('endSessions', 'endSessionsOf'),
  onPerson('passwordLink', 'sendPasswordLink'),
  {
    what: 'inviting a colleague',
    scene: 'office-people-invite',
    prepare: filling({
      email: 'messages-office@karras.test',
      firstName: 'Amal',
      lastName: 'Gharbi',
      ...REASON,
    }),
    call: 'invitePerson',
  },
  {
    what: 'merging two accounts',
    scene: 'office-merge',
    async prepare(page) {
      await giveReason(page)
      await page.locator('main .button--danger').click()
    },
    call: 'mergePeople',
  },
  {
    what: 'asking for somebody’s data',
    who: 'administrator',
    open: async (shop) => `/office/person?id=${(await shop.aCustomer()).id}`,
    control: pressed('own-account:leaving.pack.submit'),
    call: 'askForExportOf',
  },
  {
    what: 'giving the money of an order back',
    isEveryday: true,
    scene: 'office-order',
    prepare: pressing('office-money:order.refund.all', REASON),
    call: 'refundShopOrder',
  },
  {
    what: 'adjusting a wallet',
    scene: 'office-wallet',
    async prepare(page) {
      await filling({ amount: '1' })(page)
      await page.locator('.adjust-form button[type=submit]').click()
      await giveReason(page)
    },
    call: 'adjustWallet',
  },
  { what: 'confirming an act', scene: 'office-acts-confirm', call: 'confirmAct' },
  {
    what: 'refusing an act',
    scene: 'office-acts-refuse',
    prepare: giveReason,
    call: 'refuseAct',
  },
  {
    what: 'withdrawing an act',
    scene: 'office-acts-some',
    prepare: pressing('office-acts:page.withdraw'),
    call: 'withdrawAct',
  },
  {
    what: 'changing a bound',
    scene: 'office-acts-bound',
    prepare: filling({ value: '150', ...REASON }),
    call: 'setBound',
  },
  {
    what: 'confirming a transfer',
    scene: 'office-transfers-second',
    prepare: pressing('office-money:transfers.confirm.open', REASON),
    call: 'confirmTransfer',
  },
  {
    what: 'refusing a transfer',
    scene: 'office-transfers-second',
    prepare: pressing('office-money:transfers.refuse.open'),
    call: 'refuseTransfer',
  },
  {
    what: 'recording a payout',
    scene: 'office-teacher-payouts-approval',
    prepare: pressing('office-money:payouts.record.open', { reference: 'Virement 118' }),
    call: 'recordTeacherPayout',
  },
  {
    what: 'refusing a payout',
    scene: 'office-teacher-payouts-approval',
    prepare: pressing('office-money:payouts.refuse.open', REASON),
    call: 'refuseTeacherPayout',
  },
  {
    what: 'having a payout approved',
    scene: 'office-teacher-payouts-approval',
    prepare: pressing('office-money:payouts.approval.open', REASON),
    call: 'askForPayoutApproval',
  },
  {
    what: 'closing a day',
    scene: 'office-closing',
    control: (page) => page.locator('.sheet__ways .button--primary'),
    call: 'closeDay',
  },
  {
    what: 'downloading the closing of a day',
    scene: 'office-closing',
    control: pressed('office-money:closing.download'),
    call: 'downloadClosing',
  },
  {
    what: 'changing the share of teachers',
    scene: 'office-commissions-change',
    prepare: filling({ percent: '71', ...REASON }),
    call: 'setCommission',
  },
  {
    what: 'recording what was paid to the tax office',
    scene: 'office-withheld-record',
    prepare: filling({ reference: 'Quittance 118', amount: '10' }),
    call: 'recordTaxPayment',
  },
  { what: 'switching the stamp', scene: 'office-stamp-switch', call: 'setStamp' },
  {
    what: 'stamping files again',
    scene: 'office-stamp-full',
    control: pressed('office-stamp:stamp.retry'),
    call: 'retryFiles',
  },
  {
    what: 'taking a conversation',
    isEveryday: true,
    scene: 'office-conversation',
    control: pressed('office-conversations:open.take'),
    call: 'takeConversation',
  },
  {
    what: 'closing a conversation',
    scene: 'office-conversation',
    prepare: pressing('office-conversations:open.close'),
    call: 'closeConversation',
  },
  {
    what: 'adding a ready answer',
    scene: 'office-conversation-canned-new',
    prepare: filling({ 'name.ar': 'شكر', 'text.ar': 'شكرًا لك' }),
    control: submitIn('dialog'),
    call: 'addCannedAnswer',
  },
  {
    what: 'retiring a ready answer',
    scene: 'office-conversation-canned',
    prepare: (page, locale) =>
      button(page.getByRole('dialog'), locale, 'office-conversations:canned.manage').click(),
    control: (page, locale) =>
      button(page.getByRole('dialog'), locale, 'office-conversations:canned.retire').first(),
    call: 'changeCannedAnswer',
  },
  {
    what: 'closing a case of reports',
    scene: 'office-report-close',
    prepare: giveReason,
    control: submitIn('main'),
    call: 'closeCase',
  },
  {
    what: 'taking a reported document down',
    scene: 'office-report-open',
    prepare: pressing('office-reports:page.takeDown', REASON),
    control: submitIn('main'),
    call: 'takeDownReported',
  },
  {
    what: 'returning a document',
    scene: 'office-review-return',
    prepare: giveReason,
    control: submitIn('.review__return'),
    call: 'returnReview',
  },
  {
    what: 'accepting a document',
    isEveryday: true,
    scene: 'office-review-version',
    control: (page) => page.locator('.review__acts .button--primary'),
    call: 'acceptReview',
  },
  {
    what: 'accepting a request to join',
    scene: 'office-joining',
    control: (page) => page.locator('.joining__acts .button--primary').first(),
    call: 'acceptJoinRequest',
  },
  {
    what: 'refusing a request to join',
    scene: 'office-joining',
    async prepare(page) {
      await page.locator('.joining__acts .button:not(.button--primary)').first().click()
      await giveReason(page)
    },
    control: submitIn('.joining__one'),
    call: 'refuseJoinRequest',
  },
  {
    what: 'saving a page of the shop',
    isEveryday: true,
    scene: 'office-site-page',
    prepare: (page) => page.locator('main [name$=".title"]:visible').first().fill('Questions'),
    control: (page) => page.locator('.save-foot button[type=submit]'),
    call: 'saveSitePage',
  },
  {
    what: 'saving a text of the interface',
    scene: 'office-interface-texts',
    prepare: (page) => page.locator('main textarea:visible').first().press('End+x'),
    control: submitIn('main .site-fold[open]'),
    call: 'saveInterfaceText',
  },
  {
    what: 'saving an order of a list',
    scene: 'office-catalogue',
    control: (page) => page.locator('.save-order .button--primary'),
    call: 'orderList',
  },
  {
    what: 'adding to a list',
    scene: 'office-catalogue-covers',
    async prepare(page) {
      await page.locator('.lists .button--primary').first().click()
      await filling({ 'names.ar': 'غلاف', 'names.fr': 'Couverture', 'names.en': 'Cover' })(page)
    },
    control: submitIn('.lists__new'),
    call: 'addEntry',
  },
  {
    what: 'retiring an entry of a list',
    scene: 'office-catalogue-covers',
    prepare: (page) => page.locator('.lists__entry [aria-expanded]').first().click(),
    control: (page) => page.locator('.lists__standing button').first(),
    call: 'retireEntry',
  },
  {
    what: 'saving what the first page shows',
    scene: 'office-featured',
    prepare: (page) => page.locator('.lists__entries .button--plain').first().click(),
    control: (page) => page.locator('.save-order .button--primary'),
    call: 'saveFeatured',
  },
  {
    what: 'switching a notice',
    scene: 'office-notices',
    control: (page) => page.locator('main table button').first(),
    call: 'setNotice',
  },
  {
    what: 'seeing a change of many documents first',
    scene: 'office-all-documents-change',
    async prepare(page) {
      await page.locator('.change__form [name="kind"]').selectOption('percent')
      await page.locator('.change__form [name="percent"]').fill('-25')
    },
    control: submitIn('.change__form'),
    call: 'previewBulkChange',
  },
  {
    what: 'changing many documents',
    scene: 'office-all-documents-preview',
    prepare: giveReason,
    control: (page) => page.locator('.change > .cluster .button--primary'),
    call: 'applyBulkChange',
  },
  {
    what: 'hiding a rating',
    scene: 'office-all-ratings-hide',
    prepare: giveReason,
    call: 'hideRating',
  },
  {
    what: 'taking a document off the shop',
    scene: 'office-document-unpublish',
    call: 'unpublishOwnDocument',
  },
  {
    what: 'choosing the pages of a sample',
    scene: 'office-sample',
    control: submitIn('.sample'),
    call: 'setSamplePages',
  },
  {
    what: 'answering reports',
    scene: 'office-document-reported',
    prepare: pressing('office-reports:own.answer', { reason: 'Je l’ai écrite en 2019.' }),
    control: submitIn('.alert'),
    call: 'answerReports',
  },
  {
    what: 'answering a rating',
    scene: 'office-ratings',
    async prepare(page, locale) {
      const write = button(page.locator('main'), locale, 'office-ratings:ratings.write')
      const change = button(page.locator('main'), locale, 'office-ratings:ratings.change')
      await write.or(change).first().click()
      await page.locator('.received__form textarea').fill('Merci !')
    },
    control: submitIn('.received__form'),
    call: 'answerRating',
  },
  {
    what: 'saving one’s profile',
    scene: 'office-profile',
    prepare: filling({ latinName: 'Salma Ben Amor Zouari' }),
    control: (page) => page.locator('.save-foot button[type=submit]'),
    call: 'saveOwnProfile',
  },
  {
    what: 'saving one’s bank account',
    scene: 'office-payouts',
    async prepare(page) {
      const form = page.locator('.account-form')
      await form.locator('[name=holder]').fill('Salma Ben Amor')
      await form.locator('[name=password]').fill(DEMO_PASSWORD)
    },
    control: submitIn('.account-form'),
    call: 'setBankAccount',
  },
  {
    what: 'setting a second factor up',
    scene: 'office-security',
    prepare: pressing('office-access:security.start', { password: DEMO_PASSWORD }),
    control: submitIn('.security__form'),
    call: 'startSecondFactor',
  },
  {
    what: 'confirming a second factor',
    scene: 'office-security-set-up',
    prepare: filling({ code: '123456' }),
    control: submitIn('.security__form'),
    call: 'confirmSecondFactor',
  },
  {
    what: 'changing one’s password in the office',
    scene: 'office-security',
    prepare: filling({
      password: DEMO_PASSWORD,
      newPassword: PASSWORD,
      confirmPassword: PASSWORD,
    }),
    control: pressed('office-access:security.passwordSubmit'),
    call: 'changeOfficePassword',
  },
  {
    what: 'logging in at the office',
    scene: 'office-login',
    prepare: filling({ username: 'teacher@karras.test', password: DEMO_PASSWORD }),
    control: submitIn('main'),
    call: 'officeLogIn',
  },
  {
    what: 'asking to join',
    scene: 'office-join',
    prepare: filling({
      firstName: 'Amira',
      lastName: 'Trabelsi',
      email: 'messages-join@karras.test',
      phone: '98000001',
      subjects: 'Maths',
    }),
    control: submitIn('main'),
    call: 'askToJoin',
  },
  {
    what: 'accepting an invitation',
    scene: 'office-invitation-teacher',
    prepare: filling({ newPassword: PASSWORD, confirmPassword: PASSWORD }),
    control: submitIn('main'),
    call: 'acceptInvitation',
  },
  {
    what: 'saving facts of the shop',
    who: 'administrator',
    open: () => '/office/facts#contact',
    prepare: (page) => page.locator('details[open] [name="email"]').fill('bonjour@karras.test'),
    control: submitIn('details.site-fold[open]'),
    call: 'saveContact',
  },
]
