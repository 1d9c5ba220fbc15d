import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import type { PaymentWays } from '../../rules/payment-methods.ts'
import { $preview } from '../../stores/library/reading.ts'
import { $dialog, overlaysAreThere } from '../../stores/shared/dialogs.ts'
import { AskedDownload } from './AskedDownload.tsx'
import { PaymentNotice } from './PaymentNotice.tsx'
import { PreviewDialog } from './PreviewDialog.tsx'
import { FirstPurchase, PurchaseDialog } from './PurchaseDialog.tsx'
import { PurchaseOutcome } from './PurchaseOutcome.tsx'
import { island } from './texts.ts'

interface Props extends PaymentWays {
  /** The configured origin of the shop. */
  origin: string
}

const nothing = () => null

/**
 * What customers see over a page: purchases, previews, the result of a payment; the page calls it
 * with `callOverlays`. Questions that need no React are in `components/Questions.astro`.
 */
function Overlays(way: Props) {
  const dialog = useStore($dialog, { ssr: nothing })
  const preview = useStore($preview, { ssr: nothing })
  useEffect(overlaysAreThere, [])
  return (
    <>
      <PaymentNotice />
      {dialog?.kind === 'first-purchase' && <FirstPurchase item={dialog.item} {...way} />}
      {dialog?.kind === 'purchase' && <PurchaseDialog item={dialog.item} {...way} />}
      <PurchaseOutcome {...way} />
      {preview && <PreviewDialog preview={preview} />}
      <AskedDownload />
    </>
  )
}

export default island(Overlays)
