import {
  confirmEmail,
  FORGOT_PASSWORD_MESSAGE,
  forgotPassword,
  logIn,
  logOut,
  RESET_PASSWORD_MESSAGE,
  register,
  resetPassword,
  sendConfirmationLink,
  setLanguage,
} from '../../contract/accounts.ts'
import { DEFAULT_LOCALE } from '../../i18n/locales.ts'
import { fault } from '../http/errors.ts'
import { type Route, route } from '../http/route.ts'
import { signToken } from '../http/tokens.ts'
import { enqueueMail } from '../mail/mail.ts'
import * as confirmations from './email-confirmations.ts'
import { endToken, findAccount, foldEmail, keepLocale } from './log-in.ts'
import { changePassword } from './password-resets.ts'
import { registerCustomer } from './register.ts'

/**
 * Registering, logging in and out. Staff also get tokens here; their office uses the same backend.
 */
export const accountRoutes: Route[] = [
  route(logIn, async ({ input, deps, limits }) => {
    const { username, password, locale } = input.body
    const account = await findAccount(deps, limits, { username, password })
    // Checked after the password, so that only its owner learns that the account exists.
    if (account.isClosed) throw fault('account_merged')
    if (account.isBlocked) throw fault('account_blocked')
    if (locale) await keepLocale(deps.database, account.id, locale)
    return { accessToken: await signToken(deps.secret, account, deps.now()) }
  }),
  route(register, async ({ input, deps, limits }) => {
    await limits.count('register')
    await registerCustomer(deps, input.body, limits.turn)
    return { status: 'SUCCESS' as const }
  }),
  route(logOut, async ({ user, deps }) => {
    await endToken(deps.database, user, deps.now())
  }),
  route(setLanguage, async ({ input, user, deps }) => {
    await keepLocale(deps.database, user.id, input.body.locale)
  }),
  route(forgotPassword, async ({ input, deps, limits }) => {
    const email = foldEmail(input.body.email)
    await limits.count('resetLink', email)
    // Unknown e-mails are queued too, so that neither the answer nor its time reveals accounts.
    const locale = input.body.locale ?? DEFAULT_LOCALE
    await enqueueMail(deps.database.kysely, deps.jobs, 'password_reset', { email, locale })
    return { message: FORGOT_PASSWORD_MESSAGE }
  }),
  route(confirmEmail, async ({ input, deps, limits }) => {
    await limits.count('reset')
    const isNew = await confirmations.confirmEmail(deps, input.body.token)
    return { status: isNew ? ('CONFIRMED' as const) : ('ALREADY_CONFIRMED' as const) }
  }),
  route(sendConfirmationLink, async ({ user, deps, limits }) => {
    await limits.count('confirmationLink', user.id)
    const isSent = await confirmations.sendAnotherLink(deps, user.id)
    return { status: isSent ? ('SENT' as const) : ('ALREADY_CONFIRMED' as const) }
  }),
  route(resetPassword, async ({ input, deps, limits }) => {
    await limits.count('reset')
    await changePassword(deps, input.body.token, input.body.newPassword, limits.turn)
    return { message: RESET_PASSWORD_MESSAGE }
  }),
]
