import type { TextsAt } from '../../i18n/text-keys.ts'

/** `chat:page` of locales. */
export type ChatTexts = TextsAt<'chat:page'>
