import { readFileSync } from 'node:fs'
import { LOCALES, type Locale } from '../../i18n/locales.ts'

type Texts<Key extends string> = Readonly<Record<Key, string>>

/** The texts of `locales/<lang>/mail.json`. */
export interface MailTexts {
  readonly frame: Texts<'link'>
  readonly reset: Texts<'subject' | 'title' | 'hello' | 'asked' | 'button' | 'once' | 'ignore'>
  readonly confirmEmail: Texts<'subject' | 'title' | 'text' | 'button' | 'days' | 'ignore'>
  /** What stands before values. */
  readonly labels: Texts<
    | 'receipt'
    | 'order'
    | 'date'
    | 'total'
    | 'amount'
    | 'reference'
    | 'until'
    | 'bank'
    | 'holder'
    | 'rib'
    | 'iban'
    | 'phone'
  >
  readonly hello: string
  readonly paid: Texts<'subject' | 'title' | 'text' | 'button'>
  readonly confirmed: Texts<'title' | 'text'>
  readonly waiting: Texts<'subject' | 'title' | 'bank_transfer' | 'd17' | 'after' | 'button'>
  readonly refused: Texts<'subject' | 'title' | 'text' | 'sent' | 'order' | 'top_up'>
  readonly credited: Texts<'subject' | 'title' | 'text' | 'button'>
  readonly inWallet: Texts<'subject' | 'title' | 'button'> & {
    readonly why: Texts<'paid' | 'cancelled' | 'replaced' | 'owned'>
  }
  readonly refunded: Texts<'subject' | 'title' | 'text' | 'button'>
  readonly expired: Texts<'subject' | 'title' | 'text' | 'button'>
}

/** The texts of `locales/<lang>/chat-mail.json`. */
export type ChatMailTexts = Texts<'subject' | 'title' | 'text' | 'button' | 'once'>

// Read once at the start; Vite, which gives pages their texts, is not here.
const texts = read<MailTexts>('mail')
const chatTexts = read<ChatMailTexts>('chat-mail')

function read<T>(namespace: string): Readonly<Record<Locale, T>> {
  const pairs = LOCALES.map((locale) => {
    const file = new URL(`../../../locales/${locale}/${namespace}.json`, import.meta.url)
    return [locale, JSON.parse(readFileSync(file, 'utf8')) as T]
  })
  return Object.fromEntries(pairs)
}

/** The texts of mails in a language. */
export function mailTexts(locale: Locale): MailTexts {
  return texts[locale]
}

/** The texts of the mail to somebody who is away. */
export function chatMailTexts(locale: Locale): ChatMailTexts {
  return chatTexts[locale]
}
