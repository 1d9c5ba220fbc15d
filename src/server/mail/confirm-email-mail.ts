import { fillText } from '../../i18n/format.ts'
import type { Locale } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import { DAY_MS } from '../../rules/durations.ts'
import { CONFIRMATION_LINK_LIFETIME_MS } from '../../rules/email-confirmation.ts'
import { SITE } from '../../site.ts'
import type { Mail } from './deliver.ts'
import { letter } from './letter.ts'
import { mailTexts } from './mail-texts.ts'

interface ConfirmationLink {
  readonly locale: Locale
  readonly to: string
  /** The origin that the link leads to. */
  readonly siteUrl: string
  readonly token: string
}

/**
 * The mail with the link that confirms the address it is sent to. Without the account's name: until
 * then anybody may have written it, to have the shop send words of theirs to somebody else.
 */
export function confirmEmailMail({ locale, to, siteUrl, token }: ConfirmationLink): Mail {
  const values = { site: SITE.name[locale], days: CONFIRMATION_LINK_LIFETIME_MS / DAY_MS }
  const { confirmEmail, reset } = mailTexts(locale)
  const say = (key: keyof typeof confirmEmail) => fillText(confirmEmail[key], values)
  return letter({
    locale,
    to,
    subject: say('subject'),
    title: say('title'),
    parts: [
      { text: reset.hello },
      { text: say('text') },
      {
        button: say('button'),
        href: `${siteUrl}${pathIn(locale, '/confirm-email')}?token=${token}`,
      },
      { text: say('days') },
      { text: say('ignore') },
    ],
  })
}
