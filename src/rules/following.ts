import { DAY_MS, MINUTE_MS } from './durations.ts'

/** How many teachers, and classes with a subject, an account may follow in all. */
export const FOLLOWS_MAX = 100

/** How long something is listed as news, in days. */
export const NEWS_DAYS = 60
export const NEWS_MS = NEWS_DAYS * DAY_MS

/** How many news a list has, the latest first. */
export const NEWS_SHOWN = 50

/** For how long a browser believes what the server said about unseen news. */
export const NEWS_CHECK_MS = 10 * MINUTE_MS

/** What news tell: a new document, a lower price, a new version, a correction. */
export const NEWS_KINDS = ['published', 'price', 'version', 'correction'] as const
export type NewsKind = (typeof NEWS_KINDS)[number]

/** The news of which the weekly mail tells: the others have had a mail of their own. */
export const MAILED_NEWS = ['published', 'price'] as const satisfies readonly NewsKind[]

/** How many of them it names, the latest first. */
export const NEWS_IN_MAIL = 10

/** How long no other one follows; and to an account with a phone alone, no other text message. */
export const NEWS_MAIL_EVERY_MS = 7 * DAY_MS
export const NEWS_TEXT_EVERY_MS = 30 * DAY_MS

/** The most of the shop's text messages of a day that tell of news: codes must find room. */
export const NEWS_TEXTS_SHARE = 1 / 4

/** A teacher, or a class with a subject. */
export type Followed =
  | { readonly teacherId: number }
  | { readonly niveauId: number; readonly matiereId: number }

/** The form in which browsers and calls name one: `t12`, `c3-5`. */
export const FOLLOW_KEY = /^(?:t\d{1,9}|c\d{1,9}-\d{1,9})$/

export const followKey = (followed: Followed): string =>
  'teacherId' in followed ? `t${followed.teacherId}` : `c${followed.niveauId}-${followed.matiereId}`

/** What a key names. */
export function followedOf(key: string): Followed {
  const [first, second] = key.slice(1).split('-').map(Number)
  return key.startsWith('t')
    ? { teacherId: first as number }
    : { niveauId: first as number, matiereId: second as number }
}
