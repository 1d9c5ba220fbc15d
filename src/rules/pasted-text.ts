// What people paste from messages, PDFs and right-to-left texts contains marks that nobody sees,
// no-break spaces, and hyphens and digits of other scripts. Each kind of field drops what cannot be
// meant in it, and reads the rest as what it means. Running text (titles, descriptions, messages)
// keeps all of it but overrides of direction: marks order its words, and joiners make its letters
// and emoji.

/** Marks without a shape of their own: of direction, joiners, fillers, soft hyphens, variants. */
const UNSEEN = /[\p{DI}\u2028\u2029]/gu
/** Those of them that are no part of a word in any language: joiners and variants stay. */
const UNSEEN_IN_NAMES =
  /[\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\u3164\ufeff\uffa0]/gu
/** Hyphens, dashes and the minus sign. */
export const DASHES = /[\p{Pd}\u2043\u2212]/gu
/** Spaces, but no ends of lines: a field of one line refuses these. */
const SPACES = /[^\S\r\n\u2028\u2029]+/g
const VISIBLE = /[^\p{DI}\p{Cc}\p{Cf}\p{Z}\u2800]/u

/** Whether a text has nothing that can be seen: spaces and invisible marks at most. */
export function isBlank(text: string): boolean {
  return !VISIBLE.test(text)
}

/** Embeddings and overrides, which show letters in another order (`fdp.exe` as `exe.pdf`). */
const OVERRIDES = /[\u202a-\u202e]/g
const ISOLATE = /[\u2066-\u2069]/
const POP_ISOLATE = '\u2069'

/**
 * A person's text without what shows it, or what follows it on a page, in an order that it does not
 * have: without overrides, and without isolates that the line does not end or begin. Pairs of
 * isolates and the two marks of direction stay: they order the words of a mixed text.
 */
export function withoutOverrides(text: string): string {
  const plain = text.replace(OVERRIDES, '')
  if (!ISOLATE.test(plain)) return plain
  return plain.split('\n').map(withPairs).join('\n')
}

function withPairs(line: string): string {
  const kept = [...line]
  const open: number[] = []
  for (const [at, character] of kept.entries()) {
    if (!ISOLATE.test(character)) continue
    if (character !== POP_ISOLATE) open.push(at)
    else if (open.pop() === undefined) kept[at] = ''
  }
  for (const at of open) kept[at] = ''
  return kept.join('')
}

/**
 * A text of signs, such as an address, a reference, or the name of a column or file, in one
 * spelling: without invisible marks, with `-` for every hyphen, Latin digits, letters in their
 * plain form (NFKC), and single spaces.
 */
export function plainSigns(text: string): string {
  const plain = normalForm(text.replace(UNSEEN, ''), 'NFKC')
  return latinDigits(plain).replace(DASHES, '-').replace(/\s+/g, ' ').trim()
}

/**
 * The letters and digits of a number that is written in groups, in capitals; without words before
 * it, such as `RIB :`. A single letter is no word: it belongs to the number.
 */
export function plainNumber(text: string): string {
  const signs = plainSigns(text)
    .toUpperCase()
    .replace(/[ .:/\\|_-]/g, '')
  const start = signs.search(/\d/)
  return start > 1 ? signs.slice(start) : signs
}

/**
 * An e-mail address as it was meant; its case stays. A space within it is a mistake, and stays. A
 * domain in Arabic or with accents is written as mail servers know it.
 */
export function plainEmail(text: string): string {
  const plain = plainSigns(text)
  const domain = plain.lastIndexOf('@') + 1
  return domain === 0 ? plain : plain.slice(0, domain) + asciiDomain(plain.slice(domain))
}

/** The address of a page elsewhere, with its domain as the network knows it. */
export function plainLink(text: string): string {
  const [, scheme = '', domain = '', rest = ''] =
    /^(https?:\/\/)([^/?#]+)(.*)$/is.exec(text.trim()) ?? []
  return domain === '' ? text.trim() : scheme + asciiDomain(domain) + rest
}

/** A domain in punycode, such as `xn--mgbah1a3hjkrd.tn`; other text stays as it is. */
function asciiDomain(text: string): string {
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(text) || /^[\w.-]*$/.test(text)) return text
  try {
    return new URL(`https://${text}`).hostname
  } catch {
    return text
  }
}

/** A code that was sent or shown, such as of an authenticator: only its letters and digits. */
export function plainCode(text: string): string {
  return plainSigns(text).replace(/[ -]/g, '')
}

/** The name of a person or a thing: without marks of direction, and with single spaces. */
export function plainName(text: string): string {
  if (isBlank(text)) return ''
  const line = normalForm(text.replace(UNSEEN_IN_NAMES, ''), 'NFC').replace(SPACES, ' ')
  let [start, end] = [0, line.length]
  while (isNoPartOfName(line.charAt(start))) start++
  while (isNoPartOfName(line.charAt(end - 1))) end--
  return line.slice(start, end)
}

/** Whether a character at an end of a name is a space, or a joiner that joins nothing. */
const isNoPartOfName = (character: string): boolean => /[\s\u200c\u200d]/.test(character)

/** The longest text that any search of the shop and its office reads, in characters (code points). */
export const SEARCH_TEXT_MAX_LENGTH = 200

/** The part of a text that is searched for. A longer text is cut, so that no search fails for it. */
export function searchedPart(text: string): string {
  if (text.length <= SEARCH_TEXT_MAX_LENGTH) return text
  // A character has at most two units: no more than these are taken apart.
  const characters = [...text.slice(0, 2 * SEARCH_TEXT_MAX_LENGTH)]
  return characters.slice(0, SEARCH_TEXT_MAX_LENGTH).join('').trim()
}

/** The name of a column of a list: `Price ` and `price` are one. */
export function plainColumn(text: string): string {
  return plainSigns(text).toLowerCase()
}

/** The path of a file as others may write it too, to compare with; its case stays. */
export function plainPath(text: string): string {
  return plainSigns(text.replaceAll('\\', '/'))
}

/** The text with Arabic (٠–٩) and Persian (۰–۹) digits written as Latin ones. */
export function latinDigits(text: string): string {
  // In both blocks the low four bits of the code are the digit's value.
  return text.replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15))
}

/**
 * The text with plain letters for presentation forms: for the shapes of letters and ligatures that
 * old fonts and PDFs of Arabic name, without the space that precedes a mark printed alone.
 */
export function withoutForms(text: string): string {
  return text.replace(/[\uFB00-\uFDFF\uFE70-\uFEFC]+/g, (forms) =>
    normalForm(forms, 'NFKC').replace(/ (?=\p{M})/gu, ''),
  )
}

/**
 * Marks beyond the 30 that Unicode's Stream-Safe Text Format (UAX #15) allows in a row; no language
 * has as many. The two letters become marks when they are normalised.
 */
const FURTHER_MARKS = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu

/**
 * The text in a normal form of Unicode, with at most 30 marks in a row: to sort these, `normalize`
 * takes a time that grows with the square of their number.
 */
export function normalForm(text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string {
  return text.replace(FURTHER_MARKS, '$1').normalize(form)
}
