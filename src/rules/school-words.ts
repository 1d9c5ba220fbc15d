import { PAPER_KINDS, type PaperKind } from './papers.ts'
import { latinDigits } from './pasted-text.ts'
import { foldText, withoutArticle } from './search-fold.ts'
import { CHAT_WORDS, phrasesOf, soundOf, undoneSlips, withChatLetters } from './search-words.ts'

// A phrase after `~` counts where a number, a subject or a class is beside it: the synthesis of a
// protein and the control of quality are no tests.
const KIND_PHRASES: Readonly<Record<PaperKind, string>> = {
  control:
    'devoir contrôle, devoirs contrôle, dev contrôle, devoir control, devoir مراقبة, dc, dcn, فرض مراقبة, فروض مراقبة, fard mouraqaba, fardh mouraqaba, mouraqaba, mourakaba, muraqaba, control test, ~contrôle, ~con, ~مراقبة',
  ordinary:
    'devoir ordinaire, devoirs ordinaires, فرض عادي, فروض عادية, fard adi, fardh adi, ordinary test, ~عادي',
  synthesis:
    'devoir synthèse, devoirs synthèse, dev synthèse, devoir syntèse, devoir sinthèse, devoir تأليفي, ds, dsn, فرض تأليفي, فروض تأليفية, تأليفي, fard talifi, fardh talifi, fard taelifi, talifi, taelifi, synthesis test, ~synthèse, ~syntèse',
  mock: 'bac blanc, bacs blancs, baccalauréat blanc, concours blanc, concours blancs, examen blanc, devoir blanc, باك تجريبي, بكالوريا تجريبية, باكالوريا تجريبية, باك بلان, بكالوريا بيضاء, مناظرة تجريبية, امتحان تجريبي, mock bac, mock exam',
  concours6:
    'سيزيام, سيزيم, sizième, siziem, sizyem, sizyam, concours entrée collèges pilotes, concours collèges pilotes, concours collège pilote, مناظرة دخول الى مدارس إعدادية نموذجية, مناظرة دخول الى إعداديات نموذجية, مناظرة دخول مدارس إعدادية نموذجية',
  concours9:
    'نوفيام, نوفيم, nouviem, noufiem, noviem, nofiem, novyem, nouvyem, nouvième, dfeeb, dfeb, diplôme fin études enseignement base, مناظرة ختم تعليم أساسي, ختم تعليم أساسي',
  bac_main: 'session principale, دورة رئيسية, main session',
  bac_control:
    'session contrôle, session rattrapage, دورة مراقبة, دورة تدارك, control session, second session, dawra mouraqaba, dourat mouraqaba',
  series:
    'série exercices, séries exercices, série تمارين, série corrigée, سلسلة تمارين, سلاسل تمارين, سلسلة exercices, silsilat tamarin, silsila tamarin, exercise series, ~série, ~سلسلة, ~silsila, ~silsilat',
  homework:
    'devoir maison, devoirs maison, dev maison, dm, فرض منزلي, فروض منزلية, واجب منزلي, fard manzili, fardh manzili, homework',
}

/** Words that say something else, each with what they say and the value of each. */
const OTHER_PHRASES = {
  /** A test of a kind that is not said. */
  test: {
    1: 'devoir, devoirs, dev, devoir surveillé, فرض, فروض, examen, exam, test, اختبار, امتحان, évaluation',
  },
  contest: { 1: 'concours, مناظرة' },
  trimester: { 1: 'trimestre, trimestres, trim, trimester, term, ثلاثي, ثلاثية' },
  ordinal: {
    1: 'premier, أول, first',
    2: 'second, ثاني',
    3: 'ثالث',
    4: 'رابع',
    5: 'خامس',
    6: 'سادس',
  },
  suffix: { 1: 'e, er, re, ere, eme, ieme, me, nd, nde, rd, th, st, em' },
  yearOfSchool: { 1: 'année, annee, سنة, year, grade, form, classe, class, niveau, قسم, sana' },
  section: { 1: 'section, شعبة, filière' },
  month: {
    1: 'janvier, جانفي, january',
    2: 'février, فيفري, february',
    3: 'mars, مارس, march',
    4: 'avril, أفريل, april',
    5: 'mai, ماي, may',
    6: 'juin, جوان, june',
    9: 'septembre, سبتمبر, september',
    10: 'octobre, أكتوبر, october',
    11: 'novembre, نوفمبر, november',
    12: 'décembre, ديسمبر, december',
  },
  correction: {
    1: 'correction, corrections, corr, corrigé, corrigés, solution, solutions, answers, إصلاح, تصحيح, حل, حلول, islah',
  },
  /** Said of a document: a corrected one. */
  corrected: {
    1: 'corrigé, corrigée, corrigés, corrigées, مصلح, مصلحة, مصحح, وإصلاحه, وإصلاحها',
  },
  with: { 1: 'avec, et, with, and, مع, و, ومع, plus' },
  without: { 1: 'sans, non, without, بدون, دون' },
  numberMark: { 1: 'n, no, num, numéro, nr, عدد, ع, رقم, number' },
  hour: { 1: 'h, heure, heures, hour, hours, ساعة, ساعات' },
  minute: { 1: 'min, mn, minute, minutes, دقيقة, دقائق, دق' },
  duration: {
    30: 'demi heure, نصف ساعة',
    60: 'une heure, one hour, ساعة واحدة',
    90: 'ساعة ونصف, ساعة و نصف',
    120: 'deux heures, two hours, ساعتان, ساعتين',
  },
  lasting: { 1: 'durée, duration, مدة, توقيت' },
  session: { 1: 'session, دورة' },
  /** What is numbered besides tests and classes. */
  counted: {
    1: 'chapitre, chapitres, chap, leçon, leçons, cours, page, pages, exercice, exercices, ex, unit, module, partie, lesson, chapter, unité, tome, volume, محور, درس, صفحة, وحدة, تمرين, باب, جزء',
  },
  /** A document that prepares for an examination is none. */
  preparing: {
    1: 'préparation, préparer, réussir, entraînement, révision, révisions, practice, revision, تحضير, استعداد, مراجعة',
  },
  school: { 1: 'lycée, collège, معهد, إعدادية' },
  schoolOfKind: { 1: 'مدرسة' },
  schoolKind: {
    1: 'pilote, technique, secondaire, mixte, privé, ثانوي, نموذجي, نموذجية, إعدادية, ابتدائية, تقني, خاص, خاصة',
  },
  teacher: { 1: 'mr, mme, mlle, mrs, ms, monsieur, madame' },
  teaches: { 1: 'm, prof, professeur, enseignant, enseignante, أستاذ, أستاذة' },
  prepared: { 1: 'إعداد, élaboré, proposé, préparé' },
} as const satisfies Readonly<Record<string, Readonly<Record<number, string>>>>

interface Values extends Record<keyof typeof OTHER_PHRASES, number> {
  subject: string
  /** The code of a kind of paper. */
  kind: string
  /** A whole name of a class. */
  class: string
  stage: string
  grade: number
  /** The part of a class's code that names its section, such as `math`. */
  branch: string
}
export type Says = keyof Values

/** What a phrase says; it may say several things. */
type Meaning = {
  readonly [Name in Says]: { says: Name; value: Values[Name]; isWeak: boolean }
}[Says]

/** What subjects and classes there are, as the shop's lists name them. */
interface SchoolNames {
  readonly subjects: readonly NamedSchoolEntry[]
  readonly classes: readonly (NamedSchoolEntry & {
    /** The codes of its subjects; none where it has all. */
    readonly subjects?: readonly string[]
  })[]
  /** The kinds of papers that administrators have added. */
  readonly kinds?: readonly NamedSchoolEntry[]
}
interface NamedSchoolEntry {
  readonly code: string
  /** In every language. */
  readonly names: readonly string[]
  /** Whether an administrator has given the code another meaning: then only the names count. */
  readonly isRenamed?: boolean
}

export interface SchoolClass {
  readonly code: string
  readonly stage: string
  /** From 1; the years of the baccalauréat are the fourth. 0 where the code does not say. */
  readonly grade: number
  readonly branch: string
  readonly subjects: readonly string[]
}

/** The words of the school, by which titles and searches are read. */
export interface Vocabulary {
  readonly phrases: ReadonlyMap<string, readonly Meaning[]>
  readonly classes: readonly SchoolClass[]
  /** The Arabic word of each sound that a single one has. */
  readonly bySound: ReadonlyMap<string, string>
  /** Whether a folded word is one of a phrase. */
  readonly knows: (word: string) => boolean
  /** The letters of its words. */
  readonly letters: readonly string[]
  /** Whether documents have a folded word, which then is no slip in one of the school's. */
  readonly isOther?: (word: string) => boolean
}

const STAGES = ['primary', 'basic', 'secondary', 'bac', 'prep'] as const
const GRADES = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const
/** `prep-mp-1` and `secondary-3-math`. */
const CLASS_CODE = /^(primary|basic|secondary|bac|prep)(?:-([a-z]+))?(?:-(\d))?(?:-([a-z]+))?$/

/** The most words of a phrase. */
const PHRASE_WORDS_MAX = 7

/** Words within a phrase that it need not have: `devoir (de) contrôle`. */
const GLUE = new Set(
  'de du des d la le les l aux au a en et of the and في من الي و ماده'.split(' '),
)
export const isGlue = (word: string): boolean => GLUE.has(word)

/** A folded word without its article and without a leading و: وتصرف and والتصرف are تصرف. */
function plainWord(word: string): string {
  const bare = withoutArticle(word)
  return bare.startsWith('و') && bare.length > 4 ? bare.slice(1) : bare
}

function wordsOfPhrase(phrase: string): string[] {
  const words = foldText(phrase).split(' ').filter(Boolean).map(plainWord)
  const own = words.filter((word) => !isGlue(word))
  return own.length > 0 ? own : words
}

/**
 * The vocabulary of a shop's lists: their names, and the phrases that people use for their codes.
 * It depends on the lists alone: make it once, and again when they change.
 */
export function vocabularyOf({ subjects, classes, kinds = [] }: SchoolNames): Vocabulary {
  const phrases = new Map<string, Meaning[]>()
  const words = new Set<string>()
  const add = (phrase: string, meaning: Meaning) => {
    const own = wordsOfPhrase(phrase)
    if (own.length === 0 || own.length > PHRASE_WORDS_MAX) return
    for (const word of own) words.add(word)
    const key = own.join(' ')
    const known = phrases.get(key) ?? []
    const isSame = ({ says, value }: Meaning) => says === meaning.says && value === meaning.value
    if (!known.some(isSame)) phrases.set(key, [...known, meaning])
  }
  const addAll = (text: string, meaning: Meaning) => {
    for (const phrase of text.split(', ')) {
      const isWeak = phrase.startsWith('~')
      add(isWeak ? phrase.slice(1) : phrase, { ...meaning, isWeak })
    }
  }

  for (const { code, names } of subjects) {
    for (const name of names) add(name, { says: 'subject', value: code, isWeak: false })
  }
  // A name is of its entry alone, whatever other subjects are searched by it as well.
  const names = new Set(phrases.keys())
  for (const { code, isRenamed } of subjects) {
    if (isRenamed) continue
    const { sure, weak } = phrasesOf('subjects', code)
    for (const [list, isWeak] of [[sure, false] as const, [weak, true] as const]) {
      for (const phrase of list) {
        if (names.has(wordsOfPhrase(phrase).join(' '))) continue
        add(phrase, { says: 'subject', value: code, isWeak })
      }
    }
  }

  const schoolClasses = classes.map(({ code, names, subjects = [], isRenamed }): SchoolClass => {
    const parts = isRenamed ? null : CLASS_CODE.exec(code)
    if (!parts) {
      for (const name of names) add(name, { says: 'class', value: code, isWeak: false })
      return { code, stage: '', grade: 0, branch: '', subjects }
    }
    const [, stage = '', before, digit, after] = parts
    return {
      code,
      stage: stage === 'bac' ? 'secondary' : stage,
      grade: stage === 'bac' ? 4 : Number(digit ?? 0),
      branch: before ?? after ?? '',
      subjects,
    }
  })
  for (const stage of STAGES) {
    for (const phrase of phrasesOf('classes', stage).sure) {
      add(phrase, { says: 'stage', value: stage, isWeak: false })
    }
  }
  for (const grade of GRADES) {
    for (const phrase of phrasesOf('classes', String(grade)).sure) {
      // Digits are read as numbers.
      if (/^\d/.test(phrase)) continue
      add(phrase, { says: 'grade', value: grade, isWeak: false })
    }
  }
  for (const branch of new Set(schoolClasses.map((one) => one.branch))) {
    for (const phrase of branch === '' ? [] : phrasesOf('classes', branch).sure) {
      add(phrase, { says: 'branch', value: branch, isWeak: false })
    }
  }
  for (const kind of PAPER_KINDS) {
    addAll(KIND_PHRASES[kind], { says: 'kind', value: kind, isWeak: false })
  }
  for (const { code, names } of kinds) {
    for (const name of names) add(name, { says: 'kind', value: code, isWeak: false })
  }
  for (const says of Object.keys(OTHER_PHRASES) as (keyof typeof OTHER_PHRASES)[]) {
    for (const [value, text] of Object.entries(OTHER_PHRASES[says])) {
      addAll(text, { says, value: Number(value), isWeak: false } as Meaning)
    }
  }
  return {
    phrases,
    classes: schoolClasses,
    bySound: soundsOf(words),
    knows: (word) => words.has(plainWord(word)),
    letters: [...new Set([...words].join(''))],
  }
}

/** Sounds of fewer consonants are those of too many words. */
const SOUND_LEAST = 4

function soundsOf(words: ReadonlySet<string>): Map<string, string> {
  const bySound = new Map<string, string>()
  const shared = new Set<string>()
  for (const word of words) {
    const sound = /^[ء-ي]/.test(word) ? soundOf(word) : ''
    if (sound.length < SOUND_LEAST) continue
    if (bySound.has(sound)) shared.add(sound)
    bySound.set(sound, word)
  }
  for (const sound of shared) bySound.delete(sound)
  return bySound
}

/** A word, a number or a phrase of a text, with what it says. */
export interface Piece {
  /** Folded. */
  readonly word: string
  /** The value of a number; null for words. */
  readonly number: number | null
  /** Where it is in the text. */
  readonly from: number
  readonly to: number
  /** The signs between it and the piece before. */
  readonly gap: string
  readonly meanings: readonly Meaning[]
}

interface Token {
  readonly word: string
  readonly from: number
  readonly to: number
  readonly gap: string
}

const RUN = /[\p{L}\p{N}][\p{L}\p{N}\p{M}\p{Cf}\u0640\u0674]*/gu
const PART = /\p{L}[\p{L}\p{M}\p{Cf}\u0640\u0674]*|\p{N}+/gu
const LETTER = /^[a-z]$/
const DIGITS = /^\d+$/
/** Signs that separate statements: a phrase does not go on behind them. */
const BREAK = /[:;,|/()[\]•·،؛!?\n]|[\s_][-–—]|[-–—][\s_]/
export const isBreak = (gap: string): boolean => BREAK.test(gap)

/**
 * The pieces of a text, each a known phrase, a number, or a word that is not known. `isChat`: words
 * are read in Latin letters for Arabic ones too, with digits for letters, as people search.
 */
export function piecesOf(text: string, vocabulary: Vocabulary, isChat = false): Piece[] {
  const tokens = tokensOf(text, vocabulary, isChat)
  const pieces: Piece[] = []
  for (let at = 0; at < tokens.length; ) {
    const { word, from, gap } = tokens[at] as Token
    const number = DIGITS.test(word) ? Number(word) : null
    const { length, meanings } =
      number === null ? longestPhrase(tokens, at, vocabulary) : { length: 1, meanings: [] }
    const { to } = tokens[at + length - 1] as Token
    pieces.push({ word, number, from, to, gap, meanings })
    at += length
  }
  return pieces
}

function longestPhrase(
  tokens: readonly Token[],
  start: number,
  { phrases }: Vocabulary,
): { length: number; meanings: readonly Meaning[] } {
  let best: { length: number; meanings: readonly Meaning[] } = { length: 1, meanings: [] }
  let key = ''
  let words = 0
  // It may have as many glue words as others.
  for (let at = start; at < tokens.length && at < start + 2 * PHRASE_WORDS_MAX; at++) {
    const { word, gap } = tokens[at] as Token
    if (DIGITS.test(word) || (at > start && isBreak(gap))) break
    if (at > start && isGlue(word)) continue
    key = key === '' ? word : `${key} ${word}`
    words++
    const meanings = phrases.get(key)
    if (meanings) best = { length: at - start + 1, meanings }
    if (words === PHRASE_WORDS_MAX) break
  }
  return best
}

function tokensOf(text: string, vocabulary: Vocabulary, isChat: boolean): Token[] {
  const tokens: Token[] = []
  let end = 0
  const push = (word: string, from: number, to: number) => {
    const gap = text.slice(end, from)
    const last = tokens.at(-1)
    // Letters with points between them are one word: D.C., S.V.T.
    if (
      last &&
      gap === '.' &&
      LETTER.test(word) &&
      /^[a-z]+$/.test(last.word) &&
      isInitials(text, last)
    ) {
      tokens[tokens.length - 1] = { ...last, word: last.word + word, to }
    } else {
      tokens.push({ word, from, to, gap })
    }
    end = to
  }
  for (const { 0: run, index } of text.matchAll(RUN)) {
    const chat = isChat ? chatWord(run, vocabulary) : null
    if (chat !== null) {
      push(chat, index, index + run.length)
      continue
    }
    for (const { 0: part, index: at } of run.matchAll(PART)) {
      const from = index + at
      const folded = foldText(part)
      // A sign that stands for several words, such as ﷺ, is no word of the school.
      if (folded === '' || folded.includes(' ')) continue
      const word = plainWord(folded)
      push(isChat ? spoken(word, vocabulary) : word, from, from + part.length)
    }
  }
  return tokens
}

/** Whether a token is a letter, or letters with points between them. */
const isInitials = (text: string, { word, from, to }: Token): boolean =>
  word.length === 1 ||
  text.charAt(from + 1) === '.' ||
  (to - from > 1 && text.charAt(to - 2) === '.')

const LETTERS_AND_NUMBER = /^(?:([a-z]+)\d+|\d+([a-z]+))$/

/**
 * A run of letters and digits as one word, in which digits are letters (`ta2lifi`); null where they
 * are numbers beside a word: `dc2`, `3math`.
 */
function chatWord(run: string, vocabulary: Vocabulary): string | null {
  const letters = withChatLetters(run)
  if (letters === run) return null
  const [, before, after] = LETTERS_AND_NUMBER.exec(latinDigits(run).toLowerCase()) ?? []
  const beside = before ?? after
  const meanings = beside === undefined ? undefined : vocabulary.phrases.get(beside)
  // No Arabic word ends in a number; of words after one, subjects begin with a letter (`3arabi`).
  if (meanings?.some(({ says }) => before !== undefined || says !== 'subject')) return null
  return spoken(plainWord(foldText(letters)), vocabulary)
}

/**
 * The Arabic word that one in Latin letters stands for, or the word of the school that has one slip
 * in it; other words stay.
 */
function spoken(word: string, vocabulary: Vocabulary): string {
  const { phrases, bySound, knows } = vocabulary
  if (phrases.has(word) || knows(word)) return word
  if (!/^[a-z]/.test(word)) return withoutSlip(word, vocabulary) ?? word
  const short = CHAT_WORDS.get(word)
  if (short !== undefined) return plainWord(short)
  const sound = soundOf(word)
  const heard = sound.length < SOUND_LEAST ? undefined : bySound.get(sound)
  return heard ?? withoutSlip(word, vocabulary) ?? word
}

/** Shorter words are one slip away from too many others. */
const SLIP_LEAST = 6

/** The word that was meant before a slip; undefined where none is, or several with other meanings. */
function withoutSlip(
  word: string,
  { phrases, knows, letters, isOther }: Vocabulary,
): string | undefined {
  if (word.length < SLIP_LEAST || isOther?.(word)) return undefined
  const meant = undoneSlips(word, letters).filter((one) => phrases.has(one) || knows(one))
  const meanings = new Set(meant.map((one) => JSON.stringify(phrases.get(one) ?? one)))
  return meanings.size === 1 ? meant[0] : undefined
}
