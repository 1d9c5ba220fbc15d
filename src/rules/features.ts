/**
 * What our backend has beyond the calls and fields of the specification. Another backend
 * (`API_ORIGIN`) names those that it has too (`GET /api/features`); of the others, no page shows
 * anything.
 */
export const FEATURES = [
  /** The own account, confirmed e-mail addresses and phones, log-outs that the server knows. */
  'account',
  /** ZIPs of bought documents. */
  'archive',
  /** Several documents at one price. */
  'bundles',
  /** Anonymous carts that a browser fills. */
  'carts',
  /** Names, last messages and unread counts of conversations. */
  'chat',
  /** Codes that lower prices. */
  'codes',
  /** Corrections that are sold apart, and who waits for one. */
  'corrections',
  /** Links to bought files, from which browsers download. */
  'downloads',
  /** Exams with a paper, and the marks that students give. */
  'exams',
  /** Visits and sales by teachers' links. */
  'links',
  /** Teachers, and classes with a subject, that an account follows, and its news. */
  'following',
  /** Orders and payments as their buyer sees them, and invoices. */
  'orders',
  /** Photos of receipts, beside payments that wait. */
  'photos',
  /** What there is for each class and subject. */
  'programme',
  /** Ratings by verified buyers, and teachers' answers. */
  'ratings',
  /** Bought documents page by page. */
  'reader',
  /** Reports of documents. */
  'reports',
  /** Pages of a document that everybody may look at. */
  'samples',
  /** Levels, orders and counts of the shop's list, and corrected words. */
  'search',
  /** A family's shelves. */
  'shelves',
  /** The shop's facts, texts, pages and binding terms. */
  'site',
  /** The movements of a wallet. */
  'wallet',
] as const
export type Feature = (typeof FEATURES)[number]

/** The features that are missing among those that a backend has; unknown ones are a newer shop's. */
export const lacking = (has: readonly string[]): readonly Feature[] =>
  FEATURES.filter((feature) => !has.includes(feature))

/** The id of something of which another backend says only the name, or none; no call takes it. */
export const UNKNOWN_ID = 0
