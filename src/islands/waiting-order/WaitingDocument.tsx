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
 * Replaces the buttons on a document's page while the document waits in an order. Every page
 * contains it; the styles show it when the page's script sets `data-state`.
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
