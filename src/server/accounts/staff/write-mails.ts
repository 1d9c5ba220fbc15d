import { fillText } from '../../../i18n/format.ts'
import type { Locale } from '../../../i18n/locales.ts'
import { pathIn } from '../../../i18n/paths.ts'
import { TEXTS } from '../../../i18n/texts.ts'
import { DAY_MS, HOUR_MS } from '../../../rules/durations.ts'
import { SITE } from '../../../site.ts'
import type { Deps } from '../../deps.ts'
import {
  letter,
  type MailData,
  type Part,
  type Writers,
  type WrittenMail,
} from '../../mail/mail.ts'
import { hashLinkToken, makeLinkToken } from '../link-token.ts'
import { INVITATION_LIFETIME_MS, invitationLink, keepInvitation } from './invitations.ts'
import { JOIN_CONFIRMATION_LIFETIME_MS } from './join-requests.ts'

type Parts = Pick<Deps, 'config' | 'database' | 'now'>

/** Writes the mails of invitations, requests to join and merges; tokens are made only now. */
export function staffMailWriters(
  parts: Parts,
): Pick<Writers, 'staff_invitation' | 'join_confirmation' | 'join_refused' | 'account_merged'> {
  return {
    staff_invitation: (data) => writeInvitation(parts, data),
    join_confirmation: (data) => writeJoinConfirmation(parts, data),
    join_refused: (data) => writeRefusal(parts, data),
    account_merged: (data) => writeMerged(parts, data),
  }
}

async function writeInvitation(
  { config, database, now }: Parts,
  { userId }: MailData['staff_invitation'],
): Promise<WrittenMail | null> {
  const user = await database.kysely
    .selectFrom('users')
    .select(['email', 'locale'])
    .where('id', '=', userId)
    .where('blockedAt', 'is', null)
    // Once the printed link was used, no invitation is left.
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
  const say = texts(user.locale, { hours: INVITATION_LIFETIME_MS / HOUR_MS })
  return staffLetter(user.locale, user.email, say, 'invitation', [
    {
      button: say('invitation', 'button'),
      href: invitationLink(config.siteUrl, user.locale, token),
    },
    { text: say('invitation', 'once') },
  ])
}

async function writeJoinConfirmation(
  { config, database }: Parts,
  { requestId }: MailData['join_confirmation'],
): Promise<WrittenMail | null> {
  const request = await findRequest(database, requestId)
  if (!request || request.confirmedAt) return null
  const { locale, email } = request
  const account = await database.kysely
    .selectFrom('users')
    .select('role')
    .where('email', '=', email)
    .executeTakeFirst()
  const say = texts(locale, { days: JOIN_CONFIRMATION_LIFETIME_MS / DAY_MS })
  const page = (path: '/office/join' | '/office/login') =>
    `${config.siteUrl}${pathIn(locale, path)}`
  // Only the mailbox's owner learns that there is such an account; one account has one role.
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

async function writeRefusal(
  { database }: Parts,
  { requestId }: MailData['join_refused'],
): Promise<WrittenMail | null> {
  const request = await findRequest(database, requestId)
  if (!request?.reason) return null
  const { locale, email, reason } = request
  return staffLetter(locale, email, texts(locale), 'refused', [{ text: reason }])
}

/** Tells the owner of a merged account that everything is in the other one. */
async function writeMerged(
  { config, database }: Parts,
  { userId }: MailData['account_merged'],
): Promise<WrittenMail | null> {
  const user = await database.kysely
    .selectFrom('users')
    .select(['email', 'locale'])
    .where('id', '=', userId)
    .where('mergedInto', 'is not', null)
    .executeTakeFirst()
  if (!user) return null
  const say = texts(user.locale)
  return staffLetter(user.locale, user.email, say, 'merged', [
    { text: say('merged', 'ask') },
    { button: say('merged', 'button'), href: `${config.siteUrl}${pathIn(user.locale, '/login')}` },
  ])
}

function findRequest({ kysely }: Deps['database'], id: number) {
  return kysely
    .selectFrom('joinRequests')
    .select(['email', 'locale', 'confirmedAt', 'reason'])
    .where('id', '=', id)
    .executeTakeFirst()
}

type Texts = (typeof TEXTS)[Locale]['staff-mail']
type Say = <Kind extends keyof Texts>(kind: Kind, key: keyof Texts[Kind] & string) => string

function texts(locale: Locale, values: Record<string, number> = {}): Say {
  const all = TEXTS[locale]['staff-mail']
  return (kind, key) => fillText(all[kind][key] as string, { ...values, site: SITE.name[locale] })
}

function staffLetter(
  locale: Locale,
  to: string,
  say: Say,
  kind: keyof Texts,
  parts: readonly Part[],
): WrittenMail {
  return letter({
    locale,
    to,
    subject: say(kind, 'subject'),
    title: say(kind, 'title'),
    parts: [{ text: say(kind, 'text') }, ...parts],
  })
}
