import { type Kysely, sql } from 'kysely'
import type { JoinRequest } from '../../../contract/office-access.ts'
import { DEFAULT_LOCALE, type Locale } from '../../../i18n/locales.ts'
import { UNAPPROVED_TEACHERS_MAX } from '../../../rules/approval.ts'
import { DAY_MS } from '../../../rules/durations.ts'
import { fullName } from '../../../rules/full-name.ts'
import { normalisePhone } from '../../../rules/typed-numbers.ts'
import type { Schema } from '../../database/schema.ts'
import { lock, transaction } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { fault } from '../../http/errors.ts'
import type { Limits } from '../../http/rate-limits.ts'
import type { Origin } from '../../http/route.ts'
import { enqueueMail } from '../../mail/mail.ts'
import { logOwn } from '../../staff-log/staff-log.ts'
import { hashLinkToken } from '../link-token.ts'
import { foldEmail } from '../log-in.ts'
import { openLogIn } from '../log-ins.ts'
import { countNewcomerText } from '../newcomer-texts.ts'
import * as codes from '../phone-codes.ts'

/** How long the link of a request opens an account. */
export const JOIN_CONFIRMATION_LIFETIME_MS = 3 * DAY_MS

/**
 * Stores a request and sends its contact what opens the account: a link to its e-mail address or,
 * without one, a code to its phone, for the request that this returns. So nobody opens one for
 * others, and nobody can change another's request. Throws `too_many_requests`, `joining_full`,
 * `no_texts_left`.
 */
export async function askToJoin(
  deps: Deps,
  limits: Limits,
  { email: typed, phone: number, locale, ...answers }: JoinRequest,
): Promise<string | null> {
  const { database, jobs, now } = deps
  const email = typed === '' ? null : foldEmail(typed)
  const phone = normalisePhone(number) ?? ''
  if (email === null && !deps.sms) throw fault('invalid_input', { fields: { email: 'required' } })
  await limits.count('join', email ?? phone)
  await limits.count('joinOfAll')
  await refuseFull(database.kysely)
  const { request, hash } = codes.newRequest()
  if (email === null) {
    await codes.countText(deps, limits, phone, 'phoneRegistration')
    await countNewcomerText(deps, hash)
  }
  await transaction(database, async (tx) => {
    const { id } = await tx
      .insertInto('joinRequests')
      .values({
        ...answers,
        userId: null,
        email,
        phone,
        locale: locale ?? DEFAULT_LOCALE,
        tokenHash: email === null ? hash : null,
        askedAt: new Date(now()),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await enqueueMail(tx, jobs, 'join_confirmation', { requestId: id })
  })
  return email === null ? request : null
}

/** Throws `joining_full` while as many accounts as the shop bears wait for its answer. */
async function refuseFull(db: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM join_requests
    WHERE user_id IS NOT NULL AND decided_at IS NULL`.execute(db)
  if ((rows[0]?.count ?? 0) >= UNAPPROVED_TEACHERS_MAX) throw fault('joining_full')
}

export interface Confirmation {
  /** The token of the mailed link, or the request for which a code was sent. */
  readonly token: string
  /** The code of the text message; null: there is none. */
  readonly code: string | null
  readonly password: string
  readonly locale: Locale | null
  /** The caller's, for the hashing. */
  readonly turn: string | null
  readonly from: Origin
}

/**
 * Opens the account of a teacher who asked to join, and returns a token of the office. It may write
 * and submit documents at once; an administrator has yet to approve it. Throws
 * `invalid_confirmation_token`, `wrong_phone_code`, `joining_full`, and `contact_taken` where
 * another account has the address or number by now.
 */
export async function confirmJoining(
  deps: Pick<Deps, 'database' | 'passwords' | 'secret' | 'now'>,
  { token, code, password, locale, turn, from }: Confirmation,
): Promise<string> {
  const { database, now } = deps
  const waiting = database.kysely
    .selectFrom('joinRequests')
    .select(['id', 'email', 'phone', 'firstName', 'lastName', 'locale'])
    .where('tokenHash', '=', hashLinkToken(token))
    .where('confirmedAt', 'is', null)
    .where('askedAt', '>=', new Date(now() - JOIN_CONFIRMATION_LIFETIME_MS))
  const request = await waiting.executeTakeFirst()
  if (!request) throw fault('invalid_confirmation_token')
  await refuseFull(database.kysely)
  const { id, email, phone, firstName, lastName } = request
  const isByPhone = email === null
  const typed = { phone, code: code ?? '', request: token }
  const right = isByPhone ? await codes.tryRequested(deps, 'join', typed) : null
  if (isByPhone && !right) throw fault('wrong_phone_code')
  const passwordHash = await deps.passwords.hash(password, turn)

  const user = await transaction(database, async (tx) => {
    // One at a time, so that each counts the accounts of the others.
    await lock(tx, 'teachers who join')
    await refuseFull(tx)
    await right?.use(tx)
    const at = new Date(now())
    const added = await tx
      .insertInto('users')
      .values({
        email,
        phone,
        username: fullName({ firstName, lastName }),
        firstName,
        lastName,
        gender: null,
        role: 'TEACHER',
        locale: locale ?? request.locale,
        passwordHash,
        ...(isByPhone ? { phoneConfirmedAt: at } : { emailConfirmedAt: at }),
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning(['id', 'role', 'tokenGeneration as generation'])
      .executeTakeFirst()
    if (!added) throw fault('contact_taken')
    // A request that an earlier version left waiting for an invitation.
    await tx
      .deleteFrom('joinRequests')
      .where('email', '=', email)
      .where('userId', 'is', null)
      .where('confirmedAt', 'is not', null)
      .where('decidedAt', 'is', null)
      .execute()
    const confirmed = await tx
      .updateTable('joinRequests')
      .set({ userId: added.id, confirmedAt: at })
      .where('id', '=', id)
      .where('confirmedAt', 'is', null)
      .executeTakeFirst()
    // The second of two that use the same link comes too late.
    if (confirmed.numUpdatedRows === 0n) throw fault('invalid_confirmation_token')
    // Always a new one: an imported teacher's documents and earnings are handed over by an administrator alone.
    await tx
      .insertInto('teachers')
      .values({ userId: added.id, firstName, lastName, email: email ?? '', approvedAt: null })
      .execute()
    await logOwn(tx, added.id, 'open account')
    return added
  })
  return openLogIn(deps, { ...user, factors: 1 }, from)
}
