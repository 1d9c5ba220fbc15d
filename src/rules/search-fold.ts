import { latinDigits, normalForm } from './pasted-text.ts'

// Letters that Unicode does not decompose and that keyboards and authors use interchangeably: forms
// of alef, yeh and heh, letters of Persian keyboards, the Maghreb's letters for g, v and p.
const SAME_LETTERS: Record<string, string> = {
  ٱ: 'ا',
  ى: 'ي',
  ی: 'ي',
  ة: 'ه',
  ۃ: 'ه',
  ە: 'ه',
  ہ: 'ه',
  ھ: 'ه',
  ک: 'ك',
  ڨ: 'ق',
  ڤ: 'ف',
  ڥ: 'ف',
  پ: 'ب',
  œ: 'oe',
  æ: 'ae',
}
const VARIANTS = new RegExp(`[${Object.keys(SAME_LETTERS).join('')}]`, 'gu')

const BARE_ARTICLE = /^(?:[وبك]?ال|لل)$/

// Two letters must remain: النص is نص, but ألف, إلى and والد stay whole. للغة has swallowed a lam of
// اللغة, so that one word family loses a single lam; half-typed, it is not known whose lam it is.
const ARTICLE = /^(?:[وبك]?ال|ل(?=لغ(?:ه|ات|وي))|لل(?!غ(?:ه|ات|وي|[او]?$)))(?=..)/u

const ARTICLE_AND_LETTER = /^(?:[وبك]?ال|لل)(.)$/u
const HALF_OF_LUGHA = /^ل(ل(غ[او]?))$/u

/**
 * The text in the form that searches compare: without marks, case, punctuation and spelling
 * differences; with Latin digits; one space between words, where letters and numbers are separate
 * words. Folding a folded text changes nothing (docs/shop/pages.md#search).
 */
export function foldText(text: string): string {
  const letters = latinDigits(normalForm(text, 'NFKD').toLowerCase())
    .replace(/(?!\u0654)[\p{M}\p{Cf}\u0640\u0674]/gu, '') // U+0654: the hamza of ؤ and ئ
    .replace(VARIANTS, (letter) => SAME_LETTERS[letter] ?? letter)
  return foldHamza(letters)
    .replace(/(\p{L})(?=\p{N})|(\p{N})(?=\p{L})/gu, '$1$2 ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** The folded words of a text, each without a leading ال, وال, بال, كال or لل. */
export function foldWords(text: string): string[] {
  const words = foldText(text).split(' ')
  return words.filter(Boolean).map(withoutArticle)
}

/** A folded word without its leading ال, وال, بال, كال or لل. */
export function withoutArticle(word: string): string {
  // Repeated, because a word may begin like an article itself: آلات and الآلات must end alike.
  let rest = word
  while (ARTICLE.test(rest)) rest = rest.replace(ARTICLE, '')
  return rest
}

/** Words in which Latin letters write ع as 3, which would be the number of a class. */
const LETTER_3 = /\b(i?)3(?=arb|lam)/gi

/** The folded words to search for; a lone, half-typed article is ignored. */
export function foldQuery(text: string): string[] {
  return foldWords(text.replace(LETTER_3, '$1')).filter((word) => !BARE_ARTICLE.test(word))
}

/**
 * The possible beginnings of folded words that begin with `word`, which comes from `foldQuery`. An
 * article before a single letter (الك) is not removed from it, but it is from the words that begin
 * like this (كسور).
 */
export function startsOf(word: string): string[] {
  const [, ...rests] = ARTICLE_AND_LETTER.exec(word) ?? []
  const [, ...halves] = HALF_OF_LUGHA.exec(word) ?? []
  return [...new Set([word, ...rests, ...halves])]
}

/**
 * Whether the folded text contains the folded query, with or without articles; false for a blank
 * query.
 */
export function containsFolded(text: string, query: string): boolean {
  const wanted = foldText(query)
  if (wanted === '') return false
  return (
    foldText(text).includes(wanted) ||
    foldWords(text).join(' ').includes(foldWords(query).join(' '))
  )
}

// People write the seat without its hamza (سوال), a bare hamza for a seat (مساءل) and drop a last
// one (كيميا): ؤ is و, ئ and a hamza inside a word are ي, a first or last one is nothing. Before
// و all are و, for مسؤول and مسئول.
function foldHamza(text: string): string {
  return text
    .replace(/(^|[^\p{L}\p{M}])ء+/gu, '$1')
    .replace(/(?:[وي]\u0654|ء)+/g, (run, at: number, all: string) => {
      const beforeWaw = all[at + run.length] === 'و' ? run.length : run.lastIndexOf('و')
      return beforeWaw > 0 ? `و${run.slice(beforeWaw)}` : run
    })
    .replace(/ء(?=\p{L})/gu, 'ي')
    .replace(/ء|\p{M}/gu, '')
}
