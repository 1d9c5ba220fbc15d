import type { MailState } from '../../contract/office-desk.ts'
import { formatDate } from '../../i18n/dates.ts'
import type { Locale } from '../../i18n/locales.ts'
import type { Texts } from '../../i18n/texts.ts'
import { reasonOf } from '../carriers/carriers.ts'
import { transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { logStaff } from '../staff-log/staff-log.ts'
import { readTroubles } from '../troubles/troubles.ts'
import { letter } from './letter.ts'

/** Where mails go: the host of the mail server, or the path of the folder. */
export function placeOf({ place }: Deps['mail']): Pick<MailState, 'kind' | 'place'> {
  return { kind: place.kind, place: place.kind === 'server' ? place.host : place.path }
}

/** Where mails go, how many wait or were given up, and the last error of sending one. */
export async function readMailState({
  database: { kysely },
  jobs,
  mail,
}: Pick<Deps, 'database' | 'jobs' | 'mail'>): Promise<MailState> {
  const trouble = (await readTroubles(kysely)).find(({ what }) => what === 'mail')
  return {
    ...placeOf(mail),
    waiting: (await jobs.list('mail')).length,
    givenUp: (await jobs.list('failed_mail')).length,
    trouble: trouble
      ? {
          reason: trouble.reason,
          at: trouble.at.toISOString(),
          since: trouble.since?.toISOString() ?? null,
        }
      : null,
  }
}

interface TestMail {
  readonly to: string
  readonly locale: Locale
  readonly texts: Texts
  /** The shop's e-mail address. */
  readonly from: string
}

/**
 * Sends a test mail at once, past the queue. Returns why it was not taken, null if it was: by the
 * mail server, or as a file of the folder.
 */
export async function sendTestMail(
  { mail, now }: Pick<Deps, 'mail' | 'now'>,
  { to, locale, texts, from }: TestMail,
): Promise<string | null> {
  const words = texts[locale].mail.test
  const { sender, ...rest } = letter({
    texts,
    locale,
    to,
    subject: words.subject,
    title: words.title,
    parts: [{ text: words.text }, { text: formatDate(locale, new Date(now()).toISOString()) }],
  })
  try {
    await mail.send({ ...rest, to, from: { name: sender, address: from } })
    return null
  } catch (error) {
    return reasonOf(error)
  }
}

/** Queues given-up mails again, all or those with `ids`; returns their number. */
export function sendGivenUpAgain(
  { database, jobs }: Pick<Deps, 'database' | 'jobs'>,
  { actor, ids }: { actor: string; ids?: readonly string[] },
): Promise<number> {
  return transaction(database, async (tx) => {
    const wanted = ids ?? (await jobs.list('failed_mail', tx)).map(({ id }) => id)
    if (wanted.length === 0) return 0
    const sent = await jobs.sendAgain(tx, wanted)
    if (sent > 0)
      await logStaff(tx, { actor, action: 'send mails again', subject: { kind: `${sent} mails` } })
    return sent
  })
}
