import '../earnings/summary.css'
import type { Commissions } from '../../../contract/office-commissions.ts'
import { fillText } from '../../../i18n/format.ts'
import { useTexts } from './texts.ts'

interface Props {
  shop: Commissions['shop']
  onChange: () => void
}

/** The share of all teachers who have no share of their own. */
export function ShopShare({ shop: { percent, isSet }, onChange }: Props) {
  const texts = useTexts('office-commissions:commissions')
  const { percent: rate } = useTexts('office:table')
  return (
    <section className="summary">
      <h2 className="summary__label">{texts.shop}</h2>
      <p className="summary__amount">{fillText(rate, { percent })}</p>
      <p>
        {fillText(texts.split, { teacher: percent, shop: 100 - percent })}
        {!isSet && <> · {texts.isDefault}</>}
      </p>
      <p className="soft">{texts.text}</p>
      <button
        type="button"
        className="button"
        aria-label={fillText(texts.changeOf, { name: texts.whole })}
        onClick={onChange}
      >
        {texts.change}
      </button>
    </section>
  )
}
