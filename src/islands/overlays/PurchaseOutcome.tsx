import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { accountAddress } from '../../i18n/addresses.ts'
import { bareAmount } from '../../i18n/format.ts'
import type { Locale } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import { finalPrice, isDiscounted, type Priced } from '../../rules/discount.ts'
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

/**
 * Writes a document's current price into the page, which was rendered with an earlier one: into the
 * controls, where the next press reads it (`add-to-cart.ts`), and beside them (`PriceTag.astro`).
 * The percentage saved, which may be on the cover, is removed. `free` is the word for 0.
 */
function writePrice(
  locale: Locale,
  { documentId, ...priced }: Priced & { documentId: number },
  free: string,
): void {
  const all = document.querySelectorAll<HTMLElement>(`add-to-cart[data-document="${documentId}"]`)
  for (const { dataset, parentElement } of all) {
    dataset.price = String(priced.price)
    delete dataset.discount
    if (isDiscounted(priced)) dataset.discount = String(priced.priceDiscount)
    const place = parentElement?.closest('li, aside')
    place?.querySelector('.badge[role=img]')?.remove()
    const tag = place?.querySelector('.price-tag')
    if (!tag) continue
    const isBig = tag.querySelector('.price--big') !== null
    const amount = finalPrice(priced)
    const now = priceElement('bdi', amount === 0 ? free : bareAmount(locale, amount))
    now.classList.toggle('price--free', amount === 0)
    now.classList.toggle('price--big', isBig)
    const old = isDiscounted(priced) && priceElement('s', bareAmount(locale, priced.price))
    if (old) old.classList.add('price--old')
    const line = document.createElement('p')
    line.className = 'price-tag'
    line.append(now, ...(old ? [' ', old] : []))
    tag.replaceWith(line)
  }
}

function priceElement(name: 'bdi' | 's', text: string): HTMLElement {
  const element = document.createElement(name)
  element.className = 'price'
  element.dir = 'auto'
  element.textContent = text
  return element
}
