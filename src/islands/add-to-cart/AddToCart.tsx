import './add-to-cart.css'
import { useStore } from '@nanostores/react'
import { pathIn } from '../../i18n/paths.ts'
import { emptyCart, has, type NewItem } from '../../rules/cart.ts'
import { $cart } from '../../stores/cart/cart.ts'
import { $downloading, downloadDocument, openPreview } from '../../stores/library/reading.ts'
import { addOrAskToLogIn, buyOrAskToLogIn } from '../../stores/purchase/shopping.ts'
import { announceProblem } from '../../stores/shared/notices.ts'
import { $wished, toggleWish } from '../../stores/wishlist/wishlist.ts'
import { Icon } from '../parts/Icon.tsx'
import { islandTexts, useLocale } from '../parts/island.tsx'

const { island, useTexts } = islandTexts('cart:add')

interface Props {
  item: NewItem & { title: string }
  /** The podium of the home page has no heart. */
  variant: 'card' | 'details' | 'podium'
  /** The text of "buy now", which only the page of a document has. */
  buy?: string | undefined
}

// Pages are rendered once for all visitors: without anyone's cart, wishes or downloads.
const noCart = () => emptyCart
const NONE: ReadonlySet<number> = new Set()
const none = () => NONE

/**
 * What a visitor can do with a document: wish for it, put it into the cart, or read and download it
 * once it is owned. The page contains all the buttons; the paint script sets `data-owned`, by which
 * the styles show the right ones, and `aria-pressed` of the heart.
 */
function AddToCart({ item, variant, buy }: Props) {
  const locale = useLocale()
  const texts = useTexts('cart:add')
  const { documentId, title } = item
  const isInCart = has(useStore($cart, { ssr: noCart }), documentId)
  const isWished = useStore($wished, { ssr: none }).has(documentId)
  const isDownloading = useStore($downloading, { ssr: none }).has(documentId)

  const add = () => {
    if (isInCart) location.assign(pathIn(locale, '/checkout'))
    else addOrAskToLogIn(item)
  }
  const download = async () => {
    const problem = await downloadDocument({ documentId, title }, 'details')
    if (problem) announceProblem(problem)
  }

  const named = (
    <span className="visually-hidden" dir="auto">
      {' '}
      {title}
    </span>
  )
  return (
    <div
      className={`add-to-cart add-to-cart--${variant}`}
      data-document={documentId}
      suppressHydrationWarning
    >
      <button
        type="button"
        className={`button button--wide unless-owned ${isInCart ? '' : 'button--primary'}`.trim()}
        onClick={add}
      >
        {isInCart && <Icon name="check" />}
        {isInCart ? texts.inCart : texts.add}
        {named}
      </button>
      {buy && (
        <button
          type="button"
          className="button button--wide unless-owned"
          onClick={() => buyOrAskToLogIn(item)}
        >
          {buy}
          {named}
        </button>
      )}
      <span className="when-owned cluster">
        <button
          type="button"
          className="button button--primary"
          onClick={() => openPreview({ documentId, title })}
        >
          <Icon name="book" />
          {texts.read}
          {named}
        </button>
        <button type="button" className="button" aria-busy={isDownloading} onClick={download}>
          {!isDownloading && <Icon name="download" />}
          {texts.download}
          {named}
        </button>
      </span>
      {variant !== 'podium' && (
        <button
          type="button"
          className="icon-button heart"
          aria-pressed={isWished}
          data-heart={documentId}
          suppressHydrationWarning
          onClick={() => toggleWish(item, variant)}
        >
          <Icon name="heart" />
          <span className="visually-hidden">{texts.wish}</span>
          {named}
        </button>
      )}
    </div>
  )
}

export default island(AddToCart)
