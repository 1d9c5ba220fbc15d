import { fillText, priceText } from '../../../i18n/format.ts'
import { finalPrice } from '../../../rules/discount.ts'
import { teacherShare } from '../../../rules/payouts.ts'
import { amountIn, type TextValues } from '../../../stores/office/documents/text.ts'
import { Field } from '../../parts/Field.tsx'
import { useLocale, useTexts } from '../../parts/island.tsx'
import type { FieldOf } from './field-of.ts'

interface Props {
  fieldOf: FieldOf
  values: TextValues
  sharePercent: number | null
}

/** The price of the document, and what its teacher earns with each sale. */
export function PriceFields({ fieldOf, values, sharePercent }: Props) {
  const locale = useLocale()
  const texts = useTexts('office-documents:form')
  const fields = useTexts('office-documents:fields')
  const price = amountIn(values.price)
  const pricePaid =
    price === null ? null : finalPrice({ price, priceDiscount: amountIn(values.priceDiscount) })

  const earningsText = () => {
    if (pricePaid === null || sharePercent === null) return texts.earns.unknown
    if (pricePaid === 0) return texts.earns.free
    const amount = teacherShare(pricePaid, sharePercent)
    return fillText(texts.earns.each, {
      amount: priceText(locale, amount),
      price: priceText(locale, pricePaid),
      percent: sharePercent,
    })
  }
  const amount = { inputMode: 'decimal', dir: 'ltr', autoComplete: 'off' } as const
  return (
    <section className="stack">
      <h2>{fields.price}</h2>
      <div className="editor__row">
        <Field label={texts.priceLabel} {...amount} {...fieldOf('price')} />
        <Field label={texts.discountLabel} {...amount} {...fieldOf('priceDiscount')} />
      </div>
      <p className="editor__earned" role="status">
        {earningsText()}
      </p>
    </section>
  )
}
