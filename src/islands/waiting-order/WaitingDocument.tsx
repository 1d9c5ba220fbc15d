import './waiting-order.css'
import { useStore } from '@nanostores/react'
import { $ordered } from '../../stores/purchase/ordered.ts'
import { islandTexts } from '../parts/island.tsx'
import { WaitingOrder } from './WaitingOrder.tsx'

const { island, useTexts } = islandTexts('order:waiting')

interface Props {
  documentId: number
}

const NONE = new Map<number, number>()
const none = () => NONE

/**
 * Stands on a document's page in place of its buttons while the document waits in an order. Every page
 * contains it; the paint script sets `data-state`, by which the styles show it.
 */
function WaitingDocument({ documentId }: Props) {
  const texts = useTexts('order:waiting')
  const orderId = useStore($ordered, { ssr: none }).get(documentId)
  return (
    <div className="waiting-document" data-document={documentId} suppressHydrationWarning>
      <p className="badge badge--new">{texts.status}</p>
      <WaitingOrder orderId={orderId} />
    </div>
  )
}

export default island(WaitingDocument)
