import {
  confirmEmail,
  confirmPhone,
  FORGOT_PASSWORD_MESSAGE,
  forgotPassword,
  logIn,
  logOut,
  RESET_PASSWORD_MESSAGE,
  type Registration,
  register,
  resetPassword,
  resetPasswordByPhone,
  sendConfirmationLink,
  setLanguage,
} from '../../contract/accounts.ts'
import {
  changeEmail,
  changePhone,
  confirmNewPhone,
  stopContactChange,
} from '../../contract/own-account.ts'
import { DEFAULT_LOCALE } from '../../i18n/locales.ts'
import { readCode } from '../../rules/sms.ts'
import { normalisePhone } from '../../rules/typed-numbers.ts'
import { moveAnonymousCart } from '../carts/carts.ts'
import { transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import type { Limits } from '../http/rate-limits.ts'
import { originOf, type Route, route } from '../http/route.ts'
import { enqueueMail } from '../mail/mail.ts'
import { openWallet } from '../money/money.ts'
import { acceptTerms } from '../site-texts/site-texts.ts'
import * as contacts from './contact-changes.ts'
import * as confirmations from './email-confirmations.ts'
import { isKnownPlace, keepPlace } from './known-places.ts'
import { findAccount, foldEmail, keepLocale } from './log-in.ts'
import * as logIns from './log-ins.ts'
import { countNewcomerText } from './newcomer-texts.ts'
import { changePassword, changePasswordByPhone } from './password-resets.ts'
import * as codes from './phone-codes.ts'
import { requireProof } from './staff/office-log-in.ts'

/**
 * Registering, logging in and out. Staff also get tokens here; their office uses the same backend.
 */
export const accountRoutes: Route[] = [
  route(logIn, async ({ input, deps, limits, reply }) => {
    const { username, password, locale } = input.body
    const account = await findAccount(deps, limits, { username, password })
    // Checked after the password, so that only its owner learns that the account exists.
    if (account.isClosed) throw fault('account_merged')
    if (account.isBlocked) throw fault('account_blocked')
    if (account.isUnconfirmed) throw fault('phone_unconfirmed')
    if (locale) await keepLocale(deps.database, account.id, locale)
    const accessToken = await logIns.openLogIn(deps, account, originOf(reply))
    await keepPlace(deps, account.id, limits.place)
    return { accessToken }
  }),
  route(register, async ({ input, deps, limits }) => {
    await limits.count('register')
    const { email } = input.body
    const phone = normalisePhone(input.body.phone) ?? ''
    const isByPhone = email === ''
    if (isByPhone && !deps.sms) throw fault('invalid_input', { fields: { email: 'required' } })
    const { request, hash } = codes.newRequest()
    if (isByPhone) {
      await codes.countText(deps, limits, phone, 'phoneRegistration')
      await countNewcomerText(deps, hash)
    }
    await registerCustomer(deps, input.body, hash, limits.turn)
    return { status: 'SUCCESS' as const, ...(isByPhone && { request }) }
  }),
  route(logOut, async ({ user, deps }) => {
    await logIns.logOut(deps, user)
  }),
  route(setLanguage, async ({ input, user, deps }) => {
    await keepLocale(deps.database, user.id, input.body.locale)
  }),
  route(forgotPassword, async ({ input, deps, limits }) => {
    const phone = normalisePhone(input.body.email)
    const locale = input.body.locale ?? DEFAULT_LOCALE
    const { database, jobs } = deps
    // Unknown ones are queued too, so that neither the answer nor its time reveals accounts.
    if (phone === null) {
      const email = foldEmail(input.body.email)
      await countResetLink(deps, limits, email)
      await enqueueMail(database.kysely, jobs, 'password_reset', { email, locale })
    } else {
      if (!deps.sms) throw fault('invalid_input', { fields: { email: 'email' } })
      await codes.countText(deps, limits, phone)
      const given = input.body.request
      const { request, hash } = given ? codes.knownRequest(given) : codes.newRequest()
      const code = { phone, locale, askedAt: deps.now(), request: hash }
      await enqueueMail(database.kysely, jobs, 'phone_code', code)
      return { message: FORGOT_PASSWORD_MESSAGE, request }
    }
    return { message: FORGOT_PASSWORD_MESSAGE }
  }),
  route(confirmEmail, async ({ input, deps, limits }) => {
    await limits.count('reset')
    const change = await contacts.confirmNewEmail(deps, input.body.token)
    if (change) return { status: change.isDone ? ('CHANGED' as const) : ('WAITS' as const) }
    const isNew = await confirmations.confirmEmail(deps, input.body.token)
    return { status: isNew ? ('CONFIRMED' as const) : ('ALREADY_CONFIRMED' as const) }
  }),
  route(sendConfirmationLink, async ({ user, deps, limits }) => {
    await limits.count('confirmationLink', user.id)
    const isSent = await confirmations.sendAnotherLink(deps, user.id)
    return { status: isSent ? ('SENT' as const) : ('ALREADY_CONFIRMED' as const) }
  }),
  route(confirmPhone, async ({ input, deps, limits }) => {
    await limits.count('reset')
    await codes.confirmPhone(deps, limits, typedCode(input.body))
    return { status: 'CONFIRMED' as const }
  }),
  route(resetPasswordByPhone, async ({ input, deps, limits }) => {
    await limits.count('reset')
    const { newPassword } = input.body
    await changePasswordByPhone(deps, limits, { ...typedCode(input.body), newPassword })
    return { message: RESET_PASSWORD_MESSAGE }
  }),
  route(resetPassword, async ({ input, deps, limits }) => {
    await limits.count('reset')
    await changePassword(deps, input.body.token, input.body.newPassword, limits.turn)
    return { message: RESET_PASSWORD_MESSAGE }
  }),

  route(changeEmail, async ({ input, user, deps, limits }) => {
    await requireProof(deps, limits, user.id, input.body)
    await limits.count('contactChange', user.id)
    await contacts.askForEmail(deps, user.id, foldEmail(input.body.email))
  }),
  route(changePhone, async ({ input, user, deps, limits }) => {
    if (!deps.sms) throw fault('invalid_input', { fields: { phone: 'phone' } })
    await requireProof(deps, limits, user.id, input.body)
    await limits.count('contactChange', user.id)
    await contacts.askForPhone(deps, limits, user.id, normalisePhone(input.body.phone) ?? '')
  }),
  route(confirmNewPhone, async ({ input, user, deps, limits, reply }) => {
    await limits.count('reset')
    const { code, oldCode } = input.body
    const change = await contacts.confirmNewPhone(deps, {
      userId: user.id,
      code: readCode(code) ?? '',
      oldCode: oldCode ? readCode(oldCode) : null,
    })
    if (!change.isDone) return { accessToken: null }
    const { id, role, factors } = user
    const account = { id, role, generation: change.generation, ...(factors && { factors }) }
    return { accessToken: await logIns.openLogIn(deps, account, originOf(reply)) }
  }),
  route(stopContactChange, ({ user, deps }) => contacts.stopContactChange(deps, user.id)),
]

/** A number and a code as they are compared; the contract has checked both. */
const typedCode = ({
  phone,
  code,
  request,
}: {
  phone: string
  code: string
  request?: string | null
}) => ({
  phone: normalisePhone(phone) ?? '',
  code: readCode(code) ?? '',
  request: request ?? null,
})

/** Counts a link to an address; its owner keeps requests of their own where they have logged in before. */
async function countResetLink(deps: Deps, limits: Limits, email: string): Promise<void> {
  const owner = await deps.database.kysely
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirst()
  const isKnown = await isKnownPlace(deps, owner?.id ?? 0, limits.place)
  await limits.count('resetLink', isKnown ? `${email} ${limits.place}` : email)
}

/** Takes back a registration whose e-mail address or number is an account's already. */
class AlreadyKnown extends Error {}

/**
 * Creates a customer's account with an empty wallet, moves the anonymous cart into it, and mails
 * the link that confirms the address, or, without one, sends the code of a `request` (a hash) to the
 * phone. Where the address, or the number of an account without one, is an account's already, the
 * same work is done and taken back, so that the time does not say so, and its owner is told. A number
 * beside an address proves nothing yet. Throws `unavailable` if too many of the `turn` are waiting.
 */
async function registerCustomer(
  { database, jobs, passwords, now }: Pick<Deps, 'database' | 'jobs' | 'passwords' | 'now'>,
  form: Registration,
  request: string,
  turn: string | null,
): Promise<void> {
  const passwordHash = await passwords.hash(form.password, turn)
  const phone = normalisePhone(form.phone) ?? ''
  const email = form.email === '' ? null : foldEmail(form.email)
  const locale = form.locale ?? DEFAULT_LOCALE
  const known = () => {
    const users = database.kysely.selectFrom('users').select('id')
    return (
      email === null
        ? users.where('phone', '=', phone).where('phoneConfirmedAt', 'is not', null)
        : users.where('email', '=', email)
    ).executeTakeFirst()
  }
  const knownBefore = await known()

  const create = transaction(database, async (tx) => {
    const insert = (address: string | null) =>
      tx
        .insertInto('users')
        .values({
          email: address,
          phone,
          username: form.username,
          firstName: form.firstName,
          lastName: form.lastName,
          gender: form.gender,
          role: 'PARENT',
          locale,
          passwordHash,
        })
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst()
    const user = await insert(knownBefore ? null : email)
    // Somebody else has just registered with the address.
    if (!user) throw new AlreadyKnown()

    await openWallet(tx, user.id)
    const terms = form.acceptedTerms
    if (terms) await acceptTerms(tx, { userId: user.id, terms, at: new Date(now()) })
    if (form.sessionId) await moveAnonymousCart(tx, form.sessionId, user.id)
    if (knownBefore) throw new AlreadyKnown()
    await (email === null
      ? enqueueMail(tx, jobs, 'phone_code', {
          ...{ phone, locale, askedAt: now(), request },
          ...{ userId: user.id, isCounted: true },
        })
      : enqueueMail(tx, jobs, 'email_confirmation', { userId: user.id }))
  })
  await create.catch(async (error) => {
    if (!(error instanceof AlreadyKnown)) throw error
    const owner = knownBefore ?? (await known())
    if (!owner) return
    const { kysely } = database
    await (email === null
      ? enqueueMail(kysely, jobs, 'phone_known', { phone, locale })
      : enqueueMail(kysely, jobs, 'email_known', { userId: owner.id, locale }))
  })
}
