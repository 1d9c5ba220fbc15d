import { useStore } from '@nanostores/react'
import { type ReactNode, useEffect } from 'react'
import { fillText, priceText } from '../../i18n/format.ts'
import { pathIn, splitPath } from '../../i18n/paths.ts'
import type { NewItem } from '../../rules/cart.ts'
import { canPayDirectly, canPayFromWallet } from '../../rules/purchase-options.ts'
import { addToCart } from '../../stores/cart/cart.ts'
import {
  buyFromWallet,
  directMethodOn,
  type ItemToBuy,
  itemToBuy,
  payDirectly,
} from '../../stores/purchase/direct-purchase.ts'
import { closeDialog } from '../../stores/shared/dialogs.ts'
import { whileLoading } from '../../stores/shared/loading.ts'
import { $balance, loadBalance } from '../../stores/wallet/wallet.ts'
import { chargingAddress } from '../parts/addresses.ts'
import { Dialog } from '../parts/Dialog.tsx'
import { useLocale } from '../parts/island.tsx'
import { PurchaseSums } from './PurchaseSums.tsx'
import { useTexts } from './texts.ts'

export interface Props {
  item: NewItem
  /** The configured origin of the shop. */
  origin: string
  /** Whether the shop has a payment gateway; without one, documents are ordered in the checkout. */
  takesCards: boolean
  /** Replaces the title, the name of the document, and "continue shopping". */
  intro?: { title: string; content: ReactNode; stay: string }
}

/** Offers the ways to buy a document now. Every action closes the dialog. */
export function PurchaseDialog({ item, intro, ...way }: Props) {
  const { close } = useTexts('cart:overlays')
  const texts = useTexts('purchase:modal')
  const wanted = itemToBuy(item)
  useEffect(() => {
    void loadBalance()
  }, [])
  return (
    <Dialog
      title={intro?.title ?? texts.title}
      closeText={close}
      onClose={closeDialog}
      foot={<Actions {...way} item={item} wanted={wanted} stay={intro?.stay ?? texts.continue} />}
    >
      {intro?.content ?? (
        <p className="along" dir="auto">
          <strong>{wanted.title}</strong>
        </p>
      )}
      <PurchaseSums price={wanted.price} />
    </Dialog>
  )
}

interface ActionsProps extends Pick<Props, 'item' | 'origin' | 'takesCards'> {
  wanted: ItemToBuy
  stay: string
}

function Actions({ item, wanted, origin, takesCards, stay }: ActionsProps) {
  const locale = useLocale()
  const texts = useTexts('purchase:modal')
  const { price } = wanted
  const isCovered = canPayFromWallet({ price, balance: useStore($balance) ?? 0 })
  const isDirect = canPayDirectly(price)
  const method = directMethodOn(splitPath(location.pathname).path)
  const run = (work: () => Promise<void>) => {
    closeDialog()
    void whileLoading(work())
  }
  const direct = { method, locale, origins: [location.origin, origin] }
  const inCheckout = async () => {
    addToCart(item)
    location.assign(pathIn(locale, '/checkout'))
  }
  return (
    <>
      {isCovered && (
        <button
          type="button"
          className="button button--primary"
          onClick={() => run(() => buyFromWallet(wanted))}
        >
          {price === 0 ? texts.getFree : texts.payWallet}
        </button>
      )}
      {!isCovered && isDirect && (
        <button
          type="button"
          className="button button--primary"
          onClick={() => run(() => (takesCards ? payDirectly(wanted, direct) : inCheckout()))}
        >
          {fillText(texts.payDirect, { amount: priceText(locale, price) })}
        </button>
      )}
      {!isCovered && (
        <a
          className={isDirect ? 'button' : 'button button--primary'}
          href={chargingAddress(locale, price)}
          onClick={closeDialog}
        >
          {texts.topUp}
        </a>
      )}
      <button type="button" className="button button--plain" onClick={closeDialog}>
        {stay}
      </button>
    </>
  )
}
