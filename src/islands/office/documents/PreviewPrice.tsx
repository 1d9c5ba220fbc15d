import type { OwnDocument } from '../../../contract/own-document.ts'
import { percentText } from '../../../i18n/format.ts'
import { priceOf } from '../../parts/document-price.ts'
import { useLocale, useTexts } from '../../parts/island.tsx'
import { Price, PriceOrFree } from '../../parts/Price.tsx'

type Priced = Pick<OwnDocument, 'price' | 'priceDiscount'>

/** The price as `PriceTag.astro` shows it; nothing if the document has no price. */
export function PreviewPrice({ document, isBig }: { document: Priced; isBig?: boolean }) {
  const texts = useTexts('common:price')
  const { price, priceDiscount } = document
  if (price === null) return null
  const { now, old } = priceOf({ price, priceDiscount })
  return (
    <p className="price-tag">
      <PriceOrFree amount={now} free={texts.free} {...(isBig && { className: 'price--big' })} />
      {old !== null && (
        <s>
          <Price amount={old} className="price--old" />
        </s>
      )}
      {isBig && <DiscountBadge document={document} className="badge" />}
    </p>
  )
}

/** The discount in percent; nothing without a discount. */
export function DiscountBadge({
  document: { price, priceDiscount },
  className = 'badge card__badge',
}: {
  document: Priced
  className?: string
}) {
  const locale = useLocale()
  const texts = useTexts('common:price')
  const percent = price === null ? 0 : priceOf({ price, priceDiscount }).percent
  if (percent === 0) return null
  return (
    <span className={className}>
      <span className="visually-hidden">{texts.saved}</span>{' '}
      <bdi dir="ltr">−{percentText(locale, percent)}</bdi>
    </span>
  )
}
