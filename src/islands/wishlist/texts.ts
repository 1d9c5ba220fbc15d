/** `wishlist:page` of locales. */
export interface WishlistTexts {
  loading: string
  notLoggedIn: string
  login: string
  failed: { title: string; retry: string }
  empty: { title: string; text: string }
  shop: string
  added: string
  remove: string
  free: string
  old: string
  now: string
  /** The plural forms of `count`. */
  counts: Readonly<Record<string, string>>
}
