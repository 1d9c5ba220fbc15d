import type { Registration } from '../../contract/accounts.ts'
import { DEFAULT_LOCALE } from '../../i18n/locales.ts'
import { normalisePhone } from '../../rules/typed-numbers.ts'
import { moveAnonymousCart } from '../carts/carts.ts'
import { transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import { enqueueMail } from '../mail/mail.ts'
import { openWallet } from '../money/money.ts'
import { foldEmail } from './log-in.ts'

/**
 * Creates a customer's account with an empty wallet, moves the anonymous cart into it, and mails
 * the link that confirms the address. Throws `registration_failed` for an e-mail or phone in use,
 * without saying which, and `unavailable` if too many of the `turn` are waiting.
 */
export async function registerCustomer(
  { database, jobs, passwords }: Pick<Deps, 'database' | 'jobs' | 'passwords'>,
  form: Registration,
  turn: string | null,
): Promise<void> {
  // Hashed first, so that a faster answer does not reveal an e-mail address in use.
  const passwordHash = await passwords.hash(form.password, turn)

  await transaction(database, async (tx) => {
    const user = await tx
      .insertInto('users')
      .values({
        email: foldEmail(form.email),
        phone: normalisePhone(form.phone),
        username: form.username,
        firstName: form.firstName,
        lastName: form.lastName,
        gender: form.gender,
        role: 'PARENT',
        locale: form.locale ?? DEFAULT_LOCALE,
        passwordHash,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!user) throw fault('registration_failed')

    await openWallet(tx, user.id)
    if (form.sessionId) await moveAnonymousCart(tx, form.sessionId, user.id)
    await enqueueMail(tx, jobs, 'email_confirmation', { userId: user.id })
  })
}
