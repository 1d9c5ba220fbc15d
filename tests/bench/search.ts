import type { DocumentPage } from '../../src/contract/catalogue.ts'
import { LEVELS } from '../../src/rules/price-bands.ts'
import { percentile } from '../support/quantiles.ts'
import { type Random, randomFrom } from '../support/random.ts'
import { type Caller, openCaller, timesOf } from './support/calls.ts'
import { LARGE_CATALOGUE, type Part, type Row, row } from './support/part.ts'
import { type Backend, fromTree } from './support/shops.ts'

/** Titles as teachers write them. */
const TITLES = [
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
const SPELLINGS: readonly ((title: string) => string)[] = [
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
function misspellings(title: string, random: Random = randomFrom(title.length)): string[] {
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

/** How many calls of each kind are timed, one at a time and then by so many callers at once. */
const CALLS = 300
const AT_ONCE = 20
const WARM_UP_CALLS = 200

const THEMES = ['الكسور', 'المعادلات', 'الضوء', 'الخلية', 'قرطاج', 'المناخ', 'fractions', 'cellule']
const KINDS = ['دروس', 'تمارين', 'فرض', 'ملخص', 'Cours', 'Devoir', 'Exercices']
const TESTS = ['devoir de contrôle', 'DS', 'فرض مراقبة عدد', 'فرض تأليفي عدد', 'série']
const MISTAKES = 'الكسوور المعادلت الضءو الخيلة قرطج fractoins celllule المنخا'
const MISSPELLED = MISTAKES.split(' ')

/** The queries of each measured kind, with the goal for their 95th percentile (milliseconds). */
const KINDS_OF_CALLS: Record<string, { most: number; query(at: number): Record<string, string> }> =
  {
    suggestions: {
      most: 8,
      query: (at) => {
        const [kind, theme] = [pick(KINDS, at), pick(THEMES, at)]
        const text = at % 2 === 0 ? theme.slice(0, 3 + (at % 3)) : `${kind} ${theme.slice(0, 3)}`
        return { title: text, match: 'contains', size: '5' }
      },
    },
    'lists with filters': {
      most: 12,
      query: (at) => ({
        level: pick(LEVELS, at),
        ...(at % 2 === 0 && { rating: String(1 + (at % 5)) }),
        ...(at % 3 === 0 && { categoryId: String(1 + (at % 5)) }),
        ...(at % 7 === 0 && { minPrice: String(at % 40) }),
        page: String(at % 4),
      }),
    },
    'ranked searches': {
      most: 20,
      query: (at) => ({
        title: `${pick(KINDS, at)} ${pick(THEMES, at)} ${at % 3 === 0 ? at : ''}`.trim(),
      }),
    },
    'searches read as facts': {
      most: 20,
      query: (at) => ({
        title: `${pick(TESTS, at)} ${1 + (at % 3)} ${pick(['maths 9ème', 'رياضيات 9 أساسي', 'bac math'], at)}`,
      }),
    },
    'lists with facts': {
      most: 12,
      query: (at) => ({
        paperKind: pick(['control', 'synthesis', 'series'], at),
        ...(at % 2 === 0 && { trimester: `t${1 + (at % 3)}` }),
        ...(at % 3 === 0 && { withCorrection: 'true' }),
        page: String(at % 4),
      }),
    },
    'searches with a mistake': {
      most: 40,
      query: (at) => ({
        title: `${pick(MISSPELLED, at)}${at % 2 === 0 ? ` ${pick(KINDS, at)}` : ''}`,
      }),
    },
  }

const pick = <T>(values: readonly T[], at: number) => values[(at * 7) % values.length] as T

/** The time of searches in a large catalogue, and how many spellings and misspellings of 20 titles find them. */
export const rows: Part = async (bench) => {
  const shop = await bench.openShop({
    documents: LARGE_CATALOGUE,
    prepare: { name: 'titles', write: ({ deps }, tree) => writeTitles(deps, tree) },
  })
  return measureSearch(shop.url, bench.log)
}

/** Writes documents with the titles that the spellings and misspellings search for. */
async function writeTitles(deps: Backend['deps'], tree: string): Promise<void> {
  const { factories } = await fromTree(tree, 'tests/support/factories.ts')
  const made = factories({ ...deps, dataDir: deps.config.dataDir })
  for (const title of TITLES) await made.aDocument({ title })
}

async function measureSearch(url: string, log: (line: string) => void): Promise<Row[]> {
  const found: Row[] = []
  for (const [kind, { most, query }] of Object.entries(KINDS_OF_CALLS)) {
    log(`${kind} …`)
    for (const atOnce of [1, AT_ONCE]) {
      const plan = { calls: CALLS, atOnce, warmUp: WARM_UP_CALLS }
      const times = await timesOf(plan, (at, caller) => askShop(caller, url, query(at)))
      const what = atOnce === 1 ? `${kind}, p95` : `${kind}, p95 with ${atOnce} at once`
      const goal = { most: atOnce === 1 ? most : most * 3, unit: 'ms' }
      found.push(row('P8', what, percentile(times, 0.95), goal))
    }
  }
  log('spellings and mistakes …')
  const random = randomFrom(13)
  const caller = openCaller()
  const foundAmong = async (what: string, least: number, texts: (title: string) => string[]) => {
    const asked = TITLES.flatMap((title) => texts(title).map((text) => ({ title, text })))
    let value = 0
    for (const { title, text } of asked) {
      const { content } = await askShop(caller, url, { title: text })
      if (content.slice(0, 5).some((document) => document.title === title)) value++
      else log(`not found: ${text} (${title})`)
    }
    const all = `${what} that find their title among the first five, of ${asked.length}`
    return row('Arabic', all, value, { least })
  }
  found.push(
    await foundAmong('spellings', 400, (title) => SPELLINGS.map((spell) => spell(title))),
    await foundAmong('mistakes', 57, (title) => misspellings(title, random)),
  )
  caller.close()
  return found
}

let visitors = 0

async function askShop(
  { call }: Caller,
  url: string,
  query: Record<string, string>,
): Promise<DocumentPage> {
  const address = `${url}/api/documents/paginated?${new URLSearchParams(query)}`
  visitors++
  // Another address for each call, so that no rate limit is measured.
  const from = `198.51.${(visitors >> 8) & 255}.${visitors & 255}`
  const headers = { 'accept-encoding': 'identity', 'x-forwarded-for': from }
  return JSON.parse(String(await call(address, { headers })))
}
