import * as s from 'superstruct'
import { GENDERS } from '../rules/roles.ts'
import {
  EmailOrNone,
  EmailOrPhone,
  GivenPassword,
  LinkToken,
  MailLanguage,
  Name,
  NewPassword,
  Phone,
  PhoneCode,
  Username,
} from './account-fields.ts'
import { defineCall } from './call.ts'
import { extra, id, nothing, ours, sessionId, text } from './values.ts'

const CODE_REQUEST_MAX_LENGTH = 100

/** Logs in. `username` is the e-mail address or the Tunisian phone number. */
export const logIn = defineCall('POST /auth/login', 'anyone', {
  body: s.object({
    username: Username,
    password: GivenPassword,
    /** The page's language, which becomes the account's. */
    locale: s.optional(s.nullable(MailLanguage)),
  }),
  result: s.type({ accessToken: s.string() }),
  errors: ['wrong_credentials', 'account_blocked', 'account_merged', 'phone_unconfirmed'],
})

/** Names the code that is sent: with it, only the browser that asked tries the code. */
const codeName = () => s.nullable(text(1, CODE_REQUEST_MAX_LENGTH))
const givenRequest = s.optional(codeName())
const request = extra(codeName())

/** A sentence in the language of the API; other backends may answer with anything else. */
const Said = ours(s.type({ message: extra(s.nullable(s.string())) }), {})
const SaidWithRequest = ours(
  s.type({
    message: extra(s.nullable(s.string())),
    /** For a phone number: names the code that is sent, for `resetPasswordByPhone`. */
    request,
  }),
  {},
)

/** Creates a customer's account: its role is PARENT, whatever `role` says. */
export const Registration = s.object({
  username: Name,
  firstName: Name,
  lastName: Name,
  phone: Phone,
  gender: s.enums(GENDERS),
  /** '' only where the shop can reach phones. */
  email: EmailOrNone,
  password: NewPassword,
  role: s.optional(s.nullable(s.array(s.string()))),
  sessionId: s.optional(s.nullable(sessionId())),
  /** The number of the terms that the customer accepts (`getTerms`). */
  acceptedTerms: s.optional(s.nullable(id())),
  /** The language of the account; Arabic by default. */
  locale: s.optional(s.nullable(MailLanguage)),
})
export type Registration = s.Infer<typeof Registration>

export const register = defineCall('POST /auth/register', 'anyone', {
  body: Registration,
  result: s.type({
    status: s.literal('SUCCESS'),
    /** Names the code that a registration by phone sends, for `confirmPhone`. */
    request,
  }),
  // `registration_failed` is another backend's: ours does not say what is known.
  errors: ['registration_failed', 'no_texts_left'],
})

/** Ends this token on the server; the browser deletes it whatever the answer. */
export const logOut = defineCall('POST /auth/logout', 'user', {
  feature: 'account',
  beforeSecondFactor: true,
  result: nothing(),
})

/** Sets the language of the caller's e-mails, after a logged-in visitor has chosen another one. */
export const setLanguage = defineCall('POST /auth/language', 'user', {
  feature: 'account',
  body: s.object({ locale: MailLanguage }),
  result: nothing(),
})

/**
 * The answer of `forgotPassword`. It is the same whether or not the e-mail address is known, so
 * that it does not reveal who has an account.
 */
export const FORGOT_PASSWORD_MESSAGE =
  'If your email is registered, you will receive a password reset link.'

export const forgotPassword = defineCall('POST /auth/forgot-password', 'anyone', {
  body: s.object({
    /** A phone number only where the shop can reach phones. */
    email: EmailOrPhone,
    /** The language of the message; Arabic by default. */
    locale: s.optional(s.nullable(MailLanguage)),
    /** Names a registration whose code is sent again. */
    request: givenRequest,
  }),
  result: SaidWithRequest,
  errors: ['no_texts_left'],
})

export const RESET_PASSWORD_MESSAGE = 'Your password has been reset successfully.'

/**
 * Sets a new password. A link's token works once and expires soon; a reset ends all earlier
 * sessions.
 */
export const resetPassword = defineCall('POST /auth/reset-password', 'anyone', {
  body: s.object({ token: LinkToken, newPassword: NewPassword }),
  result: Said,
  errors: ['invalid_reset_token'],
})

/** The same with the code that was sent to a phone, or read out by an administrator. */
export const resetPasswordByPhone = defineCall('POST /auth/reset-password/phone', 'anyone', {
  feature: 'account',
  body: s.object({
    phone: Phone,
    code: PhoneCode,
    newPassword: NewPassword,
    request: givenRequest,
  }),
  result: Said,
  errors: ['wrong_phone_code', 'contact_taken'],
})

/** Confirms the phone number of an account without an e-mail address. */
export const confirmPhone = defineCall('POST /auth/confirm-phone', 'anyone', {
  feature: 'account',
  body: s.object({ phone: Phone, code: PhoneCode, request: givenRequest }),
  result: s.type({ status: s.literal('CONFIRMED') }),
  errors: ['wrong_phone_code', 'contact_taken'],
})

/**
 * Confirms the e-mail address that a token was mailed to. It is a separate call, made by a button,
 * so that programs that only open the links in e-mails, such as scanners, confirm no address.
 */
export const confirmEmail = defineCall('POST /auth/confirm-email', 'anyone', {
  feature: 'account',
  body: s.object({ token: LinkToken }),
  /** `CHANGED` and `WAITS`: the new address of an account, now or after a day (`changeEmail`). */
  result: s.type({ status: s.enums(['CONFIRMED', 'ALREADY_CONFIRMED', 'CHANGED', 'WAITS']) }),
  errors: ['invalid_confirmation_token', 'contact_taken'],
})

/** Mails the caller another link that confirms the address. */
export const sendConfirmationLink = defineCall('POST /auth/confirmation-link', 'user', {
  feature: 'account',
  result: s.type({ status: s.enums(['SENT', 'ALREADY_CONFIRMED']) }),
})
