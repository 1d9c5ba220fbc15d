import { useStore } from '@nanostores/react'
import { useEffect, useLayoutEffect } from 'react'
import { pathIn } from '../../i18n/paths.ts'
import { $cart } from '../../stores/cart/cart.ts'
import { loadOwnedOnce } from '../../stores/library/owned.ts'
import { $preview } from '../../stores/library/reading.ts'
import { loadOrderedOnce } from '../../stores/purchase/ordered.ts'
import { answerTap, continueAnonymously, takeOver } from '../../stores/purchase/shopping.ts'
import { $dialog, closeDialog } from '../../stores/shared/dialogs.ts'
import { loadBalance } from '../../stores/wallet/wallet.ts'
import { loadWishlistOnce } from '../../stores/wishlist/wishlist.ts'
import { useLocale } from '../parts/island.tsx'
import { LogInPrompt } from './LogInPrompt.tsx'
import { PaymentNotice } from './PaymentNotice.tsx'
import { PreviewDialog } from './PreviewDialog.tsx'
import { PurchaseDialog } from './PurchaseDialog.tsx'
import { PurchaseOutcome } from './PurchaseOutcome.tsx'
import { Toast } from './Toast.tsx'
import { useTappedDownloads } from './tapped-downloads.tsx'
import { island, useTexts } from './texts.ts'
import { WalletIntro } from './WalletIntro.tsx'

interface Props {
  /** The configured origin of the shop. */
  origin: string
  takesCards: boolean
}

const nothing = () => null

/**
 * The overlays of every page: the toast and the open dialog. Also handles presses on the controls
 * of documents.
 */
function Overlays({ origin, takesCards }: Props) {
  const locale = useLocale()
  const texts = useTexts('cart:overlays')
  const dialog = useStore($dialog, { ssr: nothing })
  const preview = useStore($preview, { ssr: nothing })
  const [downloads, startDownload] = useTappedDownloads()

  useLayoutEffect(
    () =>
      takeOver(async (tap, control) => {
        if (control.ariaBusy) return
        control.ariaBusy = 'true'
        const answer = await answerTap(tap)
        if (answer === 'open-cart') location.assign(pathIn(locale, '/checkout'))
        if (answer === 'download') await startDownload(tap.item, control)
        control.ariaBusy = null
      }),
    [locale, startDownload],
  )
  // This island hydrates once the visitor uses the page, so this is the time to update the header
  // and the cart.
  useEffect(() => {
    void loadBalance()
    void loadOwnedOnce()
    void loadOrderedOnce()
    void loadWishlistOnce()
    return $cart.listen(() => undefined)
  }, [])

  return (
    <>
      <Toast />
      <PaymentNotice />
      {/* Rendered closed in every page: the intent script opens them before this island is
          hydrated. */}
      <LogInPrompt
        question="anonymous-shopping"
        title={texts.anonymous.title}
        login={texts.anonymous.login}
        other={{ text: texts.anonymous.continue, act: continueAnonymously }}
        isOpen={dialog?.kind === 'anonymous-shopping'}
      >
        <p>{texts.anonymous.text}</p>
        <p>{texts.anonymous.minimum}</p>
        <p>{texts.anonymous.kept}</p>
      </LogInPrompt>
      <LogInPrompt
        question="login-required"
        title={texts.loginRequired.title}
        login={texts.loginRequired.login}
        other={{ text: texts.loginRequired.cancel, act: closeDialog }}
        isOpen={dialog?.kind === 'login-required'}
      >
        <p>{texts.loginRequired.text}</p>
      </LogInPrompt>
      {dialog?.kind === 'wallet-intro' && (
        <WalletIntro item={dialog.item} origin={origin} takesCards={takesCards} />
      )}
      {dialog?.kind === 'purchase' && (
        <PurchaseDialog item={dialog.item} origin={origin} takesCards={takesCards} />
      )}
      <PurchaseOutcome origin={origin} takesCards={takesCards} />
      {preview && <PreviewDialog preview={preview} />}
      {downloads}
    </>
  )
}

export default island(Overlays)
