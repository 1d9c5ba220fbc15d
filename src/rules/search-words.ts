// Besides the names of a subject, a kind or a class in the three languages, people write short
// forms, the singular, and Arabic words in Latin letters. A search compares the single words of
// these phrases; to read what a title says, the phrases are compared (school-words.ts). Forms that
// fold to the same words are listed once. One searches by a phrase after `?`, but it proves
// nothing; one after `~` proves something where nothing else in the text does; one after `!` proves
// something, but one does not search by its single words: sciences are more than physics.

/** Further phrases for a subject, by its code. */
const SUBJECT_WORDS: Readonly<Record<string, string>> = {
  mathematics:
    'math, maths, mathématique, riadhiyat, riadhiet, riyadhiyat, riyadhiyet, riadhyat, ?رياضة, ~حساب, ~calcul',
  physics:
    'physique, physiques, chimie, physique chimie, physics, chemistry, phys, !sciences physiques, !sciences physique, !sc physiques, !sc physique, fizya, fizia, fizyaa, kimya, فيزياء, كيمياء, علوم فيزيائية, mécanique',
  science:
    'svt, biologie, biology, géologie, sciences, !sc nat, sciences naturelles, علوم, علوم طبيعية, oloum, ouloum',
  arabic:
    'arabia, arabiya, arbia, arabi, arbi, لغة عربية, !langue arabe, ~قواعد, ~قواعد لغة, ~نحو, ~صرف, ~إنتاج كتابي',
  french:
    'faransia, fransia, faransiya, لغة فرنسية, !langue française, فرنساوي, ~grammaire, ~conjugaison, ~dictée, ~production écrite',
  english: 'englizia, inglizia, anglizia, لغة إنجليزية, إنجليزية, لغة إنقليزية, انقليزي, ~grammar',
  'history-geography':
    'histoire, géographie, géo, hist géo, history, geography, تاريخ, جغرافيا, tarikh, joghrafia, jografia',
  'islamic-education': 'islamique, ?islam, islamia, ?إسلام, إسلامية',
  computing: 'info, computer science, ict, ilamia, elamia, معلوماتية, ?حاسوب',
  philosophy: 'philo, falsafa',
  german: 'allemand, deutsch, ألماني',
  spanish: 'espagnol, español, إسباني',
  italian: 'italien, italiano, إيطالي',
  history: 'tarikh',
  geography: 'géo, joghrafia',
  civics: 'civique, civic, éducation civile, madania, مدنية',
  technology: 'techno, ?technique, تكنولوجيا',
  economics: 'éco, ?économique, iktisad',
  management: 'comptabilité, محاسبة',
  'scientific-awakening': 'éveil, sciences, science, علوم, إيقاظ, iqadh, ikadh',
  'islamic-thought': 'islamique, ?islam, islamia, ?إسلام, إسلامية',
  'mechanical-engineering': 'mécanique, génie méca, méca, ?technique, ميكانيك, هندسة ميكانيكية',
  'electrical-engineering':
    'électrique, génie élec, élec, ?électricité, ?technique, ?كهرباء, هندسة كهربائية',
  algorithms:
    'algo, algorithme, algorithmes, algorithmique, ?informatique, ?info, خوارزمية, خوارزميات, ?إعلامية',
  'information-systems': 'sti, tic, ?informatique, ?info, base données, bases données, ?إعلامية',
  turkish: 'turc, türkçe, تركي',
  chinese: 'chinois, صيني',
  russian: 'russe, روسي',
  portuguese: 'portugais, برتغالي',
  'visual-arts': '?art, ?arts, dessin, plastique, arts plastiques, رسم, ?فنون, تشكيلية',
  music: 'musique, musical, موسيقى, موسيقية',
  theatre: 'théâtre, ~مسرحية',
  'physical-education': 'sport, eps, éducation sportive, gymnastique, ?رياضة, بدنية, تربية بدنية',
}

/** Further words for a kind of document, by its code. */
const KIND_WORDS: Readonly<Record<string, string>> = {
  lessons: 'leçon leçons lesson course درس dars',
  exercises: 'exercice série séries exercise worksheet تمرين سلسلة tamarin',
  exams: 'exam exams examen devoir devoirs contrôle test امتحان فرض فروض اختبار اختبارات imtihan',
  summaries: 'résumé fiche fiches summary تلخيص ملخص',
  books: 'livre book manuel كتاب kteb kitab',
}

/** Further phrases for each part of a class's code. */
const CLASS_WORDS: Readonly<Record<string, string>> = {
  primary: 'primaire, élémentaire, ابتدائي, ابتدائية, ?école, ?année, ?year, ?grade, ?سنة, ?قسم',
  basic: 'base, fondamental, أساسي, asasi, ?collège, ?année, ?year, ?grade, ?form, ?سنة, ?قسم',
  secondary:
    'secondaire, secondary, ثانوي, thanawi, sec, ?lycée, ?année, ?year, ?grade, ?form, ?سنة, ?قسم',
  bac: 'bac, baccalauréat, baccalaureate, terminale, بكالوريا, باكالوريا, باك, ?secondaire, ?lycée, ?année, ?year, ?سنة, ?ثانوي, ?4e, ?4ème, ?رابعة',
  prep: 'prépa, prépas, préparatoire, تحضيري, ?année, ?year, ?سنة',
  1: '1re, 1ère, 1er, 1e, 1ème, 1st, première, أولى, first',
  2: '2e, 2ème, 2nd, deuxième, seconde, ثانية, second',
  3: '3e, 3ème, 3rd, troisième, ثالثة, third',
  4: '4e, 4ème, 4th, quatrième, رابعة, fourth',
  5: '5e, 5ème, 5th, cinquième, خامسة, fifth',
  6: '6e, 6ème, 6th, sixième, سادسة, ?concours, ?مناظرة, sixth',
  7: '7e, 7ème, 7th, septième, سابعة, seventh',
  8: '8e, 8ème, 8th, huitième, ثامنة, eighth',
  9: '9e, 9ème, 9th, neuvième, تاسعة, ?concours, ?مناظرة, ninth',
  math: 'math, maths, mathématiques, رياضيات, riadhiyat',
  science:
    'sc, sciences, science, sc exp, s exp, exp, sciences exp, sciences expérimentales, sc expérimentales, علوم, علوم تجريبية, تجريبية, ?svt',
  technical:
    'tech, technique, techniques, sc tech, sciences techniques, sciences technique, علوم تقنية, تقنية, ?techno',
  economics:
    'éco, économie, éco gestion, économie gestion, éco services, économie services, اقتصاد, اقتصاد تصرف, اقتصاد خدمات, ?gestion',
  letters: 'lettres, lettre, آداب, adab',
  computing:
    'info, informatique, sc info, sciences informatique, technologies informatique, technologie informatique, إعلامية, علوم إعلامية, تكنولوجيا إعلامية',
  sport: 'sport, sports, رياضة',
  mp: 'mp',
  pc: 'pc',
  pt: 'pt',
  bg: 'bg',
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
    ...{ saba: 'سابعه', thaltha: 'ثالثه', thalitha: 'ثالثه', thamina: 'ثامنه', tasa: 'تاسعه' },
    ...{ thamna: 'ثامنه', tasaa: 'تاسعه', asasi: 'اساسي', thanawi: 'ثانوي', hal: 'حل' },
    ...{ islah: 'اصلاح', silsilat: 'سلسله', dorous: 'دروس', dourous: 'دروس', adab: 'اداب' },
    ...{ adad: 'عدد', ilmi: 'علمي', ilmia: 'علميه', mada: 'ماده', thulathi: 'ثلاثي' },
    ...{ tholathi: 'ثلاثي', awal: 'اول', awwal: 'اول', thani: 'ثاني', thaleth: 'ثالث' },
    ...{ mawadhi: 'مواضيع', mawadhia: 'مواضيع', mawadi: 'مواضيع', mawadia: 'مواضيع' },
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

/** The phrases that a code of a subject, or a part of a class's code, stands for. */
interface Phrases {
  /** Those that prove it. */
  readonly sure: readonly string[]
  /** Those that prove it where nothing else says another. */
  readonly weak: readonly string[]
}

export function phrasesOf(list: 'subjects' | 'classes', part: string): Phrases {
  const table = list === 'subjects' ? SUBJECT_WORDS : CLASS_WORDS
  const phrases = (table[part] ?? '').split(', ').filter((phrase) => /^[^?]/.test(phrase))
  const isWeak = (phrase: string) => phrase.startsWith('~')
  const unmarked = (phrase: string) => phrase.replace(/^[~!]/, '')
  return {
    sure: phrases.filter((phrase) => !isWeak(phrase)).map(unmarked),
    weak: phrases.filter(isWeak).map(unmarked),
  }
}

/** The phrases by whose single words one searches. */
const searched = (phrases = ''): string =>
  phrases
    .split(', ')
    .filter((phrase) => !phrase.startsWith('!'))
    .join(', ')

/** Words by which an entry is found besides its names; '' for an entry without a code. */
export function otherWords(list: NamedList, code: string | null | undefined): string {
  if (!code) return ''
  if (list === 'subjects') return searched(SUBJECT_WORDS[code])
  if (list === 'kinds') return KIND_WORDS[code] ?? ''
  return code
    .split('-')
    .map((part) => searched(CLASS_WORDS[part]))
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
  if (word.length > CORRECTED_LENGTH_MAX) return []
  const undone = Array.from(word, (_, at) => word.slice(0, at) + word.slice(at + 1))
  for (let at = 0; at + 1 < word.length; at++) {
    undone.push(word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2))
  }
  for (let at = 0; at <= word.length; at++) {
    const start = word.slice(0, at)
    const end = word.slice(at)
    for (const letter of alphabet) undone.push(start + letter + end)
  }
  return unlike(word, undone)
}

/**
 * The words with one letter replaced by another of `alphabet`; none for a number, since that would
 * be another number.
 */
export function replacedLetters(word: string, alphabet: readonly string[]): string[] {
  if (word.length > CORRECTED_LENGTH_MAX || NUMBER.test(word)) return []
  const replaced = Array.from(word).flatMap((_, at) => {
    const start = word.slice(0, at)
    const end = word.slice(at + 1)
    return alphabet.map((letter) => start + letter + end)
  })
  return unlike(word, replaced)
}

function unlike(word: string, others: readonly string[]): string[] {
  return [...new Set(others)].filter((other) => other !== word && other !== '')
}
