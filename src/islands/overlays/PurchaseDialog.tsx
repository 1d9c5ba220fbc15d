import { useStore } from '@nanostores/react'
import { type MouseEvent, type ReactNode, useEffect, useState } from 'react'
import { chargingAddress } from '../../i18n/addresses.ts'
import { fillText, isolate, priceText } from '../../i18n/format.ts'
import { pathIn, splitPath } from '../../i18n/paths.ts'
import type { NewItem } from '../../rules/cart.ts'
import type { Millimes } from '../../rules/money.ts'
import {
  balanceAfter,
  canOrder,
  canPayFromWallet,
  type PaymentWays,
  takesTopUps,
} from '../../rules/payment-methods.ts'
import { addToCart } from '../../stores/cart/cart.ts'
import { $code } from '../../stores/purchase/code.ts'
import {
  buyFromWallet,
  directMethodOn,
  type ItemToBuy,
  itemToBuy,
  payDirectly,
  withCode,
} from '../../stores/purchase/direct-purchase.ts'
import { whileLoading } from '../../stores/shared/browser.ts'
import { closeDialog } from '../../stores/shared/dialogs.ts'
import { $balance, $balanceLoad, loadBalance } from '../../stores/wallet/wallet.ts'
import { Button } from '../parts/Button.tsx'
import { Dialog } from '../parts/Dialog.tsx'
import { IconButton } from '../parts/Icon.tsx'
import { useLocale } from '../parts/island.tsx'
import { Message } from '../parts/Message.tsx'
import { ChangedPrice, Price } from '../parts/Price.tsx'
import { DeliveryNotice } from '../parts/TermsBox.tsx'
import { useTexts } from './texts.ts'

/** Without a gateway, documents are ordered in the checkout. */
export interface Props extends PaymentWays {
  item: NewItem
  /** The configured origin of the shop. */
  origin: string
  /** Replaces the title, the name of the document, and "continue shopping". */
  intro?: { title: string; content: ReactNode; stay: string }
  /** The price that was shown before, if the dialog asks again because it has changed. */
  seen?: Millimes
  onClose?: () => void
}

type TitledItem = NewItem & { title: string }

/** Offers the ways to buy a document now. Every action closes the dialog. */
export function PurchaseDialog({ item, intro, seen, onClose = closeDialog, ...way }: Props) {
  const { close } = useTexts('cart:dialog')
  const texts = useTexts('purchase:modal')
  const { state, wanted, askAgain } = useKeptCode(itemToBuy(item))
  useEffect(() => {
    void loadBalance()
  }, [])
  return (
    <Dialog
      title={intro?.title ?? texts.title}
      closeText={close}
      onClose={onClose}
      foot={
        <Actions
          {...way}
          item={item}
          wanted={wanted}
          stay={intro?.stay ?? texts.continue}
          isAgain={seen !== undefined}
          isAsking={state === 'asking'}
          onClose={onClose}
        />
      }
    >
      {intro?.content ?? (
        <p className="along" dir="auto">
          <strong>{wanted.title}</strong>
        </p>
      )}
      <PurchaseSums wanted={wanted} isAsking={state === 'asking'} seen={seen} ways={way} />
      {state === 'failed' && <UnusedCode onRetry={askAgain} />}
      {wanted.price > 0 && <DeliveryNotice />}
    </Dialog>
  )
}

/** The document with what the kept code, if any, does for it; until that is known, it cannot be paid. */
function useKeptCode(item: ItemToBuy) {
  const code = useStore($code)
  const [attempt, setAttempt] = useState(0)
  const about = `${code} ${item.documentId} ${item.price} ${attempt}`
  const [answer, setAnswer] = useState<{ about: string; wanted: ItemToBuy | null }>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: `about` says all that the answer depends on
  useEffect(() => {
    let isCurrent = true
    const show = (wanted: ItemToBuy | null) => isCurrent && setAnswer({ about, wanted })
    if (code) withCode(item).then(show, () => show(null))
    return () => {
      isCurrent = false
    }
  }, [about])
  const known = answer?.about === about ? answer : undefined
  return {
    state: !code ? 'none' : !known ? 'asking' : known.wanted ? 'known' : 'failed',
    wanted: (code && known?.wanted) || item,
    askAgain: () => setAttempt(attempt + 1),
  }
}

/** Says that the price is without the code. */
function UnusedCode({ onRetry }: { onRetry: () => void }) {
  const texts = useTexts('purchase:modal')
  const code = useStore($code)
  return (
    <Message kind="line">
      <p className="cluster">
        {fillText(texts.code.unused, { code: isolate(code) })}
        <IconButton icon="refresh" label={texts.problem.retry} onClick={onRetry} />
      </p>
    </Message>
  )
}

/**
 * The wallet modal for a customer, shown once, after the first document ever added to the cart,
 * which can be bought at once.
 */
export function FirstPurchase({ item, ...way }: Omit<Props, 'item'> & { item: TitledItem }) {
  const texts = useTexts('cart:overlays.walletIntro')
  const content = (
    <>
      {/* Screen readers do not announce the notice behind a modal. */}
      <p>{fillText(texts.added, { title: isolate(item.title) })}</p>
      <p>{texts.text}</p>
    </>
  )
  const intro = { title: texts.title, content, stay: texts.ok }
  return <PurchaseDialog {...way} item={item} intro={intro} />
}

interface ActionsProps extends Pick<Props, 'item' | 'origin' | keyof PaymentWays> {
  wanted: ItemToBuy
  stay: string
  /** Whether it is asked again, since the price has changed. */
  isAgain: boolean
  /** Whether the price with the code is awaited. */
  isAsking: boolean
  onClose: () => void
}

function Actions({
  item,
  wanted,
  origin,
  stay,
  isAgain,
  isAsking,
  onClose,
  ...ways
}: ActionsProps) {
  const locale = useLocale()
  const texts = useTexts('purchase:modal')
  const { price } = wanted
  const isCovered = canPayFromWallet({ price, balance: useStore($balance) ?? 0 })
  const isDirect = canOrder(price, ways)
  const method = directMethodOn(splitPath(location.pathname).path)
  const run = ({ detail }: MouseEvent, work: () => Promise<void>) => {
    // The second click of a double click must not accept a price that nobody has read.
    if (isAgain && detail > 1) return
    onClose()
    void whileLoading(work())
  }
  const direct = { method, locale, origins: [location.origin, origin] }
  const inCheckout = async () => {
    addToCart(item)
    location.assign(pathIn(locale, '/checkout'))
  }
  return (
    <>
      {isCovered && (
        <Button
          kind="primary"
          isBusy={isAsking}
          disabled={isAsking}
          onClick={(event) => run(event, () => buyFromWallet(wanted))}
        >
          {price === 0
            ? texts.getFree
            : isAgain
              ? fillText(texts.changed.pay, { amount: priceText(locale, price) })
              : texts.payWallet}
        </Button>
      )}
      {!isCovered && isDirect && (
        <Button
          kind="primary"
          isBusy={isAsking}
          disabled={isAsking}
          onClick={(event) =>
            run(event, () => (ways.takesCards ? payDirectly(wanted, direct) : inCheckout()))
          }
        >
          {fillText(texts.payDirect, { amount: priceText(locale, price) })}
        </Button>
      )}
      {!isCovered && takesTopUps(ways) && (
        <a
          className={isDirect ? 'button' : 'button button--primary'}
          href={chargingAddress(locale, price)}
          onClick={onClose}
        >
          {texts.topUp}
        </a>
      )}
      <Button kind="plain" onClick={onClose}>
        {stay}
      </Button>
    </>
  )
}

interface PurchaseSumsProps {
  wanted: ItemToBuy
  isAsking: boolean
  ways: PaymentWays
  /** The price that was shown before, if it has changed. */
  seen?: Millimes | undefined
}

function PurchaseSums({ wanted, isAsking, seen, ways }: PurchaseSumsProps) {
  const { price, before, code } = wanted
  const texts = useTexts('purchase:modal')
  const balance = useStore($balance)
  const load = useStore($balanceLoad)
  const isKnown = balance !== null
  const isShort = isKnown && !canPayFromWallet({ price, balance })
  return (
    <>
      <dl className="dialog__sums" aria-live="polite">
        <div>
          <dt>{texts.price}</dt>
          <dd>
            {isAsking ? (
              <span className="spinner" />
            ) : (
              <ChangedPrice
                amount={price}
                seen={seen ?? before}
                free={texts.free}
                texts={texts.changed}
              />
            )}
          </dd>
        </div>
        {code && before !== undefined && (
          <div>
            <dt>{fillText(texts.code.used, { code: isolate(code) })}</dt>
            <dd>
              <Price amount={price - before} />
            </dd>
          </div>
        )}
        <div>
          <dt>{texts.balance}</dt>
          <dd>
            {isKnown && <Price amount={balance} />}
            {!isKnown && load === 'failed' && <Unknown />}
            {!isKnown && load !== 'failed' && <span className="spinner" />}
          </dd>
        </div>
        {isKnown && !isShort && !isAsking && (
          <div className="dialog__total">
            <dt>{texts.after}</dt>
            <dd>
              <Price amount={balanceAfter({ price, balance })} />
            </dd>
          </div>
        )}
      </dl>
      {isShort && !isAsking && <Short price={price} balance={balance} ways={ways} />}
    </>
  )
}

function Unknown() {
  const texts = useTexts('purchase:modal')
  return (
    <span className="cluster">
      {texts.unknown}
      <IconButton icon="refresh" label={texts.refresh} onClick={loadBalance} />
    </span>
  )
}

interface ShortProps {
  price: Millimes
  balance: Millimes
  ways: PaymentWays
}

function Short({ price, balance, ways }: ShortProps) {
  const locale = useLocale()
  const texts = useTexts('purchase:modal')
  const isDirect = canOrder(price, ways)
  const canTopUp = takesTopUps(ways)
  const otherwise = canTopUp
    ? texts.topUpNeeded
    : texts[ways.transfers.length > 0 ? 'orderMore' : 'noTopUps']
  const missing = fillText(texts.missing, { amount: priceText(locale, price - balance) })
  return (
    <div className={isDirect ? 'alert' : 'alert alert--error'}>
      <p>
        <strong>{texts.insufficient}</strong>
      </p>
      {isDirect && <p>{missing}</p>}
      <p>{isDirect ? texts.choice : otherwise}</p>
      {canTopUp && <p className="soft small">{texts.minimum}</p>}
    </div>
  )
}
