import * as s from 'superstruct'
import { STAFF_REASON_MAX_LENGTH } from '../rules/ledger.ts'
import { CONTACT_KINDS } from '../rules/sms.ts'
import { Email, MailLanguage, Phone, PhoneCode, proof } from './account-fields.ts'
import { BankAccount } from './bank-account.ts'
import { defineCall } from './call.ts'
import { Leaving } from './leaving.ts'
import { byId, day, dinarAmount, id, moment, nothing, text } from './values.ts'

/** A log-in of the account that has not ended. */
const LogIn = s.type({
  id: s.number(),
  /** Such as `Chrome, Android`; '' if it cannot be told. */
  device: s.string(),
  /** Shortened, such as `197.2.14.x`; '' if it is unknown. */
  address: s.string(),
  begunAt: moment(),
  /** To within an hour. */
  seenAt: moment(),
  /** Whether this call was made by it. */
  isThis: s.boolean(),
})
export type LogIn = s.Infer<typeof LogIn>

/** A new e-mail address or phone number that is not the account's yet. */
const ContactChange = s.type({
  kind: s.enums(CONTACT_KINDS),
  value: s.string(),
  /** When it becomes the account's; null: it waits for its confirmation. */
  dueAt: s.nullable(moment()),
  /** Whether the phone number so far got a code as well. */
  asksOldPhone: s.boolean(),
})
export type ContactChange = s.Infer<typeof ContactChange>

export const OwnAccount = s.type({
  ...Leaving,
  username: s.string(),
  firstName: s.string(),
  lastName: s.string(),
  phone: s.nullable(s.string()),
  email: s.nullable(s.string()),
  isEmailConfirmed: s.boolean(),
  contactChange: s.nullable(ContactChange),
  hasSecondFactor: s.boolean(),
  /** The language of mails to this account. */
  language: MailLanguage,
  /** Whether it is told of news. */
  wantsNews: s.boolean(),
  since: moment(),
  /** What the shop keeps of it. */
  kept: s.type({
    documents: s.number(),
    orders: s.number(),
    ratings: s.number(),
    wishes: s.number(),
    shelves: s.number(),
    marks: s.number(),
    conversations: s.number(),
  }),
  /** The wallet's balance; null for staff, who have no wallet. */
  balance: s.nullable(dinarAmount()),
  logIns: s.array(LogIn),
})
export type OwnAccount = s.Infer<typeof OwnAccount>

/** What the caller's account is, and what the shop keeps of it. */
export const getOwnAccount = defineCall('GET /account', 'user', {
  feature: 'account',
  result: OwnAccount,
})

/** Ends a log-in on another device. */
export const endLogIn = defineCall('DELETE /account/log-ins/:id', 'user', {
  feature: 'account',
  params: byId,
  result: nothing(),
  errors: ['not_found'],
})

/** Ends every log-in but this one, which goes on with the token that is returned. */
export const endOtherLogIns = defineCall('POST /account/log-ins/end-others', 'user', {
  feature: 'account',
  result: s.type({ accessToken: s.string() }),
})

/** Has the account's data packed into a ZIP, once a day; a mail says when it is ready. */
export const askForExport = defineCall('POST /account/export', 'user', {
  feature: 'account',
  result: nothing(),
})

export const downloadExport = defineCall('GET /account/export/file', 'user', {
  feature: 'account',
  answers: 'file',
  result: nothing(),
  errors: ['not_found'],
})

/** Mails a link to a new e-mail address of the caller that makes it theirs. */
export const changeEmail = defineCall('POST /account/email', 'user', {
  feature: 'account',
  body: s.object({ email: Email, ...proof }),
  result: nothing(),
  errors: ['wrong_password', 'wrong_code', 'contact_taken'],
})

/**
 * Sends a code to a new phone number of the caller, and another one to the number so far,
 * where that was confirmed; only where the shop can reach phones.
 */
export const changePhone = defineCall('POST /account/phone', 'user', {
  feature: 'account',
  body: s.object({ phone: Phone, ...proof }),
  result: nothing(),
  errors: ['wrong_password', 'wrong_code', 'contact_taken', 'no_texts_left'],
})

/**
 * Makes the new phone number the caller's: at once, with a new token, since every log-in ends, or,
 * where money is in the wallet or the code to the number so far is left out, after a day.
 */
export const confirmNewPhone = defineCall('POST /account/phone/confirm', 'user', {
  feature: 'account',
  body: s.object({ code: PhoneCode, oldCode: s.optional(s.nullable(PhoneCode)) }),
  result: s.type({ accessToken: s.nullable(s.string()) }),
  errors: ['wrong_phone_code', 'contact_taken', 'not_found'],
})

/** Stops a change of e-mail or phone that is not made yet. */
export const stopContactChange = defineCall('DELETE /account/contact-change', 'user', {
  feature: 'account',
  result: nothing(),
  errors: ['not_found'],
})

const DeletionForm = {
  /** Where the money of the wallet goes; null: there is none, or it is given up. */
  account: s.nullable(BankAccount),
  givesUpMoney: s.boolean(),
}

/** Has the account deleted after some days in which its owner may keep it. */
export const askForDeletion = defineCall('POST /account/deletion', 'user', {
  feature: 'account',
  body: s.object({
    ...proof,
    ...DeletionForm,
  }),
  result: nothing(),
  errors: ['wrong_password', 'wrong_code', 'money_in_wallet', 'return_waits', 'forbidden'],
})

export const keepAccount = defineCall('DELETE /account/deletion', 'user', {
  feature: 'account',
  result: nothing(),
  errors: ['not_found', 'return_waits'],
})

// An administrator makes the same request for a person at the counter.

export const askForExportOf = defineCall('POST /office/admin/people/:id/export', 'admin', {
  params: byId,
  result: nothing(),
  errors: ['user_not_found'],
})

export const downloadExportOf = defineCall('GET /office/admin/people/:id/export/file', 'admin', {
  params: byId,
  answers: 'file',
  result: nothing(),
  errors: ['not_found'],
})

export const askForDeletionOf = defineCall('POST /office/admin/people/:id/deletion', 'admin', {
  idempotent: true,
  params: byId,
  body: s.object({
    ...DeletionForm,
    /** Needed where money is given up. */
    reason: s.optional(text(1, STAFF_REASON_MAX_LENGTH)),
  }),
  result: s.type({
    /** The act that waits for a second administrator; null: the days have begun. */
    waits: s.nullable(id()),
  }),
  errors: [
    'user_not_found',
    'money_in_wallet',
    'return_waits',
    'account_closed',
    'forbidden',
    'act_waits',
  ],
})

export const keepAccountOf = defineCall('DELETE /office/admin/people/:id/deletion', 'admin', {
  params: byId,
  result: nothing(),
  errors: ['not_found', 'return_waits', 'user_not_found'],
})

const REFERENCE_MAX_LENGTH = 100

/** Records that the money of a wallet was transferred to its owner, who leaves. */
export const returnMoney = defineCall('POST /office/admin/people/:id/return', 'admin', {
  idempotent: true,
  params: byId,
  body: s.object({
    /** The balance, as it was shown. */
    seen: dinarAmount(),
    reference: text(1, REFERENCE_MAX_LENGTH),
    transferredOn: day(),
    reason: text(1, STAFF_REASON_MAX_LENGTH),
  }),
  result: s.type({
    /** The act that waits for a second administrator; null: it is recorded. */
    waits: s.nullable(id()),
  }),
  errors: ['user_not_found', 'not_found', 'setting_changed', 'act_waits', 'act_changed'],
})
