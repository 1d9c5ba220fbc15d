import { fillText } from '../../i18n/format.ts'
import type { Locale } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import { MINUTE_MS } from '../../rules/durations.ts'
import { SITE } from '../../site.ts'
import type { Mail } from './deliver.ts'
import { letter } from './letter.ts'
import { mailTexts } from './mail-texts.ts'

export const RESET_LINK_LIFETIME_MS = 30 * MINUTE_MS

interface ResetLink {
  readonly locale: Locale
  readonly to: string
  /** The origin that the link leads to. */
  readonly siteUrl: string
  readonly token: string
}

/** The mail with the link that resets a password, in the language of the page that asked for it. */
export function resetMail({ locale, to, siteUrl, token }: ResetLink): Mail {
  const href = `${siteUrl}${pathIn(locale, '/reset-password')}?token=${token}`
  const values = { site: SITE.name[locale], minutes: RESET_LINK_LIFETIME_MS / MINUTE_MS }
  const said = mailTexts(locale).reset
  const say = (key: keyof typeof said) => fillText(said[key], values)
  return letter({
    locale,
    to,
    subject: say('subject'),
    title: say('title'),
    parts: [
      { text: say('hello') },
      { text: say('asked') },
      { button: say('button'), href },
      { text: say('once') },
      { text: say('ignore') },
    ],
  })
}
