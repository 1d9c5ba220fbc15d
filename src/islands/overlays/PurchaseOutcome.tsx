import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { accountAddress } from '../../i18n/addresses.ts'
import { pathIn } from '../../i18n/paths.ts'
import { writePrice } from '../../parts/written-price.ts'
import { $acceptedTerms } from '../../stores/purchase/consent.ts'
import {
  $directPurchase,
  dismissOutcome,
  type PriceChange,
} from '../../stores/purchase/direct-purchase.ts'
import { whileLoading } from '../../stores/shared/browser.ts'
import { Button } from '../parts/Button.tsx'
import { Dialog } from '../parts/Dialog.tsx'
import { useLocale } from '../parts/island.tsx'
import { Message, useSaid } from '../parts/Message.tsx'
import { TermsBox } from '../parts/TermsBox.tsx'
import { type Props as DialogProps, PurchaseDialog } from './PurchaseDialog.tsx'
import { useTexts } from './texts.ts'

const idle = { phase: 'idle' } as const
const notStarted = () => idle
const nothingAccepted = () => null

type Way = Pick<DialogProps, 'origin' | 'takesCards' | 'transfers'>

export function PurchaseOutcome(way: Way) {
  const locale = useLocale()
  const { close } = useTexts('cart:dialog')
  const texts = useTexts('purchase:modal').problem
  const notice = useTexts('purchase:notice')
  const accepted = useStore($acceptedTerms, { ssr: nothingAccepted })
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
  const { failure, isOpen, again, change, problem } = purchase
  const { terms } = problem
  if (failure === 'price_changed' && change) return <NewPrice change={change} {...way} />
  const isLoggedOut = failure === 'not_logged_in'
  const canTryAgain =
    ['payment_failed', 'busy', 'unexpected'].includes(failure) || terms !== undefined
  return (
    <Dialog
      title={terms === undefined ? texts.title : notice.title}
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
            <Button
              kind="primary"
              disabled={terms !== undefined && accepted !== terms}
              onClick={() => {
                dismissOutcome()
                void whileLoading(again())
              }}
            >
              {terms === undefined ? texts.retry : notice.goOn}
            </Button>
          )}
          <Button onClick={dismissOutcome}>{close}</Button>
        </>
      }
    >
      {failure === 'terms_not_accepted' ? (
        terms !== undefined && <TermsBox terms={terms} />
      ) : (
        <Message kind="error" text={texts[failure]} />
      )}
      {isOpen && !isLoggedOut && (
        <p>{problem.nothingCharged ? texts.nothingCharged : texts.safe}</p>
      )}
    </Dialog>
  )
}

/** Shows the price that has changed, and asks again how to pay it. */
function NewPrice({ change: { item, seen }, ...way }: Way & { change: PriceChange }) {
  const locale = useLocale()
  const { changed, free } = useTexts('purchase:modal')
  const said = useSaid<HTMLParagraphElement>(undefined)
  useEffect(() => writePrice(locale, item, free), [locale, item, free])
  const content = (
    <>
      <p className="alert" role="alert" ref={said}>
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
