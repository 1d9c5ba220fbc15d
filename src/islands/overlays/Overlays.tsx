import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import type { Locale } from '../../i18n/locales.ts'
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
import type { OverlaysTexts } from './texts.ts'
import { WalletIntro } from './WalletIntro.tsx'

interface Props {
  locale: Locale
  /** The origin that the shop is configured with. */
  origin: string
  takesCards: boolean
  texts: OverlaysTexts
}

const nothing = () => null

/** What floats over any page: the toast, and the one dialog that is open. */
export default function Overlays({ locale, origin, takesCards, texts }: Props) {
  const dialog = useStore($dialog, { ssr: nothing })
  const preview = useStore($preview, { ssr: nothing })

  // Awake means that somebody is using the page: what the header shows is brought up to date.
  useEffect(() => {
    void loadBalance()
    void loadOwnedOnce()
    void loadOrderedOnce()
    void loadWishlistOnce()
  }, [])

  return (
    <>
      <Toast locale={locale} texts={texts} />
      <PaymentNotice locale={locale} texts={texts.payment} />
      {dialog?.kind === 'anonymous-shopping' && (
        <LogInPrompt
          locale={locale}
          title={texts.anonymous.title}
          closeText={texts.close}
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
          locale={locale}
          title={texts.loginRequired.title}
          closeText={texts.close}
          login={texts.loginRequired.login}
          other={{ text: texts.loginRequired.cancel, act: closeDialog }}
        >
          <p>{texts.loginRequired.text}</p>
        </LogInPrompt>
      )}
      {dialog?.kind === 'wallet-intro' && (
        <WalletIntro
          item={dialog.item}
          locale={locale}
          origin={origin}
          takesCards={takesCards}
          texts={texts.walletIntro}
          purchase={texts.purchase}
          closeText={texts.close}
        />
      )}
      {dialog?.kind === 'purchase' && (
        <PurchaseDialog
          item={dialog.item}
          locale={locale}
          origin={origin}
          takesCards={takesCards}
          texts={texts.purchase}
          closeText={texts.close}
        />
      )}
      <PurchaseOutcome locale={locale} texts={texts.purchase.problem} closeText={texts.close} />
      {preview && <PreviewDialog preview={preview} texts={texts.reading} />}
    </>
  )
}
