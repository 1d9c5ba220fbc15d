import { startsOf } from '../../../rules/search-fold.ts'
import { CHAT_WORDS, isFunctionWord, type NamedList } from '../../../rules/search-words.ts'
import type { CatalogueIndex } from './catalogue-index.ts'

/** The most words of a search that count; further ones are ignored. */
export const QUERY_WORDS_MAX = 12

/** A word of a search: the numbers of the catalogue's words that match it. */
export interface SearchedWord {
  readonly numbers: readonly number[]
  /** Those of them that match in names too; all, without it. */
  readonly inNames?: readonly number[]
  /** Whether documents need not have it. */
  readonly isOptional?: boolean
  /** The word that equals it, if there is one. */
  readonly whole?: number | undefined
}

export interface Found {
  readonly slots: readonly number[]
  /** By slot: how well the document matches; higher is better. */
  readonly scores: Uint8Array
}

/**
 * How well a document matches, best last. The last word of a search may be the beginning of a word.
 */
const TEACHER = 1
const NAMES = 2
const TITLE = 3
const TITLE_START = 5
/** Added if the last word is a whole word of the title. */
const WHOLE = 1
/** A document has what the words say as facts; only a title that is the search fits better. */
export const FACTS = TITLE_START + WHOLE
const WHOLE_TITLE = 7

/**
 * The documents that have every word, ranked by where: title start, title, names of the subject,
 * the kind and the class, teacher.
 */
export function findDocuments(index: CatalogueIndex, searched: readonly SearchedWord[]): Found {
  const { vocabulary } = index
  const words = index.words()
  const { wordsFrom, titleWords, alive, matiereId, categoryId, niveauId } = index.columns()
  const scores = new Uint8Array(index.size())
  const slots: number[] = []
  const isHopeless = ({ numbers, isOptional }: SearchedWord) => numbers.length === 0 && !isOptional
  if (searched.length === 0 || searched.some(isHopeless)) return { slots, scores }
  // A bit for each word of the search, and another for the last one as a whole word.
  const bits = new Uint16Array(vocabulary.size())
  const nameBits = new Uint16Array(vocabulary.size())
  let needed = 0
  for (const [at, { numbers, inNames = numbers, isOptional }] of searched.entries()) {
    for (const number of numbers) bits[number] = (bits[number] as number) | (1 << at)
    for (const number of inNames) nameBits[number] = (nameBits[number] as number) | (1 << at)
    if (!isOptional) needed |= 1 << at
  }
  const isWhole = 1 << searched.length
  const { whole } = searched.at(-1) as SearchedWord
  if (whole !== undefined) bits[whole] = (bits[whole] as number) | isWhole
  const { subjects, kinds, classes } = bitsOfNames(index, nameBits)

  /** The bits of the words that the names of a document's subject, kind and class have. */
  function inNames(slot: number): number {
    const subject = subjects[matiereId[slot] as number] as number
    const kind = kinds[categoryId[slot] as number] as number
    return subject | kind | (classes[niveauId[slot] as number] as number)
  }

  function scoreOf(slot: number): number {
    const from = wordsFrom[slot] as number
    const to = wordsFrom[slot + 1] as number
    const titleEnd = from + (titleWords[slot] as number)
    const named = inNames(slot)
    let [seen, inTitle] = [named, 0]
    let starts = true
    for (let at = from; at < to; at++) {
      const has = bits[words[at] as number] as number
      if (at - from < searched.length && !(has & (1 << (at - from)))) starts = false
      if (has === 0) continue
      seen |= has
      if (at < titleEnd) inTitle |= has
    }
    if ((seen & needed) !== needed) return 0
    if ((inTitle & needed) !== needed) {
      return ((inTitle | named) & needed) === needed ? NAMES : TEACHER
    }
    const wholeWord = inTitle & isWhole ? WHOLE : 0
    const length = titleEnd - from
    if (!starts || length < searched.length) return TITLE + wholeWord
    return wholeWord && length === searched.length ? WHOLE_TITLE : TITLE_START + wholeWord
  }

  function consider(slot: number): void {
    if (scores[slot] !== 0 || !alive[slot]) return
    const score = scoreOf(slot)
    if (score === 0) return
    scores[slot] = score
    slots.push(slot)
  }

  const rarest = rarestWord(index, searched)
  const { numbers } = searched[rarest] as SearchedWord
  for (const number of numbers) for (const slot of vocabulary.slotsOf(number)) consider(slot)
  if (numbers.some(index.isInNames)) {
    const bit = 1 << rarest
    for (let slot = 0; slot < index.size(); slot++) if (inNames(slot) & bit) consider(slot)
  }
  return { slots, scores }
}

/**
 * The bits of the words in the names of each entry, by its code. A class counts only if it has one
 * of the words that is in no name of a subject: maths alone means the subject, bac maths the class.
 */
function bitsOfNames(index: CatalogueIndex, bits: Uint16Array): Record<NamedList, Uint16Array> {
  const ofSubjects = new Set(index.entriesByCode('subjects').flatMap((entry) => entry?.words ?? []))
  const bitsOf = (numbers: readonly number[] = []) =>
    numbers.reduce((all, number) => all | (bits[number] as number), 0)
  const ofList = (list: NamedList) =>
    Uint16Array.from(index.entriesByCode(list), (entry) => {
      const own =
        list === 'classes' ? entry?.words.filter((word) => !ofSubjects.has(word)) : undefined
      return own && bitsOf(own) === 0 ? 0 : bitsOf(entry?.words)
    })
  return { subjects: ofList('subjects'), kinds: ofList('kinds'), classes: ofList('classes') }
}

/**
 * The place of the word with the fewest documents: only these can have all words. A word of names
 * may be in as many as there are.
 */
function rarestWord(index: CatalogueIndex, searched: readonly SearchedWord[]): number {
  const count = ({ numbers, isOptional }: SearchedWord) => {
    if (isOptional) return Number.POSITIVE_INFINITY
    if (numbers.some(index.isInNames)) return index.size()
    return numbers.reduce((sum, number) => sum + index.vocabulary.slotsOf(number).length, 0)
  }
  const counts = searched.map(count)
  return counts.indexOf(Math.min(...counts))
}

/**
 * Matches the words of a search as they are typed: whole words, the last one as a beginning. A word
 * in Latin letters that nothing has may be an Arabic one.
 */
export function typedWords(
  { vocabulary }: CatalogueIndex,
  words: readonly string[],
): SearchedWord[] {
  function inArabic(word: string): readonly number[] {
    const meant = CHAT_WORDS.get(word)
    if (meant === undefined) return vocabulary.soundingLike(word)
    const number = vocabulary.numberOf(meant)
    return number === undefined ? [] : [number]
  }
  return words.map((word, at) => {
    const whole = vocabulary.numberOf(word)
    if (at < words.length - 1) {
      const numbers = whole === undefined ? inArabic(word) : [whole]
      return { numbers, whole, isOptional: isFunctionWord(word, at, words) }
    }
    const numbers = startsOf(word).flatMap(vocabulary.startingWith)
    return { numbers: numbers.length > 0 ? numbers : inArabic(word), whole }
  })
}

/**
 * Matches each word anywhere in a title or teacher's name, also in the middle of a word; in other
 * names as a beginning, since `cours` is not meant by a class with its `concours`.
 */
export function partsOfWords(
  { vocabulary }: CatalogueIndex,
  words: readonly string[],
): SearchedWord[] {
  return words.map((word, at) => {
    const inside = vocabulary.containing(word)
    const inNames = startsOf(word).flatMap(vocabulary.startingWith)
    const isOptional = isFunctionWord(word, at, words)
    // Stored words have no article, so a text from the middle of it (لكيمياء) is also tried
    // without.
    const [, rest] = /^ل(..+)/u.exec(word) ?? []
    const withoutLam = rest ? vocabulary.startingWith(rest) : []
    return {
      numbers: [...new Set([...inside, ...inNames, ...withoutLam])],
      inNames: [...inNames, ...withoutLam],
      isOptional,
    }
  })
}
