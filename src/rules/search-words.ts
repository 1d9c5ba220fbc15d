// Besides the names of a subject, a kind or a class in the three languages, people write short
// forms, the singular, and Arabic words in Latin letters. Single words, because a search compares
// words; forms that fold to the same word are listed once.

/** Further words for a subject, by its code. */
const SUBJECT_WORDS: Readonly<Record<string, string>> = {
  mathematics: 'math maths mathématique riadhiyat riadhiet riyadhiyat riadhyat رياضة حساب calcul',
  physics: 'physique chimie chemistry fizya fizia fizyaa kimya فيزيا كيميا علوم فيزيائية',
  science: 'svt biologie biology géologie sciences naturelles طبيعية oloum ouloum',
  arabic: 'arabia arabiya arbia arabi arbi لغة قواعد نحو',
  french: 'faransia fransia faransiya لغة فرنساوي',
  english: 'englizia inglizia anglizia لغة إنجليزية انقليزي',
  'history-geography': 'histoire géographie géo history geography tarikh joghrafia jografia',
  'islamic-education': 'islamique islam islamia إسلام',
  computing: 'informatique info computer science ict ilamia elamia معلوماتية حاسوب',
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
  'scientific-awakening': 'éveil sciences science علوم iqadh ikadh',
  'islamic-thought': 'islamique islam islamia إسلام',
  'mechanical-engineering': 'mécanique méca technique génie ميكانيك',
  'electrical-engineering': 'électrique élec électricité technique génie كهرباء',
  algorithms: 'algo algorithme algorithmes informatique info خوارزمية إعلامية',
  'information-systems': 'sti tic informatique info base bases données إعلامية',
  turkish: 'turc türkçe تركي',
  chinese: 'chinois صيني',
  russian: 'russe روسي',
  portuguese: 'portugais برتغالي',
  'visual-arts': 'art arts dessin plastique رسم فنون',
  music: 'musique musical موسيقى',
  theatre: 'théâtre مسرحية',
  'physical-education': 'sport eps gymnastique رياضة بدنية',
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
  sport: 'sport sports رياضة',
}

// In Arabic words that people write in Latin letters, some digits are letters.
const CHAT_LETTERS: Record<string, string> = { 2: '', 3: '', 5: 'kh', 7: 'h', 9: 'q' }
/** Latin letters with digits among them; no digit that is no letter. */
const CHAT_WORD = /^[a-z23579]+$/i
/** `h2o` is none. */
const CHAT_WORD_LEAST = 3
/** A number with its ending or its class, or after a word: `7eme`, `9annee`, `bac2`, `svt3`. */
const NUMBERED =
  /^\d(?:e|[eè]?me|i[eè]me|e?re|er|nde?|rd|th|ann.*|base|prim.*|sec.*|bac.*|grade)$|[^aiou]\d$|\d\d/i

/** A search of the catalogue with letters for the digits of `imti7an` and `9awa3id`. */
export const withChatLetters = (text: string): string =>
  text.replace(/[\p{L}\p{N}]+/gu, (word) => {
    if (!CHAT_WORD.test(word) || NUMBERED.test(word)) return word
    if (word.replace(/\d/g, '').length < CHAT_WORD_LEAST) return word
    return word.replace(/\d/g, (digit) => CHAT_LETTERS[digit] ?? digit)
  })

/**
 * Short Arabic words in Latin letters, whose consonants alone would be those of many others; longer
 * ones are found by `soundOf`.
 */
export const CHAT_WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ nahw: 'نحو', qawaid: 'قواعد', kawaid: 'قواعد', sarf: 'صرف', nass: 'نص', nas: 'نص' },
    ...{ sana: 'سنه', senna: 'سنه', qism: 'قسم', iqadh: 'ايقاظ', ikadh: 'ايقاظ', wodhou: 'وضو' },
    ...{ wodhu: 'وضو', oula: 'اولي', thania: 'ثانيه', thanya: 'ثانيه', raba: 'رابعه' },
    ...{ khamsa: 'خامسه', khamisa: 'خامسه', sadsa: 'سادسه', sadisa: 'سادسه', sabaa: 'سابعه' },
    ...{ thamna: 'ثامنه', tasaa: 'تاسعه', asasi: 'اساسي', thanawi: 'ثانوي', hal: 'حل' },
    ...{ islah: 'اصلاح', silsilat: 'سلسله', dorous: 'دروس', dourous: 'دروس', adab: 'اداب' },
  }),
)

/** The sounds of Arabic letters; vowels, their letters and ع have none, since spellings differ. */
const SOUNDS: Readonly<Record<string, string>> = {
  ...{ ب: 'b', ت: 't', ث: 't', ج: 'j', ح: 'h', خ: 'x', د: 'd', ذ: 'd', ر: 'r', ز: 'z' },
  ...{ س: 's', ش: 'c', ص: 's', ض: 'd', ط: 't', ظ: 'd', غ: 'g', ف: 'f', ق: 'k', ك: 'k' },
  ...{ ل: 'l', م: 'm', ن: 'n', ه: 'h' },
  ...{ kh: 'x', gh: 'g', ch: 'c', sh: 'c', th: 't', dh: 'd', c: 'k', q: 'k', v: 'f', p: 'b' },
}
const ARABIC = /^[ء-ي]+$/
const LATIN = /^[a-z]+$/
/** The fewest consonants by which a word is known. */
const CONSONANTS_LEAST = 3

/**
 * The consonants of a folded word, alike for an Arabic word and for its forms in Latin letters
 * (تمارين and `tamarin`); '' where these are too few, or the word is of another script.
 */
export function soundOf(word: string): string {
  let heard = ''
  if (ARABIC.test(word)) {
    for (const letter of word.replace(/ه$/, '')) heard += SOUNDS[letter] ?? ''
  } else if (LATIN.test(word)) {
    const single = [...word].filter((letter, at) => letter !== word[at - 1]).join('')
    for (const one of single.match(/[kgcstd]h|[^aeiouwy]/g) ?? []) heard += SOUNDS[one] ?? one
  }
  return heard.length < CONSONANTS_LEAST ? '' : heard
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
