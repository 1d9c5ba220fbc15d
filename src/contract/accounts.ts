import {
  array,
  enums,
  type Infer,
  literal,
  nullable,
  object,
  optional,
  string,
  type,
} from 'superstruct'
import {
  Email,
  GivenPassword,
  LinkToken,
  MailLanguage,
  Name,
  NewPassword,
  Phone,
  Username,
} from './account-fields.ts'
import { defineCall } from './call.ts'
import { nothing, sessionId } from './values.ts'

/** Logs in. `username` holds the e-mail, or the Tunisian phone number. */
export const logIn = defineCall({
  method: 'POST',
  path: '/auth/login',
  caller: 'anyone',
  body: object({
    username: Username,
    password: GivenPassword,
    /** The page's language, which becomes the account's. */
    locale: optional(nullable(MailLanguage)),
  }),
  result: type({ accessToken: string() }),
  errors: ['wrong_credentials', 'account_blocked', 'account_merged'],
})

export const GENDERS = ['male', 'female'] as const

/** Opens a customer's account: whatever `role` says, it gets PARENT. */
export const Registration = object({
  username: Name,
  firstName: Name,
  lastName: Name,
  phone: Phone,
  gender: enums(GENDERS),
  email: Email,
  password: NewPassword,
  role: optional(nullable(array(string()))),
  sessionId: optional(nullable(sessionId())),
  /** The language of the account; Arabic when left out. */
  locale: optional(nullable(MailLanguage)),
})
export type Registration = Infer<typeof Registration>

export const register = defineCall({
  method: 'POST',
  path: '/auth/register',
  caller: 'anyone',
  body: Registration,
  result: type({ status: literal('SUCCESS') }),
  errors: ['registration_failed'],
})

/** Ends this token at the server; the browser forgets it whatever the answer. */
export const logOut = defineCall({
  method: 'POST',
  path: '/auth/logout',
  caller: 'user',
  beforeSecondFactor: true,
  result: nothing(),
})

/** Sets the language of the caller's mails, after a visitor who is logged in has chosen another one. */
export const setLanguage = defineCall({
  method: 'POST',
  path: '/auth/language',
  caller: 'user',
  body: object({ locale: MailLanguage }),
  result: nothing(),
})

/** Says the same whether or not the e-mail is known, so that nobody learns who has an account. */
export const FORGOT_PASSWORD_MESSAGE =
  'If your email is registered, you will receive a password reset link.'

export const forgotPassword = defineCall({
  method: 'POST',
  path: '/auth/forgot-password',
  caller: 'anyone',
  body: object({
    email: Email,
    /** The language of the mail; Arabic when left out. */
    locale: optional(nullable(MailLanguage)),
  }),
  result: type({ message: optional(nullable(string())) }),
})

export const RESET_PASSWORD_MESSAGE = 'Your password has been reset successfully.'

/** Sets a new password. A link's token works once, for 30 minutes; a reset ends all earlier log-ins. */
export const resetPassword = defineCall({
  method: 'POST',
  path: '/auth/reset-password',
  caller: 'anyone',
  body: object({ token: LinkToken, newPassword: NewPassword }),
  result: type({ message: optional(nullable(string())) }),
  errors: ['invalid_reset_token'],
})

/**
 * Confirms the e-mail address that a token was mailed to. A call of its own, made by a button, so that
 * programs that merely open the links of mails, such as scanners, confirm nobody's address.
 */
export const confirmEmail = defineCall({
  method: 'POST',
  path: '/auth/confirm-email',
  caller: 'anyone',
  body: object({ token: LinkToken }),
  result: type({ status: enums(['CONFIRMED', 'ALREADY_CONFIRMED']) }),
  errors: ['invalid_confirmation_token'],
})

/** Mails the caller another link that confirms the address. */
export const sendConfirmationLink = defineCall({
  method: 'POST',
  path: '/auth/confirmation-link',
  caller: 'user',
  result: type({ status: enums(['SENT', 'ALREADY_CONFIRMED']) }),
})
