import { fillText } from '../../i18n/format.ts'
import type { Locale } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import { previewText } from '../../rules/preview-text.ts'
import { SITE } from '../../site.ts'
import type { Mail } from '../mail/mail.ts'
import { chatMailTexts, letter, mailTexts } from '../mail/mail.ts'

export interface Unread {
  readonly locale: Locale
  readonly to: string
  readonly name: string
  /** Who wrote last, and what; only its beginning is shown. */
  readonly sender: string
  readonly content: string
  /** The site's origin. */
  readonly siteUrl: string
}

/** Tells somebody who is away of a message that waits. */
export function absenceMail({ locale, to, name, sender, content, siteUrl }: Unread): Mail {
  const said = chatMailTexts(locale)
  // A header is one line, whatever a name holds.
  const values = { name: sender.replace(/\s+/g, ' '), site: SITE.name[locale] }
  return letter({
    locale,
    to,
    subject: fillText(said.subject, values),
    title: said.title,
    parts: [
      { text: fillText(mailTexts(locale).hello, { name }) },
      { text: said.text },
      { facts: [{ label: sender, value: previewText(content.replace(/\s+/g, ' ')) }] },
      { button: said.button, href: `${siteUrl}${pathIn(locale, '/chat')}` },
      { text: said.once },
    ],
  })
}
