import type { Deletion } from '../../contract/leaving.ts'
import { formatDate } from '../../i18n/dates.ts'
import { fillText, isolate, priceText } from '../../i18n/format.ts'
import { pathIn } from '../../i18n/paths.ts'
import type { Texts } from '../../i18n/texts.ts'
import type { Deps } from '../deps.ts'
import { letter, type MailData, shortMessage, type Writers, type Written } from '../mail/mail.ts'
import { readDeletion } from './deletions.ts'

/** The mails, with the text messages in their place. */
const KINDS = {
  data_ready: 'dataReady',
  deletion_asked: 'deletion',
  money_returned: 'returned',
} as const
type Kind = keyof typeof KINDS

/** Where the money of a deleted account's wallet goes. */
type Money = Pick<Deletion, 'account' | 'givesUpMoney'>

/** The writers of the mails about one's own data. */
export function ownDataMailWriters(deps: Pick<Deps, 'config' | 'database'>): Pick<Writers, Kind> {
  return {
    data_ready: (data, texts) => writeLetter(deps, texts, 'data_ready', data),
    async deletion_asked(data, texts) {
      const deletion = await readDeletion(deps.database.kysely, data.userId)
      if (!deletion) return null
      const { dueAt: due, account, givesUpMoney } = deletion
      return writeLetter(deps, texts, 'deletion_asked', { ...data, due, account, givesUpMoney })
    },
    money_returned: (data, texts) => writeLetter(deps, texts, 'money_returned', data),
  }
}

async function writeLetter(
  { config, database }: Pick<Deps, 'config' | 'database'>,
  texts: Texts,
  kind: Kind,
  data: { userId: number; due?: string } & Partial<Money & MailData['money_returned']>,
): Promise<Written> {
  const user = await database.kysely
    .selectFrom('users')
    .select(['email', 'phone', 'locale', 'role'])
    .where('id', '=', data.userId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  if (!user) return null
  const { locale, email, phone } = user
  const words = texts[locale]['own-data'].mails[kind]
  const values = {
    ...(data.due && { date: isolate(formatDate(locale, data.due)) }),
    // As elsewhere, enough of the number to know one's own by.
    ...(data.account && {
      holder: isolate(data.account.holder),
      digits: data.account.rib.slice(-4),
    }),
    ...(data.amount && { amount: priceText(locale, data.amount) }),
    ...(data.reference && { reference: isolate(data.reference) }),
  }
  if (email === null) {
    if (phone === null) return null
    const text = data.account ? 'deletionTo' : KINDS[kind]
    return { phone, text: shortMessage(texts, locale, text, values), isCode: false }
  }
  const say = (text: string) => fillText(text, values)
  const path = user.role === 'PARENT' ? '/account' : '/office/profile#own-data'
  return letter({
    texts,
    locale,
    to: email,
    subject: say(words.subject),
    title: say(words.subject),
    parts: [
      { text: say(words.text) },
      ...(data.account ? [{ text: say(texts[locale]['own-data'].goesTo.account) }] : []),
      ...(data.givesUpMoney ? [{ text: texts[locale]['own-data'].goesTo.shop }] : []),
      { button: words.button, href: `${config.siteUrl}${pathIn(locale, path)}` },
    ],
  })
}
