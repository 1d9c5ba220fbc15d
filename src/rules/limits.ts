import { MILLIMES_PER_DINAR } from './money.ts'

// Money, in millimes.

/** Least and greatest top-up of a wallet (section 9; decisions, section 8). */
export const MIN_TOP_UP = 10 * MILLIMES_PER_DINAR
export const MAX_TOP_UP = 2000 * MILLIMES_PER_DINAR

/** The amounts offered for a top-up, smallest first. */
export const TOP_UP_PRESETS: readonly number[] = [
  10 * MILLIMES_PER_DINAR,
  20 * MILLIMES_PER_DINAR,
  50 * MILLIMES_PER_DINAR,
  100 * MILLIMES_PER_DINAR,
  200 * MILLIMES_PER_DINAR,
]

/** A final price below this is a small purchase, paid from the wallet only. */
export const SMALL_PURCHASE_BELOW = 10 * MILLIMES_PER_DINAR

/** Bank transfer is offered for totals above this. */
export const BANK_TRANSFER_ABOVE = 10 * MILLIMES_PER_DINAR

/** The greatest price a document may have; a saved price above it counts as unusable. */
export const MAX_PRICE = 1_000_000 * MILLIMES_PER_DINAR

// How many are shown, asked for or kept.

/** Documents on a page of the shop, and the most that a call may ask for. */
export const PAGE_SIZE = 12
export const PAGE_SIZE_MAX = 100

/** The last page number that a call may ask for. */
export const PAGE_NUMBER_MAX = 100_000

/** Bestsellers on the home page. */
export const BESTSELLERS_SHOWN = 3

/** Other documents by the teacher on the details page. */
export const RELATED_DOCUMENTS = 3

/** A teacher's documents shown at first, and added by each See More. */
export const TEACHER_BOOKS_STEP = 5

/** Items in the header's cart box. */
export const CART_PREVIEW_ITEMS = 3

/** Suggestions under the search box. */
export const SUGGESTIONS_MAX = 5

/** Documents that one order or wallet payment may hold. */
export const ORDER_MAX_DOCUMENTS = 200

/** Documents that a wishlist may hold. */
export const WISHLIST_MAX_DOCUMENTS = 200

/** Stars of a rating. */
export const RATING_MIN = 1
export const RATING_MAX = 5

// Lengths, in characters (code points).

export const PASSWORD_MIN_LENGTH = 6
/** Bounds the work of hashing. */
export const PASSWORD_MAX_LENGTH = 128
export const EMAIL_MAX_LENGTH = 254
export const EMAIL_LOCAL_MAX_LENGTH = 64
/** User names, first and last names. */
export const NAME_MAX_LENGTH = 100
export const COMMENT_MAX_LENGTH = 2000
export const RESET_TOKEN_MAX_LENGTH = 200
/** Descriptions of payments, details of a custom order. */
export const DESCRIPTION_MAX_LENGTH = 2000
export const SEARCH_TEXT_MAX_LENGTH = 200
export const RETURN_TO_MAX_LENGTH = 2048
export const IDEMPOTENCY_KEY_MAX_LENGTH = 200
/** The name of a downloaded file without its ending; file systems allow 255 bytes. */
export const FILE_NAME_MAX_LENGTH = 100

/** A chat message after trimming, and its preview in the list of rooms (graphemes). */
export const CHAT_MESSAGE_MAX_LENGTH = 4000
export const CHAT_PREVIEW_LENGTH = 30

/** Chat messages a minute of one user. */
export const CHAT_MESSAGES_PER_MINUTE = 30

/** Conversations that one list holds, those with the newest messages. */
export const CHAT_ROOMS_MAX = 500

/** Messages of a room that one call reads: unless told otherwise, and at most. */
export const CHAT_PAGE_SIZE = 50
export const CHAT_PAGE_SIZE_MAX = 100

/** Live connections of one user, and of one instance. */
export const CHAT_SOCKETS_PER_USER = 10
export const CHAT_SOCKETS_MAX = 5000

/** Rooms that one live connection follows. */
export const CHAT_SUBSCRIPTIONS_MAX = 20

/** What one live connection may send in `CHAT_FRAMES_WINDOW_MS`: frames, and their pieces. */
export const CHAT_FRAMES_MAX = 300

/** Messages of a room that are pushed at a time. */
export const CHAT_PUSH_PAGE = 200

/** Lines of the wallet's history on a page. */
export const HISTORY_PAGE_SIZE = 10

/** The body of a JSON call, in bytes. */
export const JSON_BODY_MAX_BYTES = 64 * 1024

/** A STOMP frame: a message of 4000 characters, each escaped as JSON does at worst, and its head. */
export const CHAT_FRAME_MAX_BYTES = 32 * 1024

/** What may wait for a slow reader of a live connection before nothing more is pushed, in bytes. */
export const CHAT_UNSENT_MAX_BYTES = 256 * 1024

// Times, in milliseconds.

export const SECOND_MS = 1000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** From this age on a moment is told as its date. */
export const RELATIVE_TIME_MAX_MS = 7 * DAY_MS

export const SEARCH_DEBOUNCE_MS = 300
export const CART_TOAST_MS = 5000
export const RESET_REDIRECT_MS = 3000
export const CHAT_RECONNECT_MS = 5000
/** When the temporary link of a download is cleaned up. */
export const DOWNLOAD_CLEANUP_MS = 100
export const LOADER_MIN_DURATION_MS = 100
export const LOADER_FADE_OUT_MS = 200
/** Sliders of books and teachers, and of featured documents. */
export const SLIDER_INTERVAL_MS = 3000
export const FEATURED_SLIDER_INTERVAL_MS = 4000

/** How long a token, a link to reset a password and a link to a preview are good. */
export const TOKEN_LIFETIME_MS = 12 * HOUR_MS
export const RESET_LINK_LIFETIME_MS = 30 * MINUTE_MS
export const PREVIEW_LINK_LIFETIME_MS = 10 * MINUTE_MS

/** When a pending order expires. */
export const ORDER_LIFETIME_MS = 72 * HOUR_MS

/** What a call to a payment gateway may take; a time-out means unknown, not failed. */
export const GATEWAY_TIMEOUT_MS = 10 * SECOND_MS

/** When the gateway is asked again for a payment that nobody came back for; then every hour. */
export const PAYMENT_CHECKS_MS: readonly number[] = [
  1 * MINUTE_MS,
  2 * MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
]
export const PAYMENT_CHECK_LATER_MS = HOUR_MS

/** How long after "pay later" the sandbox pays. */
export const SANDBOX_DELAY_MS = 10 * SECOND_MS

/** How often "we are checking your payment" asks again. */
export const PAYMENT_REFRESH_MS = 3 * SECOND_MS

/** Unread for so long, a message is told of by mail, once an absence. */
export const CHAT_MAIL_AFTER_MS = 10 * MINUTE_MS

export const CHAT_FRAMES_WINDOW_MS = 10 * SECOND_MS
/** How often each side of a live connection shows that it is there. */
export const CHAT_HEARTBEAT_MS = 10 * SECOND_MS
/** How long a live connection may take to send CONNECT, and to read what waits for it. */
export const CHAT_CONNECT_MS = 10 * SECOND_MS
export const CHAT_STALL_MS = 15 * SECOND_MS
/** How often it is noted who is there. */
export const CHAT_PRESENCE_MS = MINUTE_MS
/** What live connections get to say good-bye when the process stops. */
export const CHAT_CLOSE_MS = 2 * SECOND_MS

/** What a stop of the process waits for. */
export const STOP_GRACE_MS = 10 * SECOND_MS

// The screen.

/** At this width, in pixels, or less the layout is a phone's. */
export const MOBILE_BREAKPOINT = 768

/** Widths, in pixels, at which sliders and grids change. */
export const BREAKPOINTS = [640, 768, 1024, 1280] as const

export const LOADER_Z_INDEX = 9999

// Names that are kept or sent (section 9).

/** What the id of an anonymous session begins with (section 3). */
export const SESSION_ID_PREFIX = 'anon-'

/** The method of a direct payment, by the page that it starts on. */
export const DIRECT_PAYMENT_METHODS = { home: 'direct', shop: 'direct', details: 'card' } as const

export const DEFAULT_RETURN_TO = '/shop'
export const UNKNOWN_AUTHOR = 'Unknown Author'
export const UNKNOWN_TITLE = 'Unknown Title'
export const CURRENCY = 'TND'
