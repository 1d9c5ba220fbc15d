import { emptyCart, readCart, savedCart } from '../../rules/cart.ts'
import { dinars, inDinars, type Millimes } from '../../rules/money.ts'
import type { KeptPlace } from '../../rules/reader.ts'
import {
  BALANCE_KEY,
  FOLLOWING_KEY,
  LAST_READ_KEY,
  NAME_KEY,
  ORDERED_KEY,
  OWNED_KEY,
  PLACES_KEY,
  SERVER_CART_KEY,
  UNSENT_WISHES_KEY,
  WISHED_KEY,
} from '../../rules/storage-keys.ts'
import { persistedJson, persistedText } from '../shared/persistence.ts'

// What this browser remembers of the user between pages, so that a page can show it before the
// server's answer replaces it. Whatever is deleted with a session is saved by this folder, below the
// features: any page must be able to delete it, also one that has not loaded the feature.

export const $serverCart = persistedJson(SERVER_CART_KEY, emptyCart, readCart, savedCart)

/** Saved in dinars; null when unknown. */
export const $savedBalance = persistedJson<Millimes | null>(
  BALANCE_KEY,
  null,
  readBalance,
  (balance) => balance && inDinars(balance),
)

/** The customer's own name; '' when unknown. */
export const $savedName = persistedText(NAME_KEY)

/** Null when unknown. */
export const $ownedIds = persistedJson<readonly number[] | null>(OWNED_KEY, null, readIds)

/** The order in which each document waits for its payment; null when unknown. */
export const $orderedDocuments = persistedJson<Readonly<Record<string, number>> | null>(
  ORDERED_KEY,
  null,
  readOrdered,
)

/** Null when unknown. */
export const $wishedIds = persistedJson<readonly number[] | null>(WISHED_KEY, null, readIds)

/** By document, whether the server still has to put it on the list or take it off. */
export const $unsentWishes = persistedJson<Readonly<Record<string, boolean>>>(
  UNSENT_WISHES_KEY,
  {},
  readUnsent,
)

/** What the user follows, by keys (`rules/following.ts`), and whether there are unseen news; null when unknown. */
export const $following = persistedJson<Following | null>(FOLLOWING_KEY, null, readFollowing)

export interface Following {
  /** When the server said so, in ms since 1970 by this device's clock. */
  readonly at: number
  readonly hasNews: boolean
  readonly keys: readonly string[]
}

export const $lastRead = persistedJson<number | null>(LAST_READ_KEY, null, (value) =>
  isId(value) ? value : null,
)

/** The places in the documents read last, by document; null if there are none. */
export const $places = persistedJson<Readonly<Record<string, KeptPlace>> | null>(
  PLACES_KEY,
  null,
  readPlaces,
)

/** Deletes the user's data: at log-out, at expiry, and before another user logs in. */
export function forgetUserData(): void {
  if ($serverCart.get() !== emptyCart) $serverCart.set(emptyCart)
  $savedName.set('')
  const all = [
    $savedBalance,
    $ownedIds,
    $orderedDocuments,
    $wishedIds,
    $following,
    $lastRead,
    $places,
  ]
  for (const $data of all) if ($data.get() !== null) $data.set(null)
  if (Object.keys($unsentWishes.get()).length > 0) $unsentWishes.set({})
}

function readBalance(value: unknown): Millimes | null {
  return typeof value === 'number' && value >= 0 && value < 1e9 ? dinars(value) : null
}

function isId(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0
}

function readOrdered(value: unknown): Readonly<Record<string, number>> | null {
  if (typeof value !== 'object' || value === null) return null
  return Object.fromEntries(
    Object.entries(value).filter(([id, order]) => isId(Number(id)) && isId(order)),
  )
}

function readUnsent(value: unknown): Readonly<Record<string, boolean>> {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : []
  return Object.fromEntries(
    entries.filter(([id, isWished]) => isId(Number(id)) && typeof isWished === 'boolean'),
  )
}

function readFollowing(value: unknown): Following | null {
  const { at, hasNews, keys } = Object(value) as Partial<Following>
  if (typeof at !== 'number' || !Array.isArray(keys)) return null
  return { at, hasNews: hasNews === true, keys: keys.filter((key) => typeof key === 'string') }
}

function readPlaces(value: unknown): Readonly<Record<string, KeptPlace>> | null {
  if (typeof value !== 'object' || value === null) return null
  return Object.fromEntries(
    Object.entries(value).filter(
      ([id, place]) => isId(Number(id)) && isId(place?.page) && Date.parse(place.at) > 0,
    ),
  )
}

function readIds(value: unknown): readonly number[] | null {
  return Array.isArray(value) ? value.filter(isId) : null
}
