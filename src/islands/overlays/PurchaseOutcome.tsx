import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { pathIn } from '../../i18n/paths.ts'
import {
  $directPurchase,
  dismissOutcome,
  type PriceChange,
} from '../../stores/purchase/direct-purchase.ts'
import { whileLoading } from '../../stores/shared/loading.ts'
import { accountAddress } from '../parts/addresses.ts'
import { Dialog } from '../parts/Dialog.tsx'
import { useLocale } from '../parts/island.tsx'
import { type Props as DialogProps, PurchaseDialog } from './PurchaseDialog.tsx'
import { writePrice } from './page-prices.ts'
import { useTexts } from './texts.ts'

const idle = { phase: 'idle' } as const
const notStarted = () => idle

type Way = Pick<DialogProps, 'origin' | 'takesCards'>

/** The outcome of a purchase: opens the next page, or says why it failed. */
export function PurchaseOutcome(way: Way) {
  const locale = useLocale()
  const { close } = useTexts('cart:dialog')
  const texts = useTexts('purchase:modal').problem
  const purchase = useStore($directPurchase, { ssr: notStarted })
  const { phase } = purchase
  const address =
    phase === 'done' && purchase.isSettled
      ? pathIn(locale, '/my-documents')
      : phase === 'leaving'
        ? purchase.paymentUrl
        : null

  useEffect(() => {
    if (address) location.assign(address)
  }, [address])
  useEffect(() => {
    // The browser may restore this page as it was when the visitor goes back from there.
    const back = ({ persisted }: PageTransitionEvent) => persisted && dismissOutcome()
    addEventListener('pageshow', back)
    return () => removeEventListener('pageshow', back)
  }, [])

  if (phase !== 'failed') return null
  const { failure, isOpen, again, change } = purchase
  if (failure === 'price_changed' && change) return <NewPrice change={change} {...way} />
  const isLoggedOut = failure === 'not_logged_in'
  const canTryAgain = failure === 'payment_failed' || failure === 'unexpected'
  return (
    <Dialog
      title={texts.title}
      closeText={close}
      onClose={dismissOutcome}
      foot={
        <>
          {isLoggedOut && (
            <a className="button button--primary" href={accountAddress(locale)}>
              {texts.login}
            </a>
          )}
          {canTryAgain && (
            <button
              type="button"
              className="button button--primary"
              onClick={() => {
                dismissOutcome()
                void whileLoading(again())
              }}
            >
              {texts.retry}
            </button>
          )}
          <button type="button" className="button" onClick={dismissOutcome}>
            {close}
          </button>
        </>
      }
    >
      <p role="alert">{texts[failure]}</p>
      {isOpen && !isLoggedOut && <p>{texts.safe}</p>}
    </Dialog>
  )
}

/** Shows the price that has changed, and asks again how to pay it. */
function NewPrice({ change: { item, seen }, ...way }: Way & { change: PriceChange }) {
  const locale = useLocale()
  const { changed, free } = useTexts('purchase:modal')
  useEffect(() => writePrice(locale, item, free), [locale, item, free])
  const content = (
    <>
      <p className="alert" role="alert">
        {changed.text}
      </p>
      <p className="along" dir="auto">
        <strong>{item.title}</strong>
      </p>
    </>
  )
  const intro = { title: changed.title, content, stay: changed.no }
  return <PurchaseDialog {...way} item={item} intro={intro} seen={seen} onClose={dismissOutcome} />
}
