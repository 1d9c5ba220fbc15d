import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { accountAddress } from '../../i18n/addresses.ts'
import { fillText, priceText } from '../../i18n/format.ts'
import type { Locale } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import type { TextsAt } from '../../i18n/texts.ts'
import {
  $paymentNotice,
  forgetPayment,
  type PaymentNotice as Notice,
  type Payment,
  watchPayment,
} from '../../stores/purchase/payments.ts'
import { IconButton } from '../parts/Icon.tsx'
import { useLocale } from '../parts/island.tsx'
import { useTexts } from './texts.ts'

const nothing = () => null

/** The result of the payment from which the browser has just returned: `?payment=` in the URL. */
export function PaymentNotice() {
  const locale = useLocale()
  const { close } = useTexts('cart:dialog')
  const texts = useTexts('cart:overlays.payment')
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
            <p>{noticeText(notice, locale, texts)}</p>
            <Next notice={notice} />
          </div>
          <IconButton
            icon="close"
            label={close}
            onClick={() => {
              forgetPayment()
              cleanAddress()
            }}
          />
        </section>
      )}
    </div>
  )
}

/** Removes the payment from the URL: a reload or a shared link must not show it again. */
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

type Texts = TextsAt<'cart:overlays.payment'>

function noticeText(notice: Notice, locale: Locale, texts: Texts): string {
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

function stateOf({ state, purpose, amount }: Payment, locale: Locale, texts: Texts): string {
  if (state === 'pending') return texts.waiting
  if (state !== 'paid') return texts[state]
  if (purpose === 'order') return texts.paidOrder
  return fillText(texts.paidTopUp, { amount: priceText(locale, amount) })
}

function Next({ notice }: { notice: Notice }) {
  const locale = useLocale()
  const texts = useTexts('cart:overlays.payment')
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
