import { useStore } from '@nanostores/react'
import { type MouseEvent, useEffect, useRef } from 'react'
import { fillText, priceText } from '../../i18n/format.ts'
import { finalPrice } from '../../rules/discount.ts'
import type { Millimes } from '../../rules/money.ts'
import { $cart, type CartItem } from '../../stores/cart/cart.ts'
import { $owned } from '../../stores/library/owned.ts'
import type { OrderWay } from '../../stores/purchase/order-payment.ts'
import { $ordered } from '../../stores/purchase/ordered.ts'
import {
  $canPay,
  $isAsking,
  $method,
  $purchase,
  $seenBefore,
  $total,
  cancelPurchase,
  confirmPurchase,
} from '../../stores/purchase/purchase.ts'
import { whileLoading } from '../../stores/shared/loading.ts'
import { Dialog } from '../parts/Dialog.tsx'
import { useLocale } from '../parts/island.tsx'
import { ChangedPrice } from '../parts/Price.tsx'
import { useMethodNames, useTexts } from './texts.ts'
import { WalletPanel } from './WalletPanel.tsx'

interface Props {
  /** How the customer returns to the shop from a payment on another site. */
  way: OrderWay
}

const idle = { phase: 'idle' } as const
const notStarted = () => idle
const no = () => false

/**
 * Asks for confirmation: lists once more what is about to be paid for, and how. Where prices turn out
 * to have changed, it stays open, shows each beside the one that was confirmed, and asks again.
 */
export function ConfirmPurchase(props: Props) {
  const { phase } = useStore($purchase, { ssr: notStarted })
  const isAsking = useStore($isAsking, { ssr: no })
  if (!isAsking && phase !== 'paying') return null
  return <Confirmation {...props} isPaying={phase === 'paying'} />
}

function Confirmation({ way, isPaying }: Props & { isPaying: boolean }) {
  const texts = useTexts('checkout:confirm')
  const locale = useLocale()
  const { pay: payTemplate } = useTexts('checkout:payment')
  const names = useMethodNames(way.provider)
  const ordered = useStore($ordered)
  const items = useStore($cart).items.filter(({ documentId }) => !ordered.has(documentId))
  const owned = useStore($owned)
  const total = useStore($total)
  const payText = fillText(payTemplate, { amount: priceText(locale, total) })
  const chosen = useStore($method)
  const method = chosen ?? 'wallet'
  const seen = useStore($seenBefore)
  const canPay = useStore($canPay)
  const changed = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    // The button that was pressed has become another one.
    if (seen) changed.current?.focus()
  }, [seen])
  const pay = ({ detail }: MouseEvent) => {
    // The second click of a double click must not accept prices that nobody has read.
    if (!seen || detail < 2) void whileLoading(confirmPurchase(way))
  }
  return (
    <Dialog
      title={seen ? texts.changed.title : texts.title}
      closeText={texts.close}
      onClose={cancelPurchase}
      isBusy={isPaying}
      foot={
        <>
          {(!seen || canPay || isPaying) && (
            <button
              type="button"
              className="button button--primary"
              disabled={isPaying}
              aria-busy={isPaying}
              onClick={pay}
            >
              {isPaying ? texts.paying : seen && total > 0 ? payText : texts.yes}
            </button>
          )}
          <button type="button" className="button" disabled={isPaying} onClick={cancelPurchase}>
            {texts.no}
          </button>
        </>
      }
    >
      {seen ? (
        <p ref={changed} className="alert" role="alert" tabIndex={-1}>
          {texts.changed.text}
        </p>
      ) : (
        <p>{texts.texts[total === 0 ? 'free' : method]}</p>
      )}
      <ul className="confirm-list">
        {items.map((item) => (
          <li key={item.documentId} className="cluster">
            <bdi className="along">{item.title}</bdi>
            <span className="push confirm-list__price">
              <ItemPrice
                item={item}
                isOwned={owned.has(item.documentId)}
                seen={seen?.prices.get(item.documentId)}
              />
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
            <ChangedPrice amount={total} seen={seen?.total} texts={texts.changed} />
          </dd>
        </div>
      </dl>
      {seen && !isPaying && total > 0 && method === 'wallet' && chosen && <WalletPanel />}
      {seen && !chosen && (
        <p className="alert alert--error" role="alert">
          {texts.changed.method}
        </p>
      )}
    </Dialog>
  )
}

interface ItemPriceProps {
  item: CartItem
  isOwned: boolean
  /** The price that was confirmed before, if the confirmation is asked for again. */
  seen: Millimes | undefined
}

function ItemPrice({ item, isOwned, seen }: ItemPriceProps) {
  const texts = useTexts('checkout:confirm')
  const { free } = useTexts('checkout:items')
  if (isOwned) return texts.owned
  return <ChangedPrice amount={finalPrice(item)} seen={seen} free={free} texts={texts.changed} />
}
