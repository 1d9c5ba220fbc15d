import { latinDigits, normalForm, searchedPart } from './pasted-text.ts'
import { foldQuery } from './search-fold.ts'

// The same keys in the Arabic layout (102) and in both Latin ones that are in use beside it.
const ARABIC = 'ض ص ث ق ف غ ع ه خ ح ج د ش س ي ب ل ا ت ن م ك ط ئ ء ؤ ر لا ى ة و ز ظ ذ'.split(' ')
const QWERTY = [..."qwertyuiop[]asdfghjkl;'zxcvbnm,./`"]
const AZERTY = [...'azertyuiop^$qsdfghjklmùwxcvbn,;:!²']
/** The keys that give an alef with its hamza together with the shift key. */
const SHIFTED: Readonly<Record<string, string>> = {
  Y: 'إ',
  H: 'أ',
  N: 'آ',
  G: 'لأ',
  T: 'لإ',
  B: 'لآ',
}
/** The letters of AZERTY's row of digits, which give digits in the Arabic layout. */
const ACCENTED: Readonly<Record<string, string>> = { 2: 'é', 7: 'è', 9: 'ç', 0: 'à' }

const toArabic = (keys: readonly string[]): ReadonlyMap<string, string> =>
  new Map(keys.map((key, at) => [key, ARABIC[at] ?? key]))
const toLatin = (keys: readonly string[]): ReadonlyMap<string, string> =>
  new Map([
    ...ARABIC.map((letter, at): [string, string] => [letter, keys[at] ?? letter]),
    ...Object.entries(SHIFTED).map(([key, letters]): [string, string] => [
      letters,
      key.toLowerCase(),
    ]),
  ])
const ARABIC_OF = [toArabic(QWERTY), toArabic(AZERTY)]
const LATIN_OF = [toLatin(AZERTY), toLatin(QWERTY)]

const HAS_ARABIC = /[ء-ي]/
const HAS_LATIN = /[a-z]/i
/** A word of fewer letters is too easily one of the other layout as well. */
const LETTERS_LEAST = 3

/**
 * A search as it would read had its keys been pressed in the other layout: `vdhqdhj` is رياضيات,
 * and كضفاس is `maths`; null where what was typed has a known word, or the other reading has one
 * that is not known. `isWord` knows words as `foldQuery` gives them, such as those of a
 * vocabulary or of the catalogue.
 */
export function otherLayout(search: string, isWord: (word: string) => boolean): string | null {
  const text = latinDigits(normalForm(searchedPart(search), 'NFKC'))
  const isArabic = HAS_ARABIC.test(text)
  if (isArabic === HAS_LATIN.test(text)) return null
  const isLong = (word: string) => word.length >= LETTERS_LEAST
  if (foldQuery(text).some((word) => isLong(word) && isWord(word))) return null
  for (const reading of isArabic ? latinReadings(text) : arabicReadings(text)) {
    // Letters behind a number, as in 9ème, may be an ending.
    const words = foldQuery(reading).filter((word) => !/^\d/.test(word))
    const long = words.filter(isLong)
    if (long.length > 0 && long.every(isWord)) return reading.trim()
  }
  return null
}

function arabicReadings(text: string): string[] {
  const small = ARABIC_OF.map((keys) => typedWith(text.toLowerCase(), keys))
  if (!/[A-Z]/.test(text)) return small
  const shifted = ARABIC_OF.map((keys) =>
    [...text].map((key) => SHIFTED[key] ?? keys.get(key.toLowerCase()) ?? key).join(''),
  )
  return [...small, ...shifted]
}

function latinReadings(text: string): string[] {
  const isLetter = (at: number) => HAS_ARABIC.test(text.charAt(at))
  const accented = text.replace(/[2790]/g, (digit, at: number) =>
    isLetter(at - 1) || isLetter(at + 1) ? (ACCENTED[digit] ?? digit) : digit,
  )
  return LATIN_OF.flatMap((keys) => [typedWith(accented, keys), typedWith(text, keys)])
}

/** The text with what each key gives in another layout; لا is one key, before its two letters. */
function typedWith(text: string, keys: ReadonlyMap<string, string>): string {
  let result = ''
  for (let at = 0; at < text.length; ) {
    const two = keys.get(text.slice(at, at + 2))
    const one = text.charAt(at)
    result += two ?? keys.get(one) ?? one
    at += two === undefined ? 1 : 2
  }
  return result
}
