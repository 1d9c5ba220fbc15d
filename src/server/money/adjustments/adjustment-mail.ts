import { priceText } from '../../../i18n/format.ts'
import type { Deps } from '../../deps.ts'
import type { Writers } from '../../mail/mail.ts'
import { linkTo, write } from '../mails/letters.ts'

/**
 * Writes the mail that says that the shop added money to a wallet or took some. The reason is in the words of
 * the staff.
 */
export function adjustmentMailWriter({
  config: { siteUrl },
  database,
}: Pick<Deps, 'config' | 'database'>): Pick<Writers, 'wallet_adjusted'> {
  return {
    async wallet_adjusted({ adjustmentId }, texts) {
      const adjustment = await database.kysely
        .selectFrom('adjustments')
        .innerJoin('users', 'users.id', 'adjustments.userId')
        .select(['amount', 'state', 'users.email', 'users.firstName', 'users.locale'])
        .where('adjustments.id', '=', adjustmentId)
        .executeTakeFirst()
      if (adjustment?.state !== 'made') return null
      const { amount, email, firstName, locale } = adjustment
      const { walletAdjusted, labels } = texts[locale].mail
      const { button, given, taken } = walletAdjusted
      const size = priceText(locale, Math.abs(amount))
      const reader = { texts, locale, to: email, name: firstName, siteUrl }
      return write(reader, amount > 0 ? given : taken, { amount: size }, [
        { facts: [{ label: labels.amount, value: size, isStrong: true }] },
        { text: walletAdjusted.questions },
        { button, href: linkTo(reader, '/charging') },
      ])
    },
  }
}
