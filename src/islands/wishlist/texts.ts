import type { TextsAt } from '../../i18n/text-keys.ts'

/** `wishlist:page` of locales. */
export type WishlistTexts = TextsAt<'wishlist:page'>
