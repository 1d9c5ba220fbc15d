import './waiting-order.css'
import { useStore } from '@nanostores/react'
import type { Locale } from '../../i18n/locales.ts'
import { $ordered } from '../../stores/purchase/ordered.ts'
import { WaitingOrder, type WaitingOrderTexts } from './WaitingOrder.tsx'

interface Props {
  documentId: number
  locale: Locale
  texts: WaitingOrderTexts
}

const NONE = new Map<number, number>()
const none = () => NONE

/**
 * On a document's page, in place of its buttons while it waits in an order. It is always in the page;
 * the paint script says by `data-ordered` whether it is seen.
 */
export default function WaitingDocument({ documentId, locale, texts }: Props) {
  const orderId = useStore($ordered, { ssr: none }).get(documentId)
  return (
    <div className="waiting-document" data-document={documentId} suppressHydrationWarning>
      <p className="badge badge--new">{texts.status}</p>
      <WaitingOrder orderId={orderId} locale={locale} texts={texts} />
    </div>
  )
}
