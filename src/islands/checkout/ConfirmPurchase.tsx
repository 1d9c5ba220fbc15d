import { useStore } from '@nanostores/react'
import { finalPrice } from '../../rules/discount.ts'
import { $cart } from '../../stores/cart/cart.ts'
import { $owned } from '../../stores/library/owned.ts'
import type { OrderWay } from '../../stores/purchase/order-payment.ts'
import { $ordered } from '../../stores/purchase/ordered.ts'
import {
  $method,
  $purchase,
  $total,
  cancelPurchase,
  confirmPurchase,
} from '../../stores/purchase/purchase.ts'
import { whileLoading } from '../../stores/shared/loading.ts'
import { Dialog } from '../parts/Dialog.tsx'
import { Price, PriceOrFree } from '../parts/Price.tsx'
import { useMethodNames, useTexts } from './texts.ts'

interface Props {
  /** How the customer returns to the shop from a payment on another site. */
  way: OrderWay
}

const idle = { phase: 'idle' } as const
const notStarted = () => idle

/** Asks for confirmation: lists once more what is about to be paid for, and how. */
export function ConfirmPurchase(props: Props) {
  const { phase } = useStore($purchase, { ssr: notStarted })
  if (phase !== 'confirming' && phase !== 'paying') return null
  return <Confirmation {...props} isPaying={phase === 'paying'} />
}

function Confirmation({ way, isPaying }: Props & { isPaying: boolean }) {
  const texts = useTexts('checkout:confirm')
  const { free } = useTexts('checkout:items')
  const names = useMethodNames(way.provider)
  const ordered = useStore($ordered)
  const items = useStore($cart).items.filter(({ documentId }) => !ordered.has(documentId))
  const owned = useStore($owned)
  const total = useStore($total)
  const method = useStore($method) ?? 'wallet'
  return (
    <Dialog
      title={texts.title}
      closeText={texts.close}
      onClose={cancelPurchase}
      isBusy={isPaying}
      foot={
        <>
          <button
            type="button"
            className="button button--primary"
            disabled={isPaying}
            aria-busy={isPaying}
            onClick={() => whileLoading(confirmPurchase(way))}
          >
            {isPaying ? texts.paying : texts.yes}
          </button>
          <button type="button" className="button" disabled={isPaying} onClick={cancelPurchase}>
            {texts.no}
          </button>
        </>
      }
    >
      <p>{texts.texts[total === 0 ? 'free' : method]}</p>
      <ul className="confirm-list">
        {items.map((item) => (
          <li key={item.documentId} className="cluster">
            <bdi className="along">{item.title}</bdi>
            <span className="push">
              {owned.has(item.documentId) ? (
                texts.owned
              ) : (
                <PriceOrFree amount={finalPrice(item)} free={free} />
              )}
            </span>
          </li>
        ))}
      </ul>
      <dl className="sum">
        {total > 0 && (
          <div>
            <dt>{texts.method}</dt>
            <dd>{names[method]}</dd>
          </div>
        )}
        <div className="sum__total">
          <dt>{texts.total}</dt>
          <dd>
            <Price amount={total} />
          </dd>
        </div>
      </dl>
    </Dialog>
  )
}
