import './summary.css'
import type { Earned, EarningsSummary } from '../../../contract/earnings.ts'
import { formatDate } from '../../../i18n/dates.ts'
import { fillText, limitText, pluralText, priceText } from '../../../i18n/format.ts'
import { pathIn } from '../../../i18n/paths.ts'
import { useLocale } from '../../parts/island.tsx'
import { Money } from '../parts/cells.tsx'
import { dayText } from '../parts/dates.ts'
import { useTexts } from './texts.ts'

/** The available and held amounts, and the earnings of today, this month and this year. */
export function Summary({ earnings }: { earnings: EarningsSummary }) {
  const locale = useLocale()
  const texts = useTexts('office-earnings:earnings')
  const { available, balance, requested, terms } = earnings
  const withAmount = (text: string, amount: number) =>
    fillText(text, { amount: priceText(locale, amount) })
  return (
    <>
      <section className="summary">
        <p className="summary__label">{texts.available}</p>
        <p className="summary__amount">
          <Money amount={available} />
        </p>
        {available >= terms.payoutMinimum && requested === 0 && (
          <p>
            <a className="button button--primary" href={pathIn(locale, '/office/payouts')}>
              {texts.ask}
            </a>
          </p>
        )}
        {available < terms.payoutMinimum && (
          <p>{fillText(texts.tooLittle, { minimum: limitText(locale, terms.payoutMinimum) })}</p>
        )}
        {balance < 0 && <p>{withAmount(texts.owed, -balance)}</p>}
        {requested > 0 && <p>{withAmount(texts.requested, requested)}</p>}
        <Held earnings={earnings} />
      </section>
      <dl className="spans">
        <Span term={texts.today} earned={earnings.today} />
        <Span term={texts.thisMonth} earned={earnings.thisMonth} />
        <Span term={texts.thisYear} earned={earnings.thisYear} />
      </dl>
      <p className="soft">
        {fillText(texts.terms, {
          percent: terms.sharePercent,
          days: pluralText(locale, texts.plurals, 'days', terms.holdDays),
        })}
      </p>
    </>
  )
}

/** The earnings of recent sales, which cannot be paid out yet; with the release days if several. */
function Held({ earnings: { held, heldUntil, releases } }: { earnings: EarningsSummary }) {
  const locale = useLocale()
  const texts = useTexts('office-earnings:earnings')
  if (held === 0 || !heldUntil) return null
  const sentence = fillText(texts.held, {
    amount: priceText(locale, held),
    date: formatDate(locale, heldUntil),
  })
  if (releases.length < 2) return <p>{sentence}</p>
  return (
    <div>
      <p>{sentence}</p>
      <details>
        <summary className="summary__more">{texts.releases}</summary>
        <ul className="releases">
          {releases.map(({ day, amount }) => (
            <li key={day}>
              <span>{dayText(locale, day)}</span> <Money amount={amount} />
            </li>
          ))}
        </ul>
      </details>
    </div>
  )
}

function Span({ term, earned }: { term: string; earned: Earned }) {
  const locale = useLocale()
  const texts = useTexts('office-earnings:earnings')
  const { share, refunded, sales } = earned
  return (
    <div className="spans__one">
      <dt>{term}</dt>
      <dd className="spans__amount">
        <Money amount={share - refunded} />
      </dd>
      <dd className="soft">
        {pluralText(locale, texts.plurals, 'sold', sales)}
        {refunded > 0 && (
          <> · {fillText(texts.refunded, { amount: priceText(locale, refunded) })}</>
        )}
      </dd>
    </div>
  )
}
