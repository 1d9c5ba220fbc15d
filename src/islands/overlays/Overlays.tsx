import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { loadOwnedOnce } from '../../stores/library/owned.ts'
import { $preview } from '../../stores/library/reading.ts'
import { loadOrderedOnce } from '../../stores/purchase/ordered.ts'
import { continueAnonymously } from '../../stores/purchase/shopping.ts'
import { $dialog, closeDialog } from '../../stores/shared/dialogs.ts'
import { loadBalance } from '../../stores/wallet/wallet.ts'
import { loadWishlistOnce } from '../../stores/wishlist/wishlist.ts'
import { LogInPrompt } from './LogInPrompt.tsx'
import { PaymentNotice } from './PaymentNotice.tsx'
import { PreviewDialog } from './PreviewDialog.tsx'
import { PurchaseDialog } from './PurchaseDialog.tsx'
import { PurchaseOutcome } from './PurchaseOutcome.tsx'
import { Toast } from './Toast.tsx'
import { island, useTexts } from './texts.ts'
import { WalletIntro } from './WalletIntro.tsx'

interface Props {
  /** The configured origin of the shop. */
  origin: string
  takesCards: boolean
}

const nothing = () => null

/** What floats over any page: the toast, and the dialog that is open. */
function Overlays({ origin, takesCards }: Props) {
  const texts = useTexts('cart:overlays')
  const dialog = useStore($dialog, { ssr: nothing })
  const preview = useStore($preview, { ssr: nothing })

  // This island hydrates once the visitor uses the page: time to update the header.
  useEffect(() => {
    void loadBalance()
    void loadOwnedOnce()
    void loadOrderedOnce()
    void loadWishlistOnce()
  }, [])

  return (
    <>
      <Toast />
      <PaymentNotice />
      {dialog?.kind === 'anonymous-shopping' && (
        <LogInPrompt
          title={texts.anonymous.title}
          login={texts.anonymous.login}
          other={{ text: texts.anonymous.continue, act: continueAnonymously }}
        >
          <p>{texts.anonymous.text}</p>
          <p>{texts.anonymous.minimum}</p>
          <p>{texts.anonymous.kept}</p>
        </LogInPrompt>
      )}
      {dialog?.kind === 'login-required' && (
        <LogInPrompt
          title={texts.loginRequired.title}
          login={texts.loginRequired.login}
          other={{ text: texts.loginRequired.cancel, act: closeDialog }}
        >
          <p>{texts.loginRequired.text}</p>
        </LogInPrompt>
      )}
      {dialog?.kind === 'wallet-intro' && (
        <WalletIntro item={dialog.item} origin={origin} takesCards={takesCards} />
      )}
      {dialog?.kind === 'purchase' && (
        <PurchaseDialog item={dialog.item} origin={origin} takesCards={takesCards} />
      )}
      <PurchaseOutcome />
      {preview && <PreviewDialog preview={preview} />}
    </>
  )
}

export default island(Overlays)
