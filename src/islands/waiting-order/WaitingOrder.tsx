import { Button } from '../parts/Button.tsx'
import { Message } from '../parts/Message.tsx'
import '../../parts/field.css'
import './waiting-order.css'
import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { fillText, isolate } from '../../i18n/format.ts'
import { pathIn } from '../../i18n/paths.ts'
import { $ordered } from '../../stores/purchase/ordered.ts'
import { $cancelling, cancelOrder } from '../../stores/purchase/orders.ts'
import { islandTexts, useLocale, useTexts } from '../parts/island.tsx'

interface Props {
  /** Undefined on the server, where it is not known. */
  orderId: number | undefined
  /** True on the order's own page, which needs no link to itself. */
  isOwnPage?: boolean
}

const idle = () => 'idle' as const

export function WaitingOrder({ orderId, isOwnPage = false }: Props) {
  const locale = useLocale()
  const texts = useTexts('order:waiting')
  const [isAsking, setAsking] = useState(false)
  const state = useStore($cancelling, { ssr: idle })
  const isBusy = state === 'cancelling'
  const problem = typeof state === 'object' ? state : null
  return (
    <div className="waiting-order">
      {!isAsking && (
        <p className="cluster">
          {!isOwnPage && (
            <a
              className="button button--plain"
              href={pathIn(
                locale,
                orderId === undefined ? '/my-documents' : `/order?id=${orderId}`,
              )}
            >
              {texts.see}
            </a>
          )}
          <button
            type="button"
            className={isOwnPage ? 'button' : 'button button--plain'}
            onClick={() => setAsking(true)}
          >
            {texts.cancel}
          </button>
        </p>
      )}
      {isAsking && orderId !== undefined && (
        <div className="waiting-order__question">
          <p>{fillText(texts.sure, { order: isolate(orderId) })}</p>
          <p className="cluster">
            <Button isBusy={isBusy} onClick={() => void cancelOrder(orderId)}>
              {isBusy ? texts.cancelling : texts.yes}
            </Button>
            <Button
              kind="plain"
              // The pressed button is gone; the harmless answer takes its focus.
              autoFocus
              disabled={isBusy}
              onClick={() => setAsking(false)}
            >
              {texts.keep}
            </Button>
          </p>
          {problem && (
            <Message kind="line" text={problem.code === 'order_paid' ? texts.paid : texts.failed} />
          )}
        </div>
      )}
    </div>
  )
}

const { island } = islandTexts('order:waiting')

const NONE = new Map<number, number>()
const none = () => NONE

/**
 * Replaces the buttons on a document's page while the document waits in an order. Every page
 * contains it; the styles show it beside the controls of a document that waits.
 */
function WaitingDocument({ documentId }: { documentId: number }) {
  const texts = useTexts('order:waiting')
  const orderId = useStore($ordered, { ssr: none }).get(documentId)
  return (
    <div className="waiting-document">
      <p className="badge badge--new">{texts.status}</p>
      <WaitingOrder orderId={orderId} />
    </div>
  )
}

export default island(WaitingDocument)
