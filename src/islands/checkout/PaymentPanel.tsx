import { shownTitle } from '../../rules/opened-cart.ts'
import { Button, ButtonLink } from '../parts/Button.tsx'
import { Message } from '../parts/Message.tsx'
import '../parts/choices.css'
import '../../parts/field.css'
import { useStore } from '@nanostores/react'
import { type MouseEvent, useEffect, useRef } from 'react'
import type { Provider } from '../../contract/orders.ts'
import { chargingAddress } from '../../i18n/addresses.ts'
import { fillText, isolate, priceText } from '../../i18n/format.ts'
import { pathIn } from '../../i18n/paths.ts'
import type { Millimes } from '../../rules/money.ts'
import {
  balanceAfter,
  canPayFromWallet,
  type PaymentMethod,
  type PaymentWays,
  takesTopUps,
} from '../../rules/payment-methods.ts'
import type { CartItem } from '../../stores/cart/cart.ts'
import { $owned } from '../../stores/library/owned.ts'
import { $cartCode, $prices } from '../../stores/purchase/cart-code.ts'
import { $acceptedTerms } from '../../stores/purchase/consent.ts'
import type { OrderWay } from '../../stores/purchase/order-payment.ts'
import { $ordered } from '../../stores/purchase/ordered.ts'
import { $items, $payable } from '../../stores/purchase/payable.ts'
import {
  $canPay,
  $isAllOrdered,
  $isAsking,
  $method,
  $methods,
  $purchase,
  $savings,
  $seenBefore,
  $total,
  $totalBefore,
  cancelPurchase,
  chooseMethod,
  confirmPurchase,
  startPurchase,
} from '../../stores/purchase/purchase.ts'
import { whileLoading } from '../../stores/shared/browser.ts'
import { $balance, $balanceLoad, loadBalance } from '../../stores/wallet/wallet.ts'
import { Dialog } from '../parts/Dialog.tsx'
import { problemText, useErrorTexts } from '../parts/error-texts.ts'
import { IconButton } from '../parts/Icon.tsx'
import { useLocale } from '../parts/island.tsx'
import { OpenPayments } from '../parts/OpenPayments.tsx'
import { ChangedPrice, Price } from '../parts/Price.tsx'
import { DeliveryNotice, TermsBox } from '../parts/TermsBox.tsx'
import { PurchaseAlert } from './PurchaseAlert.tsx'
import { useMethodNames, useTexts } from './texts.ts'

/** The choice of a payment method, the total, and the button that opens the confirmation. */
export function PaymentPanel({ provider, ways }: { provider: Provider; ways: PaymentWays }) {
  const locale = useLocale()
  const texts = useTexts('checkout:payment')
  const names = useMethodNames(provider)
  const isAllOrdered = useStore($isAllOrdered)
  const isThere = (each: PaymentMethod) => {
    if (each === 'wallet') return true
    return each === 'card' ? ways.takesCards : ways.transfers.includes(each)
  }
  const methods = useStore($methods).filter(isThere)
  const method = useStore($method)
  const total = useStore($total)
  const canPay = useStore($canPay)
  const purchase = useStore($purchase)
  const { phase } = purchase
  const isPaying = phase === 'paying' || phase === 'leaving'
  const payments = purchase.phase === 'failed' ? purchase.problem.payments : undefined
  if (isAllOrdered && !isPaying) return <AllOrdered />
  return (
    <section className="panel stack" id="payment" aria-labelledby="payment-title">
      <h2 id="payment-title">{texts.title}</h2>
      {total > 0 && (
        <fieldset className="stack">
          <legend>{texts.method}</legend>
          {methods.map((each) => (
            <label className="choice-card" key={each}>
              <input
                type="radio"
                name="method"
                value={each}
                checked={method === each}
                disabled={isPaying}
                onChange={() => chooseMethod(each)}
              />
              <span>
                <strong>{names[each]}</strong>
                <br />
                {texts.notes[each]}
              </span>
            </label>
          ))}
        </fieldset>
      )}
      {total > 0 && method === 'wallet' && <WalletPanel ways={ways} />}
      <Summary />
      {method === null && <p className="field__hint">{texts.choose}</p>}
      {payments && <OpenPayments payments={payments} />}
      <PurchaseAlert />
      <Button
        kind="primary"
        className="button--wide"
        disabled={!canPay}
        isBusy={isPaying}
        onClick={startPurchase}
      >
        {total === 0 ? texts.payFree : fillText(texts.pay, { amount: priceText(locale, total) })}
      </Button>
    </section>
  )
}

/** Shown when every item of the cart already waits in an order. */
function AllOrdered() {
  const texts = useTexts('checkout:payment')
  return (
    <section className="panel stack" id="payment" aria-labelledby="payment-title">
      <h2 id="payment-title">{texts.title}</h2>
      <p>{texts.allOrdered}</p>
      <PurchaseAlert />
      <ButtonLink className="button--wide" to="/my-documents">
        {texts.orders}
      </ButtonLink>
    </section>
  )
}

function Summary() {
  const texts = useTexts('checkout:payment')
  const items = useStore($payable)
  const savings = useStore($savings)
  const total = useStore($total)
  const before = useStore($totalBefore)
  return (
    <dl className="sum" aria-label={texts.summary}>
      <div>
        <dt>{texts.count}</dt>
        <dd>
          <bdi>{items.length}</bdi>
        </dd>
      </div>
      {savings > 0 && (
        <div>
          <dt>{texts.discount}</dt>
          <dd>
            <Price amount={savings} />
          </dd>
        </div>
      )}
      <CodeSaving />
      <div className="sum__total">
        <dt>{texts.total}</dt>
        <dd>
          <ChangedPrice amount={total} seen={before} texts={useTexts('checkout:code')} />
        </dd>
      </div>
    </dl>
  )
}

/** What the code takes off, if it applies. */
function CodeSaving() {
  const texts = useTexts('checkout:code')
  const state = useStore($cartCode)
  const saved = useStore($totalBefore) - useStore($total)
  if (!('quote' in state && state.quote)) return null
  return (
    <div>
      <dt>{fillText(texts.saving, { code: isolate(state.code) })}</dt>
      <dd>
        <Price amount={-saved} />
      </dd>
    </div>
  )
}

interface ConfirmPurchaseProps {
  /** How the customer returns to the shop from a payment on another site. */
  way: OrderWay
  ways: PaymentWays
}

const idle = { phase: 'idle' } as const
const notStarted = () => idle
const no = () => false

/**
 * Asks for confirmation: lists once more what is about to be paid for, and how. Where prices turn out
 * to have changed, it stays open, shows each beside the one that was confirmed, and asks again.
 */
export function ConfirmPurchase(props: ConfirmPurchaseProps) {
  const purchase = useStore($purchase, { ssr: notStarted })
  const { phase } = purchase
  const terms = phase === 'failed' ? purchase.problem.terms : undefined
  const isAsking = useStore($isAsking, { ssr: no })
  if (!isAsking && phase !== 'paying') return null
  return <Confirmation {...props} terms={terms} isPaying={phase === 'paying'} />
}

interface ConfirmationProps extends ConfirmPurchaseProps {
  /** The terms that the buyer has to accept first. */
  terms: number | undefined
  isPaying: boolean
}

function Confirmation({ way, ways, terms, isPaying }: ConfirmationProps) {
  const isAccepted = useStore($acceptedTerms) === terms
  const texts = useTexts('checkout:confirm')
  const locale = useLocale()
  const { pay: payTemplate } = useTexts('checkout:payment')
  const { unknownTitle } = useTexts('common:card')
  const names = useMethodNames(way.provider)
  const ordered = useStore($ordered)
  const items = useStore($items).filter(({ documentId }) => !ordered.has(documentId))
  const owned = useStore($owned)
  const total = useStore($total)
  const before = useStore($totalBefore)
  const code = useStore($cartCode)
  const codeTexts = useTexts('checkout:code')
  const errors = useErrorTexts()
  const payText = fillText(payTemplate, { amount: priceText(locale, total) })
  const chosen = useStore($method)
  const method = chosen ?? 'wallet'
  const seen = useStore($seenBefore)
  const canPay = useStore($canPay)
  const changed = useRef<HTMLDivElement>(null)
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
            <Button
              kind="primary"
              disabled={(terms !== undefined && !isAccepted) || code.phase === 'asking'}
              isBusy={isPaying}
              onClick={pay}
            >
              {isPaying ? texts.paying : seen && total > 0 ? payText : texts.yes}
            </Button>
          )}
          <Button disabled={isPaying} onClick={cancelPurchase}>
            {texts.no}
          </Button>
        </>
      }
    >
      {seen ? (
        <div ref={changed} className="alert" role="alert" tabIndex={-1}>
          <p>{texts.changed.text}</p>
          {code.phase === 'refused' && <p>{problemText(code.problem, errors)}</p>}
        </div>
      ) : (
        <p>{texts.texts[total === 0 ? 'free' : method]}</p>
      )}
      <ul className="confirm-list">
        {items.map((item) => (
          <li key={item.documentId} className="cluster">
            <bdi className="along">{shownTitle(item, unknownTitle)}</bdi>
            <span className="push confirm-list__price">
              <ItemPrice item={item} isOwned={owned.has(item.documentId)} seen={seen?.prices} />
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
        <CodeSaving />
        <div className="sum__total">
          <dt>{texts.total}</dt>
          <dd>
            <ChangedPrice
              amount={total}
              seen={seen ? seen.total : before}
              texts={seen ? texts.changed : codeTexts}
            />
          </dd>
        </div>
      </dl>
      {seen && !isPaying && total > 0 && method === 'wallet' && chosen && (
        <WalletPanel ways={ways} />
      )}
      {total > 0 && <DeliveryNotice />}
      {terms !== undefined && <TermsBox terms={terms} />}
      {seen && !chosen && <Message kind="error" text={texts.changed.method} />}
    </Dialog>
  )
}

interface ItemPriceProps {
  item: CartItem
  isOwned: boolean
  /** The prices that were confirmed before, if the confirmation is asked for again. */
  seen: ReadonlyMap<number, Millimes> | undefined
}

function ItemPrice({ item, isOwned, seen }: ItemPriceProps) {
  const texts = useTexts('checkout:confirm')
  const code = useTexts('checkout:code')
  const { free } = useTexts('checkout:items')
  const { price, priceBefore } = useStore($prices).get(item.documentId) ?? {}
  if (isOwned || price === undefined) return texts.owned
  return (
    <ChangedPrice
      amount={price}
      seen={seen ? seen.get(item.documentId) : priceBefore}
      free={free}
      texts={seen ? texts.changed : code}
    />
  )
}

function WalletPanel({ ways }: { ways: PaymentWays }) {
  const locale = useLocale()
  const texts = useTexts('checkout:payment')
  const balance = useStore($balance)
  const load = useStore($balanceLoad)
  const total = useStore($total)
  const canTopUp = takesTopUps(ways)
  if (balance === null) {
    if (load === 'failed') return <UnknownBalance />
    return (
      <div className="skeleton skeleton--button">
        <span className="visually-hidden">{texts.before}</span>
      </div>
    )
  }
  if (canPayFromWallet({ price: total, balance })) {
    return (
      <dl className="sum wallet-change">
        <div>
          <dt>{texts.before}</dt>
          <dd>
            <Price amount={balance} />
          </dd>
        </div>
        <div>
          <dt>{texts.after}</dt>
          <dd>
            <Price amount={balanceAfter({ price: total, balance })} />
          </dd>
        </div>
      </dl>
    )
  }
  return (
    <Message kind="error">
      <p>
        {texts.before} <Price amount={balance} />
      </p>
      <p>{canTopUp ? texts.short : texts.noTopUps}</p>
      <p>{fillText(texts.missing, { amount: priceText(locale, total - balance) })}</p>
      {canTopUp && (
        <p>
          <a
            className="button button--primary"
            href={chargingAddress(locale, total, pathIn(locale, '/checkout'))}
          >
            {texts.topUp}
          </a>
        </p>
      )}
    </Message>
  )
}

function UnknownBalance() {
  const texts = useTexts('checkout:payment')
  return (
    <p className="cluster">
      {texts.unknown}
      <IconButton icon="refresh" label={texts.refresh} onClick={loadBalance} />
    </p>
  )
}
