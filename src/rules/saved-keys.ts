// Names that the stores and the paint script share, beside the specification's own storage keys.

/** The user's cart as the server last told it: `{ items }` like the local cart. */
export const SERVER_CART_KEY = 'server_cart'
/** The wallet's last known balance, in dinars. */
export const BALANCE_KEY = 'wallet_balance'
/** The ids of the documents that the user owns. */
export const OWNED_KEY = 'owned_documents'
/** A purchase that was confirmed and not yet answered. */
export const PURCHASE_INTENT_KEY = 'purchase_intent'

/** Fired on `document` when saved data changed, so that the paint script shows it. */
export const PAINT_EVENT = 'karras:paint'
