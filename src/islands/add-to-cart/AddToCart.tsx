import { useStore } from '@nanostores/react'
import type { Locale } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import { emptyCart, has } from '../../rules/cart.ts'
import { $cart, type NewItem } from '../../stores/cart.ts'
import { announceProblem } from '../../stores/notices.ts'
import { $downloading, downloadDocument, openPreview } from '../../stores/reading.ts'
import { wantDocument } from '../../stores/shopping.ts'
import { Icon } from '../parts/Icon.tsx'

/** `cart:add` of locales. */
export interface AddToCartTexts {
  add: string
  inCart: string
  read: string
  download: string
}

interface Props {
  locale: Locale
  /** Prices in dinars, as on the wire. */
  item: NewItem & { title: string }
  variant: 'card' | 'details'
  texts: AddToCartTexts
}

// The page is rendered before any visitor has a cart or a download.
const noCart = () => emptyCart
const NONE: ReadonlySet<number> = new Set()
const noDownloads = () => NONE

/**
 * What can be done with a document: put it into the cart, or read and download it where it is
 * owned. Both are in the page; the paint script says which is seen by `data-owned`.
 */
export default function AddToCart({ locale, item, variant, texts }: Props) {
  const { documentId, title } = item
  const isInCart = has(useStore($cart, { ssr: noCart }), documentId)
  const isDownloading = useStore($downloading, { ssr: noDownloads }).has(documentId)

  const add = () => {
    if (isInCart) location.assign(pathIn(locale, '/checkout'))
    else wantDocument(item)
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
    </div>
  )
}
