import { DAY_MS, MINUTE_MS } from './durations.ts'
import { plainSigns } from './pasted-text.ts'

/** The code that proves a phone number: its digits, how long it works, and how many tries it takes. */
export const CODE_DIGITS = 6
export const CODE_LIFETIME_MS = 10 * MINUTE_MS
export const CODE_TRIES = 5

const CODE = new RegExp(`^\\d{${CODE_DIGITS}}$`)

/** A typed code as its digits, Latin ones without spaces; null if it is none. */
export function readCode(typed: string): string | null {
  return CODE.exec(plainSigns(typed).replace(/[ -]/g, ''))?.[0] ?? null
}

/** What a code opens: the whole account, or a change of its phone number alone. */
export const CODE_PURPOSES = ['account', 'change'] as const
export type CodePurpose = (typeof CODE_PURPOSES)[number]

/** The purpose of a code requested without a log-in: only the browser that requested it may try it. */
export const REQUEST_PURPOSES = ['register', 'reset', 'join'] as const
export type RequestPurpose = (typeof REQUEST_PURPOSES)[number]

/**
 * Tries that all addresses together have of a code that was read out at the counter, which belongs
 * to no browser; each address has `CODE_TRIES`.
 */
export const READ_OUT_TRIES = 10 * CODE_TRIES

/** What of an account can be changed with a confirmation. */
export const CONTACT_KINDS = ['email', 'phone'] as const
export type ContactKind = (typeof CONTACT_KINDS)[number]

/** How long a change of e-mail or phone waits where somebody could be robbed by it. */
export const CONTACT_WAIT_MS = DAY_MS

/** Text messages that the shop sends in a day, unless its operator sets another number. */
export const SMS_PER_DAY = 300

/**
 * The most of a day's messages that go to numbers which no account has confirmed: strangers cause
 * these, and must leave messages to those who have forgotten a password.
 */
export const NEWCOMERS_SHARE = 1 / 2

/**
 * With so many codes to such numbers in an hour, and a smaller share of them typed back, somebody
 * else than customers asks for them: from then on the shop sends only a few an hour.
 */
export const CODES_JUDGED_FROM = 30
export const CODES_BACK_SHARE = 1 / 3
export const SLOWED_CODES_PER_HOUR = 10

// GSM 03.38: the characters of which 160 fit into a message, and those that count twice.
const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ\u00a7¿abcdefghijklmnopqrstuvwxyzäöñüà'
const EXTENDED = '\f^{}\\[~]|€'
export const BASIC_MOST = 160
/** With any other character a message is in UCS-2. */
export const UCS2_MOST = 70

/** Whether a text is one message: a longer one is sent, and paid, as several. */
export function fitsOneMessage(text: string): boolean {
  const characters = [...text]
  if (!characters.every((each) => BASIC.includes(each) || EXTENDED.includes(each))) {
    return text.length <= UCS2_MOST
  }
  return text.length + characters.filter((each) => EXTENDED.includes(each)).length <= BASIC_MOST
}

/** The message that `write` makes of a text, or of as many of its first words as fit into one. */
export function writeToFit(text: string, write: (text: string) => string): string {
  const words = text.split(/\s+/)
  for (let kept = words.length; ; kept -= 1) {
    const isWhole = kept === words.length
    const message = write(isWhole ? text : `${words.slice(0, kept).join(' ')}...`)
    if (kept === 0 || fitsOneMessage(message)) return message
  }
}

/** A text without the signs of good typography that a message has no room for, or phones do not know. */
export function plainMessage(text: string): string {
  return text
    .replace(/[\u2066-\u2069\u200e\u200f]/g, '')
    .replace(/[\u00a0\u202f]/g, ' ')
    .replace(/’/g, "'")
}
