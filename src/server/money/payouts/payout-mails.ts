import { priceText } from '../../../i18n/format.ts'
import type { Texts } from '../../../i18n/texts.ts'
import { readableRib } from '../../../rules/rib.ts'
import type { Deps } from '../../deps.ts'
import type { Fact, Writers } from '../../mail/mail.ts'
import { linkTo, type Reader, write } from '../mails/letters.ts'

/** Writes the mails about payouts, each from the state at the time of sending. */
export function payoutMailWriters(
  deps: Pick<Deps, 'config' | 'database'>,
): Pick<Writers, 'payout_paid' | 'payout_refused' | 'bank_account_changed'> {
  return {
    async payout_paid({ payoutId }, texts) {
      const payout = await readPayout(deps, payoutId)
      if (payout?.status !== 'paid') return null
      const reader = readerOf(deps, payout, texts)
      const { payoutPaid, labels } = texts[payout.locale].mail
      const reference = { label: labels.reference, value: payout.reference ?? '', isStrong: true }
      return letterOf(reader, payout, payoutPaid, reference)
    },
    async payout_refused({ payoutId }, texts) {
      const payout = await readPayout(deps, payoutId)
      if (payout?.status !== 'refused') return null
      const reader = readerOf(deps, payout, texts)
      const { payoutRefused, labels } = texts[payout.locale].mail
      const reason = { label: labels.reason, value: payout.reason ?? '', isStrong: true }
      return letterOf(reader, payout, payoutRefused, reason)
    },
    async bank_account_changed({ userId }, texts) {
      const row = await readBankAccount(deps, userId)
      if (!row) return null
      const reader = readerOf(deps, row, texts)
      const { bankAccountChanged: words, labels } = texts[row.locale].mail
      return write(reader, words, {}, [
        {
          facts: [
            { label: labels.holder, value: row.holder },
            // Others may read a mail: these digits suffice to recognise one's own account.
            { label: labels.rib, value: `… ${row.rib.slice(-4)}`, isStrong: true },
          ],
        },
        { button: words.button, href: linkTo(reader, '/office/payouts') },
      ])
    },
  }
}

function letterOf(
  reader: Reader,
  payout: PayoutRow,
  words: { subject: string; title: string; text: string; button: string },
  fact: Fact,
) {
  const { locale, amount } = payout
  const { labels } = reader.texts[locale].mail
  return write(reader, words, { amount: priceText(locale, amount) }, [
    {
      facts: [
        { label: labels.payout, value: String(payout.id) },
        { label: labels.amount, value: priceText(locale, amount), isStrong: true },
        { label: labels.holder, value: payout.holder },
        { label: labels.rib, value: readableRib(payout.rib) },
        fact,
      ],
    },
    { button: words.button, href: linkTo(reader, '/office/payouts') },
  ])
}

function readerOf(
  { config }: Pick<Deps, 'config'>,
  { locale, email, firstName }: Pick<PayoutRow, 'locale' | 'email' | 'firstName'>,
  texts: Texts,
): Reader {
  return { texts, locale, to: email, name: firstName, siteUrl: config.siteUrl }
}

type PayoutRow = NonNullable<Awaited<ReturnType<typeof readPayout>>>

/** Undefined also if the teacher has no user account to send mail to. */
function readPayout({ database }: Pick<Deps, 'database'>, payoutId: number) {
  return database.kysely
    .selectFrom('payouts')
    .innerJoin('teachers', 'teachers.id', 'payouts.teacherId')
    .innerJoin('users', 'users.id', 'teachers.userId')
    .selectAll('payouts')
    .select(['users.email', 'users.firstName', 'users.locale'])
    .where('payouts.id', '=', payoutId)
    .executeTakeFirst()
}

function readBankAccount({ database }: Pick<Deps, 'database'>, userId: number) {
  return database.kysely
    .selectFrom('bankAccounts')
    .innerJoin('teachers', 'teachers.id', 'bankAccounts.teacherId')
    .innerJoin('users', 'users.id', 'teachers.userId')
    .select(['holder', 'rib', 'users.email', 'users.firstName', 'users.locale'])
    .where('users.id', '=', userId)
    .executeTakeFirst()
}
