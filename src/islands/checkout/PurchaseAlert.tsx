import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { fillText } from '../../i18n/format.ts'
import type { Locale } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import { $purchase } from '../../stores/purchase.ts'
import type { CheckoutTexts } from './texts.ts'

interface Props {
  locale: Locale
  texts: CheckoutTexts['result']
}

const choosing = { phase: 'choosing' } as const
const notStarted = () => choosing

/** What came of the purchase. After a success the page leaves for my documents, which says it again. */
export function PurchaseAlert({ locale, texts }: Props) {
  const purchase = useStore($purchase, { ssr: notStarted })
  const address = pathIn(locale, '/my-documents')
  const isSettled = purchase.phase === 'done' && purchase.isSettled

  useEffect(() => {
    if (isSettled) location.assign(address)
  }, [isSettled, address])

  if (purchase.phase === 'failed') {
    const isShort = purchase.problem.code === 'insufficient_balance'
    return (
      <div className="alert alert--error" role="alert">
        <p>{isShort ? texts.insufficient : texts.unexpected}</p>
        {purchase.isOpen && <p>{texts.safe}</p>}
      </div>
    )
  }
  if (purchase.phase !== 'done') return null
  const titles = purchase.excluded.map((title) => `\u2068${title}\u2069`).join(', ')
  return (
    <div
      className={purchase.excluded.length > 0 ? 'alert alert--info' : 'alert alert--success'}
      role="status"
    >
      <p>{titles ? fillText(texts.partial, { titles }) : texts.success}</p>
      <p>
        {texts.going}{' '}
        <a className="link" href={address}>
          {texts.go}
        </a>
      </p>
    </div>
  )
}
