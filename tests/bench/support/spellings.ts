import { type Random, randomFrom } from '../../support/random.ts'

/** Titles as teachers write them. */
export const TITLES = [
  'تمارين محلولة في المتتاليات العدديّة',
  'ملخّص دروس الفيزياء النوويّة',
  'امتحان اللغة العربيّة للسنة السادسة',
  'أسئلة وأجوبة في الكيمياء العضويّة',
  'قراءة وإنتاج كتابي: رحلة إلى القيروان',
  'الجزء ٢: الهندسة الفضائيّة',
  'فرض تأليفي عدد 3 في الإعلاميّة',
  'مسائل في الحساب الذهني',
  'مبادئ الإعلام الآلي',
  'المسؤوليّة والمواطنة',
  'الدائرة الكهربائيّة المغلقة',
  'رؤوس أقلام في تاريخ قرطاج',
  'مستوى أوّل: الجملة الاسميّة',
  'التربية الإسلاميّة: آداب الطريق',
  "Résumé de l'élève : la photosynthèse",
  'Mathématiques 1ère année : géométrie',
  'Œuvres complètes de Chebbi',
  "Série d'exercices n°5 : électromagnétisme",
  'Bac 2024 — Physique quantique',
  'علوم الحياة والأرض SVT',
] as const

const swap = (pairs: string) => (text: string) =>
  [...text].map((letter) => pairs[pairs.indexOf(letter) ^ 1] ?? letter).join('')
const between = (mark: string) => (text: string) => text.replace(/(\p{L})(?=\p{L})/gu, `$1${mark}`)
const words = (work: (words: string[]) => string[]) => (text: string) =>
  work(text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word))).join(' ')
const eachWord = (work: (word: string) => string) => words((all) => all.map(work))
const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').replace(/[أإآ]/g, 'ا')

/** The ways in which people write the same title. */
export const SPELLINGS: readonly ((title: string) => string)[] = [
  (title) => title,
  plain,
  between('\u064e'),
  between('\u0651'),
  between('\u0640'),
  (title) => title.replace(/[أإآ]/g, 'ا'),
  (title) => title.replace(/(?<=^|\s|ال)ا(?!ل)/g, 'أ'),
  (title) => title.replace(/ة/g, 'ه'),
  (title) => title.replace(/ي(?=\s|$)/g, 'ى'),
  (title) => title.replace(/ي/g, 'ی').replace(/ك/g, 'ک'),
  eachWord((word) => word.replace(/^(?:و?ال)(?=...)/, '')),
  eachWord((word) =>
    /^[ء-ي]{4,}$/.test(plain(word)) && !/^[والبلك]/.test(plain(word)) ? `ال${word}` : word,
  ),
  swap('0٠1١2٢3٣4٤5٥6٦7٧8٨9٩'),
  words((all) => all.reverse()),
  words(([first = '', ...others]) => [...others, first]),
  words((all) => {
    const last = all.pop() ?? ''
    return [...all, last.slice(0, Math.max(4, last.length - 2))]
  }),
  (title) => title.toUpperCase(),
  (title) => title.normalize('NFD'),
  (title) => `  ${title.replace(/\s+/g, '  ، ')} !`,
  (title) => title.replace(/ئ/g, 'ي').replace(/ؤ/g, 'و').replace(/œ/gi, 'oe'),
]

/** A title misspelled in a random word, once in each way: a letter doubled, one missing, two swapped. */
export function misspellings(title: string, random: Random = randomFrom(title.length)): string[] {
  const kinds: ((letters: string[], at: number) => void)[] = [
    (letters, at) => letters.splice(at, 0, letters[at] ?? ''),
    (letters, at) => letters.splice(at, 1),
    (letters, at) => letters.splice(at, 2, letters[at + 1] ?? '', letters[at] ?? ''),
  ]
  return kinds.map((slip) => {
    const written = [...plain(title).matchAll(/\p{L}{4,}/gu)]
    const { 0: word, index } = random.pick(written)
    const letters = [...word]
    const places = [...letters.keys()].filter((at) => at > 0 && letters[at] !== letters[at + 1])
    slip(letters, random.pick(places.slice(0, -1)))
    const before = plain(title).slice(0, index)
    return before + letters.join('') + plain(title).slice(index + word.length)
  })
}
