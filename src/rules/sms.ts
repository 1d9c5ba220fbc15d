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

/** What of an account can be changed with a confirmation. */
export const CONTACT_KINDS = ['email', 'phone'] as const
export type ContactKind = (typeof CONTACT_KINDS)[number]

/** How long a change of e-mail or phone waits where somebody could be robbed by it. */
export const CONTACT_WAIT_MS = DAY_MS

/** Text messages that the shop sends in a day, unless its operator sets another number. */
export const SMS_PER_DAY = 300

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

/** A text without the signs of good typography that a message has no room for, or phones do not know. */
export function plainMessage(text: string): string {
  return text
    .replace(/[\u2066-\u2069\u200e\u200f]/g, '')
    .replace(/[\u00a0\u202f]/g, ' ')
    .replace(/’/g, "'")
}
