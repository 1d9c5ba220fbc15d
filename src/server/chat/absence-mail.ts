import { fillText } from '../../i18n/format.ts'
import type { Locale } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import type { Texts } from '../../i18n/texts.ts'
import { previewText } from '../../rules/preview-text.ts'
import { letter, type WrittenMail } from '../mail/mail.ts'

export interface Unread {
  readonly texts: Texts
  readonly locale: Locale
  readonly to: string
  readonly name: string
  /** The author of the last message, and its text, of which the mail shows only the beginning. */
  readonly sender: string
  readonly content: string
  /** The origin of the site. */
  readonly siteUrl: string
}

/** The mail to an absent user about an unread message. */
export function absenceMail({
  texts,
  locale,
  to,
  name,
  sender,
  content,
  siteUrl,
}: Unread): WrittenMail {
  const words = texts[locale]['chat-mail']
  // A header must be one line, even if a name contains line breaks.
  const values = { name: sender.replace(/\s+/g, ' ') }
  return letter({
    texts,
    locale,
    to,
    subject: fillText(words.subject, values),
    title: words.title,
    parts: [
      { text: fillText(texts[locale].mail.hello, { name }) },
      { text: words.text },
      { facts: [{ label: sender, value: previewText(content.replace(/\s+/g, ' ')) }] },
      { button: words.button, href: `${siteUrl}${pathIn(locale, '/chat')}` },
      { text: words.once },
    ],
  })
}
