import './order.css'
import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import type { ShopOrderDetail } from '../../../contract/office-orders.ts'
import { fillText, priceText } from '../../../i18n/format.ts'
import {
  $shopOrder,
  loadShopOrder,
  type OrderRefund,
  refundShopOrder,
} from '../../../stores/office/orders.ts'
import { notLoaded } from '../../../stores/shared/loader.ts'
import { randomId } from '../../../stores/shared/random-id.ts'
import { useLocale } from '../../parts/island.tsx'
import { LoadState } from '../../parts/States.tsx'
import { ConfirmWithReason } from '../parts/ConfirmWithReason.tsx'
import { Done, useDone } from '../parts/Done.tsx'
import { MailNote } from '../parts/MailNote.tsx'
import { Items } from './Items.tsx'
import { Movements } from './Movements.tsx'
import { OrderFacts } from './OrderFacts.tsx'
import { Payments } from './Payments.tsx'
import { island, useTexts } from './texts.ts'

const OUTLINES = ['line', 'button', 'button', 'line', 'button', 'button'] as const

/** The order whose id is in the URL. */
function Order() {
  const texts = useTexts('office-money:order')
  const order = useStore($shopOrder, { ssr: notLoaded })
  useEffect(() => void loadShopOrder(), [])
  return (
    <LoadState
      state={order}
      loading={{ text: texts.loading, shapes: OUTLINES }}
      failed={texts.failed}
      onRetry={loadShopOrder}
    >
      {(value) => <Sections order={value} />}
    </LoadState>
  )
}

/** A refund that awaits confirmation; `key` prevents a double refund. */
type PendingRefund = OrderRefund & { key: string }

function Sections({ order }: { order: ShopOrderDetail }) {
  const locale = useLocale()
  const { refund: texts } = useTexts('office-money:order')
  const [pendingRefund, setPendingRefund] = useState<PendingRefund | null>(null)
  const [done, setDone] = useDone()
  const askForRefund = (seen: number, documentId?: number) =>
    setPendingRefund({
      orderId: order.id,
      seen,
      ...(documentId && { documentId }),
      key: randomId(),
    })
  const values = {
    amount: priceText(locale, pendingRefund?.seen ?? 0),
    name: `\u2068${order.buyer.name}\u2069`,
  }
  return (
    <div className="order stack">
      <Done text={done} />
      <MailNote />
      <OrderFacts order={order} onRefund={(seen) => askForRefund(seen)} />
      <Items order={order} onRefund={askForRefund} />
      <Payments order={order} />
      <Movements order={order} />
      {pendingRefund && (
        <ConfirmWithReason
          title={texts.title}
          amount={pendingRefund.seen}
          to={fillText(texts.to, values)}
          text={texts.text}
          submit={fillText(texts.submit, values)}
          isDanger
          onConfirm={async (reason) => {
            const { key, ...refund } = pendingRefund
            await refundShopOrder(refund, reason, key)
            setDone(fillText(texts.done, values))
          }}
          onClose={() => setPendingRefund(null)}
        />
      )}
    </div>
  )
}

export default island(Order)
