import { fillText } from '../../../i18n/format.ts'
import type { Locale } from '../../../i18n/locales.ts'
import { pathIn } from '../../../i18n/paths.ts'
import type { Texts } from '../../../i18n/texts.ts'
import { DAY_MS, HOUR_MS } from '../../../rules/durations.ts'
import { DELETION_DAYS } from '../../../rules/own-data.ts'
import { CODE_LIFETIME_MS, writeToFit } from '../../../rules/sms.ts'
import type { Deps } from '../../deps.ts'
import {
  letter,
  type MailData,
  type Part,
  shortMessage,
  type Writers,
  type Written,
  type WrittenMail,
} from '../../mail/mail.ts'
import { hashLinkToken, makeLinkToken } from '../link-token.ts'
import { writePhoneKnown } from '../password-resets.ts'
import { CODE_MINUTES, makeRequestedCode } from '../phone-codes.ts'
import { INVITATION_LIFETIME_MS, invitationLink, keepInvitation } from './invitations.ts'
import { JOIN_CONFIRMATION_LIFETIME_MS } from './join-requests.ts'

type Parts = Pick<Deps, 'config' | 'database' | 'now' | 'secret'>

/**
 * Writes the mails of invitations, requests to join and merges; their tokens are created only now.
 */
export function staffMailWriters(
  parts: Parts,
): Pick<
  Writers,
  'staff_invitation' | 'join_confirmation' | 'join_accepted' | 'join_refused' | 'account_merged'
> {
  return {
    staff_invitation: (data, texts) => writeInvitation(parts, data, texts),
    join_confirmation: (data, texts) => writeJoinConfirmation(parts, data, texts),
    join_accepted: (data, texts) => writeApproval(parts, data, texts),
    join_refused: (data, texts) => writeRefusal(parts, data, texts),
    account_merged: (data, texts) => writeMerged(parts, data, texts),
  }
}

async function writeInvitation(
  { config, database, now }: Parts,
  { userId }: MailData['staff_invitation'],
  texts: Texts,
): Promise<WrittenMail | null> {
  const user = await database.kysely
    .selectFrom('users')
    .select(['email', 'locale'])
    .where('id', '=', userId)
    .where('blockedAt', 'is', null)
    // Once the printed link has been used, no invitation is left.
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('staffInvitations')
          .select('userId')
          .whereRef('userId', '=', 'users.id')
          .where('expiresAt', '>', new Date(now())),
      ),
    )
    .executeTakeFirst()
  if (!user) return null
  const token = await keepInvitation(database.kysely, userId, now())
  const say = sayIn(texts, user.locale, { hours: INVITATION_LIFETIME_MS / HOUR_MS })
  return staffLetter(user.locale, user.email, say, 'invitation', [
    {
      button: say('invitation', 'button'),
      href: invitationLink(config.siteUrl, user.locale, token),
    },
    { text: say('invitation', 'once') },
  ])
}

async function writeJoinConfirmation(
  parts: Parts,
  { requestId }: MailData['join_confirmation'],
  texts: Texts,
): Promise<Written> {
  const { config, database } = parts
  const request = await findRequest(database, requestId)
  if (!request || request.confirmedAt) return null
  const { locale, email } = request
  if (email === null) return writeJoinCode(parts, request, texts)
  const account = await database.kysely
    .selectFrom('users')
    .select('role')
    .where('email', '=', email)
    .executeTakeFirst()
  const say = sayIn(texts, locale, { days: JOIN_CONFIRMATION_LIFETIME_MS / DAY_MS })
  const page = (path: '/office/join' | '/office/login') =>
    `${config.siteUrl}${pathIn(locale, path)}`
  // Tells only the mailbox's owner that such an account exists; an account has one role.
  if (account) {
    const isTeacher = account.role === 'TEACHER'
    return staffLetter(locale, email, say, isTeacher ? 'joined' : 'taken', [
      isTeacher
        ? { button: say('joined', 'button'), href: page('/office/login') }
        : { button: say('taken', 'button'), href: page('/office/join') },
    ])
  }
  const token = makeLinkToken()
  await database.kysely
    .updateTable('joinRequests')
    .set({ tokenHash: hashLinkToken(token) })
    .where('id', '=', requestId)
    .execute()
  return staffLetter(locale, email, say, 'confirm', [
    { button: say('confirm', 'button'), href: `${page('/office/join')}?token=${token}` },
    { text: say('confirm', 'days') },
    { text: say('confirm', 'ignore') },
  ])
}

/** The code that opens a teacher's account; a number that has an account already gets a message that says so. */
async function writeJoinCode(parts: Parts, request: Request, texts: Texts): Promise<Written> {
  const { database, now } = parts
  const { locale, phone, tokenHash, askedAt } = request
  if (tokenHash === null || now() - askedAt.getTime() > CODE_LIFETIME_MS) return null
  const known = await database.kysely
    .selectFrom('users')
    .select('id')
    .where('phone', '=', phone)
    .where('phoneConfirmedAt', 'is not', null)
    .executeTakeFirst()
  if (known) return writePhoneKnown(parts, { phone, locale }, texts)
  const asked = { hash: tokenHash, userId: null, phone, purpose: 'join' } as const
  const code = await makeRequestedCode(parts, asked)
  const text = shortMessage(texts, locale, 'code', { code, minutes: CODE_MINUTES })
  return { phone, text, isCode: true }
}

/** Tells a teacher, by mail or text message, that the account is approved. */
async function writeApproval(
  { config, database }: Parts,
  { requestId }: MailData['join_accepted'],
  texts: Texts,
): Promise<Written> {
  const request = await findRequest(database, requestId)
  if (!request) return null
  const { locale, email, phone } = request
  const href = `${config.siteUrl}${pathIn(locale, '/office')}`
  if (email === null) {
    const text = shortMessage(texts, locale, 'approved', { link: href })
    return { phone, text, isCode: false }
  }
  const say = sayIn(texts, locale)
  return staffLetter(locale, email, say, 'approved', [{ button: say('approved', 'button'), href }])
}

async function writeRefusal(
  { database }: Parts,
  { requestId }: MailData['join_refused'],
  texts: Texts,
): Promise<Written> {
  const request = await findRequest(database, requestId)
  if (!request?.reason) return null
  const { userId, locale, email, phone, reason } = request
  if (email === null) {
    const text = writeToFit(reason, (words) => {
      return shortMessage(texts, locale, 'refused', { reason: words })
    })
    return { phone, text, isCode: false }
  }
  const say = sayIn(texts, locale, { days: DELETION_DAYS })
  const end = userId === null ? [] : [{ text: say('refused', 'end') }]
  return staffLetter(locale, email, say, 'refused', [{ text: reason }, ...end])
}

/** Tells the owner of a merged account that all its content has moved to the other one. */
async function writeMerged(
  { config, database }: Parts,
  { userId }: MailData['account_merged'],
  texts: Texts,
): Promise<WrittenMail | null> {
  const user = await database.kysely
    .selectFrom('users')
    .select(['email', 'locale'])
    .where('id', '=', userId)
    .where('mergedInto', 'is not', null)
    .executeTakeFirst()
  if (!user) return null
  const say = sayIn(texts, user.locale)
  return staffLetter(user.locale, user.email, say, 'merged', [
    { text: say('merged', 'ask') },
    { button: say('merged', 'button'), href: `${config.siteUrl}${pathIn(user.locale, '/login')}` },
  ])
}

type Request = NonNullable<Awaited<ReturnType<typeof findRequest>>>

function findRequest({ kysely }: Deps['database'], id: number) {
  return kysely
    .selectFrom('joinRequests')
    .select(['userId', 'email', 'phone', 'locale', 'tokenHash', 'askedAt', 'confirmedAt', 'reason'])
    .where('id', '=', id)
    .executeTakeFirst()
}

type Words = Texts[Locale]['staff-mail']

interface Say {
  <Kind extends keyof Words>(kind: Kind, key: keyof Words[Kind] & string): string
  readonly texts: Texts
}

function sayIn(texts: Texts, locale: Locale, values: Record<string, number> = {}): Say {
  const words = texts[locale]['staff-mail']
  const say = <Kind extends keyof Words>(kind: Kind, key: keyof Words[Kind] & string) =>
    fillText(words[kind][key] as string, values)
  return Object.assign(say, { texts })
}

function staffLetter(
  locale: Locale,
  to: string | null,
  say: Say,
  kind: keyof Words,
  parts: readonly Part[],
): WrittenMail {
  return letter({
    texts: say.texts,
    locale,
    to,
    subject: say(kind, 'subject'),
    title: say(kind, 'title'),
    parts: [{ text: say(kind, 'text') }, ...parts],
  })
}
