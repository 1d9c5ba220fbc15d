import { type CoverNote, readCoverNote } from './cover-note.ts'
import { dinars, inDinars, MAX_PRICE, type Millimes } from './money.ts'

/** How many documents a cart, and so one order or wallet payment, may hold. */
export const ORDER_MAX_DOCUMENTS = 200

/** What the saved cart holds for a missing title, whatever the language of the page. */
export const UNKNOWN_TITLE = 'Unknown Title'

export type CartItem = CoverNote & {
  documentId: number
  title: string
  price: Millimes
  priceDiscount?: Millimes
  bundle?: ItsBundle
}

/** A bundle with a document's share of its price, which counts if one buys or owns all these documents. */
export type ItsBundle = { id: number; share: Millimes; documentIds: number[] }

/** The local cart, oldest item first, each document once. */
export type Cart = { items: CartItem[] }

export const emptyCart: Cart = { items: [] }

/** An item before `cleanItem`. */
export type NewItem = {
  documentId: number
  title?: unknown
  price?: Millimes | undefined
  priceDiscount?: Millimes | null | undefined
  bundle?: unknown
  subject?: unknown
  color?: unknown
  picture?: unknown
}

/**
 * Reads a cart from saved data, whose prices are in dinars: unreadable data become an empty cart;
 * invalid and repeated items are dropped.
 */
export function readCart(value: unknown): Cart {
  const saved = isRecord(value) && Array.isArray(value.items) ? value.items : []
  const seen = new Set<number>()
  const isNew = ({ documentId }: SavedItem) => !seen.has(documentId) && seen.add(documentId)
  return { items: saved.filter(isSavedItem).filter(isNew).map(readItem) }
}

/** A cart in its saved form, with prices in dinars. */
export function savedCart({ items }: Cart): unknown {
  return { items: items.map(savedItem) }
}

/** An item in its saved form, with prices in dinars; a bundle's share stays as it is. */
function savedItem({ price, priceDiscount, ...item }: NewItem & { price: Millimes }): unknown {
  return {
    ...item,
    price: inDinars(price),
    ...(priceDiscount && { priceDiscount: inDinars(priceDiscount) }),
  }
}

/** An item with a valid price (or 0), a title, and the known fields of its cover. */
export function cleanItem(item: NewItem): CartItem {
  const { documentId, title, price, priceDiscount } = item
  const discounted = cleanPrice(priceDiscount)
  const bundle = isBundle(item.bundle) && item.bundle
  return {
    documentId,
    title: typeof title === 'string' && title.trim() ? title : UNKNOWN_TITLE,
    price: cleanPrice(price),
    ...(discounted > 0 && { priceDiscount: discounted }),
    ...(bundle && { bundle }),
    ...readCoverNote(item),
  }
}

/**
 * The cart with the cleaned item at its end; the same cart if it already contains the document, which becomes
 * part of the item's bundle.
 */
export function addToCart(cart: Cart, item: NewItem): Cart {
  const added = cleanItem(item)
  const { documentId, bundle } = added
  if (!has(cart, documentId)) return { items: [...cart.items, added] }
  if (!bundle) return cart
  return {
    items: cart.items.map((each) => (each.documentId === documentId ? { ...each, bundle } : each)),
  }
}

export function has(cart: Cart, documentId: number): boolean {
  return cart.items.some((item) => item.documentId === documentId)
}

function cleanPrice(price: Millimes | null | undefined): Millimes {
  return price && price > 0 && price <= MAX_PRICE ? price : 0
}

/** An item of saved data; only its id is already validated. */
type SavedItem = { documentId: number } & Record<string, unknown>

function readItem(saved: SavedItem): CartItem {
  const { price, priceDiscount, ...item } = saved
  return cleanItem({ ...item, price: readPrice(price), priceDiscount: readPrice(priceDiscount) })
}

/** Converts dinars, a number or a text, to millimes; 0 if it is not an amount. */
function readPrice(value: unknown): Millimes {
  const price = typeof value === 'string' ? Number(value) : value
  const isUsable = typeof price === 'number' && price > 0 && price <= inDinars(MAX_PRICE)
  return isUsable ? dinars(price) : 0
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function isBundle(value: unknown): value is ItsBundle {
  return isRecord(value) && Number.isSafeInteger(value.share) && Array.isArray(value.documentIds)
}

function isSavedItem(value: unknown): value is SavedItem {
  return isRecord(value) && Number.isSafeInteger(value.documentId) && Number(value.documentId) > 0
}
