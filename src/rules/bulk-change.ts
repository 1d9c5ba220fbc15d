import { isDiscounted } from './discount.ts'
import { DETAILS, type Details, discountProblem, priceProblem } from './document-fields.ts'
import type { DocumentState } from './document-life.ts'
import { DAY_MS, HOUR_MS } from './durations.ts'
import { dinars, inDinars, type Millimes } from './money.ts'

export const BULK_CHANGE_MAX = 5_000

/** For how long a preview can be applied (ms). */
export const BULK_PREVIEW_MS = HOUR_MS

/** The longest duration of a discount, from its first day (ms). */
export const DISCOUNT_TIME_MAX_MS = 366 * DAY_MS

/** The bounds of a price change, and of a discount, in percent. */
export const PRICE_PERCENT_MIN = -90
export const PRICE_PERCENT_MAX = 300
export const DISCOUNT_PERCENT_MIN = 1
export const DISCOUNT_PERCENT_MAX = 95

/**
 * `price` sets the price, `percent` raises or lowers it, `full price` removes discounts, `facts` adds
 * those that a title states and the document lacks.
 */
export const BULK_CHANGES = [
  'price',
  'percent',
  'discount',
  'full price',
  'unpublish',
  'publish',
  'facts',
] as const
export type BulkChangeKind = (typeof BULK_CHANGES)[number]

/** The states of a change of many documents: a preview, in progress, done. */
export const BULK_STATES = ['previewed', 'running', 'done'] as const
export type BulkState = (typeof BULK_STATES)[number]

/** A change of many documents. Moments are in milliseconds since 1970. */
export type BulkChange =
  | { readonly kind: 'price'; readonly price: Millimes }
  | { readonly kind: 'percent'; readonly percent: number }
  | {
      readonly kind: 'discount'
      readonly percent: number
      readonly from: number
      readonly until: number
    }
  | { readonly kind: 'full price' | 'unpublish' | 'publish' }
  | { readonly kind: 'facts' }

/** A discount with an end. Moments are in milliseconds since 1970. */
interface TimedDiscount {
  readonly priceDiscount: Millimes
  readonly from: number
  readonly until: number
}

/** The values of a document that a bulk change reads and writes. */
export interface Goods {
  readonly price: Millimes | null
  /** The discounted price without an end; it applies again when a timed one ends. */
  readonly priceDiscount: Millimes | null
  readonly timed: TimedDiscount | null
  readonly state: DocumentState
  readonly isTakenDown: boolean
  /** Only where the change is one of facts. */
  readonly details?: Details
}

/** Why a change leaves a document as it is. */
export const BULK_OBSTACLES = [
  'not_published',
  'not_unpublished',
  'incomplete',
  'free',
  'price_min',
  'price_max',
  'discount_min',
  'discount_max',
  'unchanged',
  'under_review',
  'nothing_stated',
  'changed_since',
] as const
export type BulkObstacle = (typeof BULK_OBSTACLES)[number]

/** The same goods, without a timed discount that has ended. */
export function goodsAt(goods: Goods, now: number): Goods {
  return goods.timed && goods.timed.until <= now ? { ...goods, timed: null } : goods
}

export function discountAt({ timed, priceDiscount }: Goods, now: number): Millimes | null {
  return timed && timed.from <= now && now < timed.until ? timed.priceDiscount : priceDiscount
}

/** Whether two goods are equal in everything that a change writes. */
export function isSameGoods(one: Goods, other: Goods): boolean {
  return (
    one.price === other.price &&
    one.priceDiscount === other.priceDiscount &&
    one.state === other.state &&
    one.isTakenDown === other.isTakenDown &&
    one.timed?.priceDiscount === other.timed?.priceDiscount &&
    one.timed?.from === other.timed?.from &&
    one.timed?.until === other.timed?.until &&
    DETAILS.every((name) => one.details?.[name] === other.details?.[name])
  )
}

/** The goods with the stated details that they lack, or why the change leaves the document as it is. */
export function addDetails(goods: Goods, stated: Readonly<Partial<Details>>): Goods | BulkObstacle {
  if (goods.state === 'submitted') return 'under_review'
  const details = Object.fromEntries(
    DETAILS.map((name) => [name, goods.details?.[name] ?? stated[name] ?? null]),
  ) as Details
  const changed = { ...goods, details }
  return isSameGoods(goods, changed) ? 'nothing_stated' : changed
}

/** A change of prices, or of what is for sale. */
type SaleChange = Exclude<BulkChange, { kind: 'facts' }>

/** The goods after a change, or why the change leaves the document as it is. */
export function changeGoods(
  goods: Goods,
  change: SaleChange,
  isComplete: boolean,
): Goods | BulkObstacle {
  if (change.kind === 'publish') {
    if (goods.state !== 'unpublished') return 'not_unpublished'
    return isComplete ? { ...goods, state: 'published', isTakenDown: false } : 'incomplete'
  }
  if (goods.state !== 'published' || goods.price === null) return 'not_published'
  const changed = changeSale({ ...goods, price: goods.price }, change)
  if (typeof changed === 'string') return changed
  return isSameGoods(goods, changed) ? 'unchanged' : (obstacleOf(changed) ?? changed)
}

function changeSale(
  goods: Goods & { readonly price: Millimes },
  change: SaleChange,
): Goods | BulkObstacle {
  switch (change.kind) {
    case 'price':
      return { ...goods, price: change.price }
    case 'percent':
      return { ...goods, price: percentOf(goods.price, 100 + change.percent) }
    case 'discount': {
      if (goods.price === 0) return 'free'
      const priceDiscount = percentOf(goods.price, 100 - change.percent)
      return { ...goods, timed: { priceDiscount, from: change.from, until: change.until } }
    }
    case 'full price':
      return { ...goods, priceDiscount: null, timed: null }
    default:
      return { ...goods, state: 'unpublished', isTakenDown: true }
  }
}

/** A percentage of a price, rounded to hundredths of a dinar, halves up. */
function percentOf(price: Millimes, percent: number): Millimes {
  return dinars((inDinars(price) * percent) / 100)
}

/** Why a document may not be sold at these prices, or null. */
function obstacleOf({ price, priceDiscount, timed, state }: Goods): BulkObstacle | null {
  if (state !== 'published') return null
  const wrong = priceProblem(price)
  if (wrong) return wrong === 'max' ? 'price_max' : 'price_min'
  for (const discounted of [priceDiscount, timed?.priceDiscount ?? null]) {
    const problem = discountProblem({ price, priceDiscount: discounted })
    if (problem) return problem === 'min' ? 'discount_min' : 'discount_max'
  }
  return null
}

/** What a buyer pays at a moment, in millimes. */
export function goodsPriceAt(goods: Goods, now: number): Millimes {
  const priced = { price: goods.price ?? 0, priceDiscount: discountAt(goods, now) }
  return isDiscounted(priced) ? priced.priceDiscount : priced.price
}
