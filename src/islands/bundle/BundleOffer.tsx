import { useStore } from '@nanostores/react'
import { useState } from 'react'
import type { Bundle } from '../../contract/bundles.ts'
import { pathIn } from '../../i18n/paths.ts'
import { restPrices, sumOf } from '../../rules/bundles.ts'
import { finalPrice } from '../../rules/discount.ts'
import { coverNote } from '../../rules/pictures.ts'
import { addBundle } from '../../stores/cart/bundle.ts'
import { $owned } from '../../stores/library/owned.ts'
import { Button } from '../parts/Button.tsx'
import { islandTexts, useLocale } from '../parts/island.tsx'
import { Message } from '../parts/Message.tsx'
import { Price, PriceOrFree } from '../parts/Price.tsx'

const { island, useTexts } = islandTexts('document:bundle', 'common:card')

const NOTHING = new Set<number>()
const nothingOwned = () => NOTHING

/** Documents at one price, which a visitor who owns some of them pays without these. */
function BundleOffer({ bundle: { id, documents }, here }: { bundle: Bundle; here: number }) {
  const locale = useLocale()
  const texts = useTexts('document:bundle')
  const { unknownTitle } = useTexts('common:card')
  const owned = useStore($owned, { ssr: nothingOwned })
  const [isAdded, setAdded] = useState(false)
  const lacked = documents.filter(({ id }) => !owned.has(id))
  const isRest = lacked.length < documents.length
  const isPair = documents.length === 2
  const price = sumOf(restPrices(lacked.map(({ bundle }) => bundle?.share ?? 0)))
  const add = () => {
    addBundle(lacked.map((each) => ({ ...each, ...coverNote(each), documentId: each.id })))
    setAdded(true)
  }
  if (lacked.length === 0) return null
  return (
    <section className="details__bundle" id={`bundle-${id}`}>
      <h2>{isPair ? texts.both : texts.together}</h2>
      <ul>
        {documents.map(({ id, title, ...priced }) => (
          <li key={id} className="cluster">
            {id === here ? (
              <bdi className="along">{title || unknownTitle}</bdi>
            ) : (
              <a className="along" href={pathIn(locale, `/shop-details/${id}`)}>
                <bdi>{title || unknownTitle}</bdi>
              </a>
            )}
            {owned.has(id) ? (
              <span className="badge badge--owned">{texts.owned}</span>
            ) : (
              <Price amount={finalPrice(priced)} className="soft" />
            )}
          </li>
        ))}
      </ul>
      <p>
        {isRest ? texts.rest : texts.price}{' '}
        <strong>
          <PriceOrFree amount={price} free={texts.free} />
        </strong>{' '}
        <s>
          <span className="visually-hidden">{texts.singly}</span>{' '}
          <Price amount={sumOf(lacked.map(finalPrice))} className="price--old" />
        </s>
      </p>
      {isAdded && <Message kind="success" text={texts.added} />}
      <p>
        {isAdded ? (
          <a className="button" href={pathIn(locale, '/checkout')}>
            {texts.cart}
          </a>
        ) : (
          <Button onClick={add}>
            {isRest ? texts.addRest : isPair ? texts.addBoth : texts.addAll}
          </Button>
        )}
      </p>
    </section>
  )
}

export default island(BundleOffer)
