import { fillText } from '../../i18n/format.ts'
import type { Locale } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import type { Texts } from '../../i18n/texts.ts'
import { DAY_MS, MINUTE_MS } from '../../rules/durations.ts'
import type { PageAddress } from '../../rules/pages.ts'
import { CONFIRMATION_LINK_LIFETIME_MS } from '../../rules/roles.ts'
import type { ContactKind } from '../../rules/sms.ts'
import type { WrittenMail } from './deliver.ts'
import { letter } from './letter.ts'
import type { ContactTold } from './queue.ts'

export const RESET_LINK_LIFETIME_MS = 30 * MINUTE_MS

interface Link {
  readonly texts: Texts
  readonly locale: Locale
  readonly to: string | null
  /** The origin that the link leads to. */
  readonly siteUrl: string
  readonly token: string
}

/**
 * The mail with the link that resets a password, in the language of the page that requested it. For
 * staff, the link leads to the office's page.
 */
export function resetMail({
  isStaff,
  ...link
}: Link & { readonly isStaff?: boolean }): WrittenMail {
  const { hello, asked: before, once: after, ...texts } = link.texts[link.locale].mail.reset
  const values = { minutes: RESET_LINK_LIFETIME_MS / MINUTE_MS }
  const path = isStaff ? '/office/reset-password' : '/reset-password'
  return linkMail(path, link, { ...texts, hello, before, after }, values)
}

/**
 * The mail with the link that confirms its own recipient's address. It leaves out the account's
 * name: anyone could enter any words as a name and make the shop send them to a stranger.
 */
export function confirmEmailMail(link: Link): WrittenMail {
  const { confirmEmail, reset } = link.texts[link.locale].mail
  const { text, days, ...texts } = confirmEmail
  const words = { ...texts, hello: reset.hello, before: text, after: days }
  const values = { days: CONFIRMATION_LINK_LIFETIME_MS / DAY_MS }
  return linkMail('/confirm-email', link, words, values)
}

/** The mail with the link that makes its recipient's address the one of an account. */
export function contactLinkMail(link: Link): WrittenMail {
  const { contact, confirmEmail, reset } = link.texts[link.locale].mail
  const words = { ...confirmEmail, ...contact.link, hello: reset.hello, after: confirmEmail.days }
  const values = { days: CONFIRMATION_LINK_LIFETIME_MS / DAY_MS }
  return linkMail('/confirm-email', link, { ...words, before: contact.link.text }, values)
}

/** Tells that the e-mail address or phone number of an account is going to change, or has changed. */
export function contactToldMail({
  texts,
  locale,
  to,
  siteUrl,
  isStaff,
  what,
  contact,
}: Omit<Link, 'token'> & {
  readonly isStaff: boolean
  readonly what: ContactTold
  readonly contact: ContactKind
}): WrittenMail {
  const { reset, contact: words } = texts[locale].mail
  const subject = words.subjects[contact]
  const page = pathIn(locale, isStaff ? '/office/security' : '/account')
  return letter({
    texts,
    locale,
    to,
    subject,
    title: subject,
    parts: [
      { text: reset.hello },
      { text: words[contact][what] },
      ...(what === 'kept' ? [] : [{ text: words.notYou[what] }]),
      { button: words.button, href: `${siteUrl}${page}` },
    ],
  })
}

/**
 * Tells that somebody wanted to register with the address of an account, in the language of the page
 * where it was typed.
 */
export function emailKnownMail({
  texts,
  locale,
  to,
  siteUrl,
  isStaff,
}: Omit<Link, 'token'> & { readonly isStaff: boolean }): WrittenMail {
  const { reset, alreadyKnown: words } = texts[locale].mail
  const page = pathIn(locale, isStaff ? '/office/login' : '/login')
  return letter({
    texts,
    locale,
    to,
    subject: words.subject,
    title: words.title,
    parts: [
      { text: reset.hello },
      { text: words.text },
      { button: words.button, href: `${siteUrl}${page}` },
      { text: words.ignore },
    ],
  })
}

type Words = Record<
  'subject' | 'title' | 'hello' | 'before' | 'button' | 'after' | 'ignore',
  string
>

function linkMail(
  path: PageAddress,
  { texts, locale, to, siteUrl, token }: Link,
  words: Words,
  values: Record<string, number>,
): WrittenMail {
  const say = (key: keyof Words) => fillText(words[key], values)
  return letter({
    texts,
    locale,
    to,
    subject: say('subject'),
    title: say('title'),
    parts: [
      { text: say('hello') },
      { text: say('before') },
      { button: say('button'), href: `${siteUrl}${pathIn(locale, path)}?token=${token}` },
      { text: say('after') },
      { text: say('ignore') },
    ],
  })
}
