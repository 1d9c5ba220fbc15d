// The keys in the browser's storage. docs/shop/pages.md#in-the-browser guarantees them: stored data must
// still be found.

/** The bearer token, as the server gave it. */
export const TOKEN_KEY = 'token'
/** How far the server's clock is ahead of this device's, in ms; no entry where they agree. */
export const CLOCK_KEY = 'clock'
/** The visitor's cart: `{ items }`. */
export const STATIC_CART_KEY = 'static_cart'
/** The user's cart as the server last returned it: `{ items }` like the local cart. */
export const SERVER_CART_KEY = 'server_cart'
/** The discount code that waits for a purchase. */
export const CODE_KEY = 'discount_code'
/** The wallet's last known balance, in dinars. */
export const BALANCE_KEY = 'wallet_balance'
/** The customer's name, for the menu in the header. */
export const NAME_KEY = 'own_name'
/** The ids of the documents that the user owns. */
export const OWNED_KEY = 'owned_documents'
/**
 * The documents that wait in one of the user's orders for its payment: `{ documentId: orderId }`.
 */
export const ORDERED_KEY = 'ordered_documents'
/** The ids of the documents on the user's wishlist. */
export const WISHED_KEY = 'wishlist'
/** The wishes that the server does not have yet: `{ documentId: isWished }`. */
export const UNSENT_WISHES_KEY = 'wishes_unsent'
/** What the user follows, and whether there are unseen news: `{ at, hasNews, keys }`, as the server said at a moment. */
export const FOLLOWING_KEY = 'following'
/** What a visitor who logs in meanwhile wants to follow; in session storage. */
export const FOLLOW_ASKED_KEY = 'follow_asked'
/** Set once a page has shown the site's fonts, which are then in the browser's cache. */
export const FONT_KEY = 'font'

/** The last known content of the anonymous cart on the server, and the id of its session. */
export const ANONYMOUS_CART_KEY = 'anonymous_cart'
export const SESSION_ID_KEY = 'session_id'
/** Set once the wallet was introduced. */
export const WALLET_INTRO_KEY = 'wallet_intro_shown'
/** The document that the user read last. */
export const LAST_READ_KEY = 'last_read'
/**
 * The reading positions in this browser of the documents read last: `{ documentId: { page, at } }`.
 */
export const PLACES_KEY = 'reading_places'
/** How the reader shows pages: `{ layout, isNight }`. */
export const READER_VIEW_KEY = 'reader_view'
/** How my documents are shown: `books` or `table`; no entry until the visitor has chosen. */
export const LIBRARY_VIEW_KEY = 'library_view'
/** The language that the visitor chose, and the choice that was sent to the server. */
export const LANGUAGE_KEY = 'language'
export const LANGUAGE_SENT_KEY = 'language_told'
/** The class that the visitor last chose: its page, in each language. */
export const OWN_CLASS_KEY = 'own_class'
/** Payments and purchases that were started and not yet decided by the server. */
export const INTENTS_KEY = 'intents'
/** The prefixes of messages that wait to be sent, and of drafts. */
export const CHAT_WAITING_PREFIX = 'chat_waiting:'
export const CHAT_DRAFT_PREFIX = 'chat_draft:'
/**
 * The prefix of what this browser keeps of a user's exams, by user id: the one that is being sat, marks
 * that wait to be sent, first names.
 */
export const EXAM_PREFIX = 'exams:'
/** The accounts whose own device this is: their kept documents stay after the session. */
export const OWN_PHONE_KEY = 'own_phone'
/** The documents that this tab is keeping for reading without a network; in session storage. */
export const KEEPING_KEY = 'keeping'
/** The request for a code to a phone that this browser made last: `{ phone, purpose, request }`. */
export const CODE_REQUEST_KEY = 'code_request'
/** The prefix of drafts: what is typed in a form, by page and form; in session storage. */
export const DRAFT_PREFIX = 'draft:'
/** A notice for the next page; in session storage, so for one tab. */
export const NOTICE_KEY = 'next_page_notice'
/** The teacher's link by which the visitor came, and when: `[name, ms]`; in session storage. */
export const LINK_KEY = 'teacher_link'

/** The staff's bearer token; the shop's pages do not read it. */
export const OFFICE_TOKEN_KEY = 'karras-office-token'
/** Like `DRAFT_PREFIX`, of the office. */
export const OFFICE_DRAFT_PREFIX = 'karras-office-draft:'
/** Which groups of the office's menu are open: `{ group: isOpen }`. */
export const OFFICE_MENU_KEY = 'office_menu'
/** The prefix of the keys for input in the office that is not saved yet. */
export const OFFICE_KEPT_PREFIX = 'karras-office-kept:'
