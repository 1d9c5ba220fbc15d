import { DAY_MS, MINUTE_MS, SECOND_MS } from './durations.ts'
import { DASHES, latinDigits, normalForm, withoutForms } from './pasted-text.ts'

/**
 * How many documents may be chosen for a ZIP; without a choice it contains all that were bought.
 */
export const ARCHIVE_CHOSEN_MAX = 200

export const ARCHIVES_AT_ONCE = 2

/** How long a signed link starts downloads, and how long it resumes those it has started, in ms. */
export const LINK_STARTS_MS = 10 * MINUTE_MS
export const LINK_RESUMES_MS = DAY_MS

/**
 * How often a page asks again for a link while the shop prepares the file (503), and how long it
 * waits before each request, in ms.
 */
export const PREPARATION_TRIES = 8
export const PREPARATION_WAIT_MS = 5 * SECOND_MS

/** Android's web view, the apps that say their names, and on iOS every browser except Safari's kin. */
const INSIDE_AN_APP =
  /; wv\)|\bFB(?:AN|AV|_IAB)\b|Instagram|Snapchat|BytedanceWebview|musical_ly|LinkedInApp|Twitter for i|WhatsApp|\bLine\//
const APPLE_PHONE = /\((?:iPhone|iPad|iPod)/

/**
 * Whether a page is shown by the browser inside another app, which mostly saves no files. A shop on
 * an iPhone's home screen (`isInstalled`) looks like one and saves them.
 */
export function isInsideAnApp(userAgent: string, isInstalled: boolean): boolean {
  if (INSIDE_AN_APP.test(userAgent)) return true
  return APPLE_PHONE.test(userAgent) && !userAgent.includes('Safari/') && !isInstalled
}

/** A link that the browser inside an app hands to the phone's own browser. */
export function outsideAddress({ protocol, host, pathname, search }: URL, userAgent: string) {
  const address = `//${host}${pathname}${search}`
  if (APPLE_PHONE.test(userAgent)) return `x-safari-${protocol}${address}`
  const intent = ['Intent', `scheme=${protocol.slice(0, -1)}`, 'action=android.intent.action.VIEW']
  return `intent:${address}#${intent.join(';')};end`
}

/** The longest name of a file, with its ending: file systems allow no more bytes of UTF-8. */
const FILE_NAME_MAX_BYTES = 255
/** The longest ending that a file type becomes. */
const ENDING_MAX_LENGTH = 20

const bytesOf = (text: string): number => new TextEncoder().encode(text).length
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

/** A name that every file system takes: cut before `ending`, between letters as people see them. */
export function fittingName(name: string, ending: string): string {
  let left = FILE_NAME_MAX_BYTES - bytesOf(ending)
  let end = 0
  for (const { segment, index } of graphemes.segment(name)) {
    left -= bytesOf(segment)
    if (left < 0) break
    end = index + segment.length
  }
  while (/[ .,’'-]/.test(name.charAt(end - 1))) end -= 1
  return name.slice(0, end) + ending
}

const UNNAMED = 'document'

/** The name of a downloaded file: in ASCII for every client, and in the script of the title. */
type DownloadName = { ascii: string; utf8: string }

/**
 * The name of a downloaded file: the letters, digits, spaces, `-` and `_` of the title, and what
 * joins two of them (`3.5`, `l’entreprise`), with the file type (`pdf`, `.pdf` or
 * `application/pdf`) as the extension. Anything else becomes one space. Letters in the forms of old
 * Arabic PDFs become plain ones. At most `FILE_NAME_MAX_BYTES` long.
 */
export function downloadName(title: string, fileType: string): DownloadName {
  const ending = fileType
    .toLowerCase()
    .replace(/^.*[./]/, '')
    .replace(/[^a-z\d]/g, '')
    .slice(0, ENDING_MAX_LENGTH)
  const named = (name: string) =>
    fittingName(/[\p{L}\p{Nd}]/u.test(name) ? name : UNNAMED, ending && `.${ending}`)
  const latin = latinDigits(title).replace(/[œæß]/gi, (letter) => LATIN[letter] ?? '')
  const ascii = kept(withJoints(normalForm(latin, 'NFKD')), /[^a-z\d _.,’-]+/gi)
  return {
    // Where letters of other scripts are gone, what joined them is at an end.
    ascii: named(withoutOuterHyphens(ascii.replaceAll('’', "'"))),
    // Composed first, since the accent of é alone is not a letter.
    utf8: named(
      kept(withJoints(normalForm(withoutForms(title), 'NFC')), /[^\p{L}\p{Nd} _.,’-]+/gu),
    ),
  }
}

/** The `Content-Disposition` header of a download. */
export function contentDisposition(title: string, fileType: string): string {
  const { ascii, utf8 } = downloadName(title, fileType)
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(utf8)}`
}

/** A text without the spaces and hyphens at its ends. */
function withoutOuterHyphens(text: string): string {
  const characters = [...text]
  const isPart = (character: string) => character !== ' ' && character !== '-'
  return characters
    .slice(Math.max(0, characters.findIndex(isPart)), characters.findLastIndex(isPart) + 1)
    .join('')
}

const LATIN: Readonly<Record<string, string>> = {
  œ: 'oe',
  Œ: 'Oe',
  æ: 'ae',
  Æ: 'Ae',
  ß: 'ss',
}

const APOSTROPHES = /['ʼ‘]/g
const FRACTIONS = /(?<=[\p{L}\p{M}\p{Nd}])[/\\\u2044](?=[\p{L}\p{Nd}])/gu
/** Points and commas that are not within a number, apostrophes that are not within a word. */
const ENDS = /(?<!\p{Nd})[.,]|[.,](?!\p{Nd})|(?<![\p{L}\p{M}])’|’(?!\p{L})/gu

/**
 * The title with what joins letters and digits in one spelling, and with a space for what joins
 * nothing, so that no two words become one: `2024/2025` is `2024-2025`, `l'eau` is `l’eau`.
 */
function withJoints(title: string): string {
  return (
    title
      // ² is 2, and ½ is 1⁄2.
      .replace(/\p{No}/gu, (sign) => normalForm(sign, 'NFKC'))
      .replace(DASHES, '-')
      .replaceAll('٫', ',')
      .replace(FRACTIONS, '-')
      .replace(APOSTROPHES, '’')
      .replace(ENDS, ' ')
  )
}

/** Vowels and invisible characters belong to their word. */
const WITHOUT_SPACE = /[\p{M}\p{Cf}]+/gu

function kept(title: string, dropped: RegExp): string {
  const written = title.replace(WITHOUT_SPACE, '').replace(dropped, ' ').replace(/ {2,}/g, ' ')
  return written
    .trim()
    .replace(/[ .,’]$/, '')
    .trim()
}

/**
 * For how many days an owner may still download a version of a file after a newer one has replaced
 * it.
 */
export const EARLIER_VERSION_DAYS = 30
export const EARLIER_VERSION_MS = EARLIER_VERSION_DAYS * DAY_MS
