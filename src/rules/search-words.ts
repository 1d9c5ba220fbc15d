// Besides the names of a subject, a kind or a class in the three languages, people write short
// forms, the singular, and Arabic words in Latin letters. Single words, because a search compares
// words; forms that fold to the same word stand once.

/** Further words for a subject, by its code. */
const SUBJECT_WORDS: Readonly<Record<string, string>> = {
  mathematics: 'math maths mathématique riadhiyat riadhiet riyadhiyat رياضة حساب calcul',
  physics: 'physique chimie chemistry fizya fizia fizyaa kimya فيزيا كيميا',
  science: 'svt biologie biology géologie sciences naturelles طبيعية oloum ouloum إيقاظ éveil',
  arabic: 'arabia arabiya arbia لغة قواعد نحو',
  french: 'faransia fransia faransiya لغة فرنساوي',
  english: 'englizia inglizia anglizia لغة إنجليزية انقليزي',
  'history-geography': 'histoire géographie géo history geography tarikh joghrafia',
  'islamic-education': 'islamique islam tarbia islamia إسلام',
  computing: 'informatique info computer science ict ilamia معلوماتية حاسوب',
  philosophy: 'philo falsafa',
  german: 'allemand deutsch ألماني',
  spanish: 'espagnol español إسباني',
  italian: 'italien italiano إيطالي',
  history: 'tarikh',
  geography: 'géo joghrafia',
  civics: 'civique civic madania مدنية',
  technology: 'techno technique',
  economics: 'éco économique iktisad',
  management: 'comptabilité محاسبة',
}

/** Further words for a kind of document, by its code. */
const KIND_WORDS: Readonly<Record<string, string>> = {
  lessons: 'leçon leçons lesson course درس dars',
  exercises: 'exercice série séries exercise worksheet تمرين سلسلة tamarin',
  exams: 'exam exams examen devoir devoirs contrôle test امتحان فرض فروض اختبار اختبارات imtihan',
  summaries: 'résumé fiche fiches summary تلخيص ملخص',
  books: 'livre book manuel كتاب kteb kitab',
}

/** Further words for each part of a class's code. */
const CLASS_WORDS: Readonly<Record<string, string>> = {
  primary: 'primaire élémentaire école année year grade سنة قسم',
  basic: 'base collège année year grade form سنة قسم',
  secondary: 'secondaire lycée année year grade form سنة قسم',
  bac: 'secondaire lycée année year سنة ثانوي bac baccalauréat baccalaureate terminale 4e 4ème رابعة بكالوريا باكالوريا باك',
  prep: 'prépa prépas préparatoire année year سنة',
  1: '1re 1ère 1er 1e 1ème 1st première أولى first',
  2: '2e 2ème 2nd deuxième seconde ثانية second',
  3: '3e 3ème 3rd troisième ثالثة third',
  4: '4e 4ème 4th quatrième رابعة fourth',
  5: '5e 5ème 5th cinquième خامسة fifth',
  6: '6e 6ème 6th sixième سادسة sixième concours مناظرة sixth',
  7: '7e 7ème 7th septième سابعة seventh',
  8: '8e 8ème 8th huitième ثامنة eighth',
  9: '9e 9ème 9th neuvième تاسعة concours مناظرة ninth',
  math: 'math maths',
  science: 'science sciences svt',
  technical: 'technique techniques techno',
  economics: 'éco économie gestion',
  letters: 'lettres lettre آداب',
  computing: 'info informatique',
}

/** The lists whose entries documents are found by. */
export const NAMED_LISTS = ['subjects', 'kinds', 'classes'] as const
export type NamedList = (typeof NAMED_LISTS)[number]

/** Words by which an entry is found besides its names; '' for an entry without a code. */
export function otherWords(list: NamedList, code: string | null | undefined): string {
  if (!code) return ''
  if (list === 'subjects') return SUBJECT_WORDS[code] ?? ''
  if (list === 'kinds') return KIND_WORDS[code] ?? ''
  return code
    .split('-')
    .map((part) => CLASS_WORDS[part] ?? '')
    .join(' ')
}

/** Words of running text, folded, that documents need not have: `exercices de maths`. */
const FUNCTION_WORDS = new Set(
  'de du des d la le les l un une en et a au aux pour avec par sur dans the of for in and to with on في من و علي مع عن الي'.split(
    ' ',
  ),
)

/**
 * Whether a folded word of a search says nothing that is searched for. The last word may be the
 * beginning of another one.
 */
export const isFunctionWord = (word: string, at: number, words: readonly string[]): boolean =>
  at < words.length - 1 && FUNCTION_WORDS.has(word)

/** The longest word that is corrected, in letters. */
const CORRECTED_LENGTH_MAX = 24

const NUMBER = /^\p{N}+$/u

/**
 * The words that may have been meant before a typing slip: without a doubled or added letter, with
 * two neighbouring letters swapped back, and with a missing letter of `alphabet`.
 */
export function undoneSlips(word: string, alphabet: readonly string[]): string[] {
  const letters = [...word]
  if (letters.length > CORRECTED_LENGTH_MAX) return []
  const undone = letters.map((_, at) => splice(letters, at, 1))
  for (let at = 0; at + 1 < letters.length; at++) {
    undone.push(splice(letters, at, 2, letters[at + 1], letters[at]))
  }
  for (let at = 0; at <= letters.length; at++) {
    for (const letter of alphabet) undone.push(splice(letters, at, 0, letter))
  }
  return unlike(word, undone)
}

/**
 * The words with one letter replaced by another of `alphabet`; none for a number, since that would
 * be another number.
 */
export function replacedLetters(word: string, alphabet: readonly string[]): string[] {
  const letters = [...word]
  if (letters.length > CORRECTED_LENGTH_MAX || NUMBER.test(word)) return []
  const replaced = letters.flatMap((_, at) =>
    alphabet.map((letter) => splice(letters, at, 1, letter)),
  )
  return unlike(word, replaced)
}

function splice(
  letters: readonly string[],
  at: number,
  count: number,
  ...put: (string | undefined)[]
) {
  return letters.slice(0, at).join('') + put.join('') + letters.slice(at + count).join('')
}

function unlike(word: string, others: readonly string[]): string[] {
  return [...new Set(others)].filter((other) => other !== word && other !== '')
}
