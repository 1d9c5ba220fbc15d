import type { TextsAt } from '../../i18n/text-keys.ts'
import './toast.css'
import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { fillText, priceText } from '../../i18n/format.ts'
import type { Locale } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import {
  $paymentNotice,
  forgetPayment,
  type PaymentNotice as Notice,
  type Payment,
  watchPayment,
} from '../../stores/purchase/payments.ts'
import { accountAddress } from '../parts/addresses.ts'
import { Icon } from '../parts/Icon.tsx'

/** `cart:overlays.payment` of locales. */
export type PaymentNoticeTexts = TextsAt<'cart:overlays.payment'>

interface Props {
  locale: Locale
  texts: PaymentNoticeTexts
}

const nothing = () => null

/** What came of the payment that the browser comes back from: `?payment=` in the page's address. */
export function PaymentNotice({ locale, texts }: Props) {
  const notice = useStore($paymentNotice, { ssr: nothing })
  useEffect(() => {
    const reference = new URLSearchParams(location.search).get('payment')
    if (reference) void watchPayment(reference, cleanAddress)
  }, [])
  return (
    <div role="status">
      {notice && (
        <section className={`toast payment-notice ${toneOf(notice)}`} aria-label={texts.title}>
          <div>
            <p>{textOf(notice, locale, texts)}</p>
            <Next notice={notice} locale={locale} texts={texts} />
          </div>
          <button
            type="button"
            className="icon-button"
            aria-label={texts.close}
            onClick={() => {
              forgetPayment()
              cleanAddress()
            }}
          >
            <Icon name="close" />
          </button>
        </section>
      )}
    </div>
  )
}

/** Shown once: a reload or a shared address is not about this payment any more. */
function cleanAddress(): void {
  const address = new URL(location.href)
  address.searchParams.delete('payment')
  history.replaceState(history.state, '', address)
}

function toneOf(notice: Notice): string {
  if (notice.kind !== 'known') return 'payment-notice--open'
  const { state } = notice.payment
  if (state === 'paid') return ''
  return state === 'pending' ? 'payment-notice--open' : 'payment-notice--bad'
}

function textOf(notice: Notice, locale: Locale, texts: PaymentNoticeTexts): string {
  switch (notice.kind) {
    case 'checking':
      return texts.checking
    case 'later':
      return texts.later
    case 'logged_out':
      return texts.loggedOut
    case 'unknown':
      return texts.unknown
    case 'known':
      return stateOf(notice.payment, locale, texts)
  }
}

function stateOf(
  { state, purpose, amount }: Payment,
  locale: Locale,
  texts: PaymentNoticeTexts,
): string {
  if (state === 'pending') return texts.waiting
  if (state !== 'paid') return texts[state]
  if (purpose === 'order') return texts.paidOrder
  return fillText(texts.paidTopUp, { amount: priceText(locale, amount) })
}

function Next({ notice, locale, texts }: Props & { notice: Notice }) {
  if (notice.kind === 'logged_out') {
    return (
      <a className="link" href={accountAddress(locale)}>
        {texts.login}
      </a>
    )
  }
  if (notice.kind !== 'known') return null
  const { state, purpose, paymentUrl } = notice.payment
  if (state === 'pending') {
    return paymentUrl ? (
      <a className="link" href={paymentUrl}>
        {texts.instructions}
      </a>
    ) : null
  }
  if (state === 'paid') {
    return purpose === 'order' && !location.pathname.endsWith('/my-documents') ? (
      <a className="link" href={pathIn(locale, '/my-documents')}>
        {texts.documents}
      </a>
    ) : null
  }
  return (
    <a className="link" href={pathIn(locale, purpose === 'order' ? '/checkout' : '/charging')}>
      {texts.again}
    </a>
  )
}
