import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readSearch, readTitle, withoutParts } from '../../src/rules/read-facts.ts'
import { type Part, partsOf, type ReadFacts } from '../../src/rules/read-words.ts'
import { vocabularyOf } from '../../src/rules/school-words.ts'
import { schoolVocabulary } from '../support/school-vocabulary.ts'

const vocabulary = await schoolVocabulary()

// A title or a search, and the facts that it states: `t=1?` is a trimester that is only proposed,
// `n=٢:2` a number as typed, with its value.

interface Case {
  readonly text: string
  readonly facts: Readonly<Record<string, string>>
}

function cases(name: string): Case[] {
  const file = new URL(`../cases/titles/${name}.tsv`, import.meta.url)
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  return lines.map((line) => {
    const [text = '', facts = ''] = line.split('\t')
    const each = facts.split('; ').filter(Boolean)
    return { text, facts: Object.fromEntries(each.map((fact) => splitAt(fact, '='))) }
  })
}

function splitAt(text: string, sign: string): [string, string] {
  const at = text.indexOf(sign)
  return [text.slice(0, at), text.slice(at + 1)]
}

/** Facts in the notation of the cases. */
function noted(facts: ReadFacts): Record<string, string> {
  const { classCode, subjectCode, kind, number, trimester, year } = facts
  const { minutes, school, teacher, hasCorrection } = facts
  const typed = number && (number.typed === String(number.value) ? '' : `${number.typed}:`)
  const all = {
    class: classCode?.value,
    subject: subjectCode?.value,
    kind: kind?.value,
    n: number && `${typed}${number.value}`,
    t: trimester && `${trimester.value}${trimester.sure ? '' : '?'}`,
    year: year && String(year.value),
    min: minutes && String(minutes.value),
    school: school?.value,
    teacher: teacher?.value,
    corr: hasCorrection && (hasCorrection.value ? 'yes' : 'no'),
  }
  return Object.fromEntries(
    Object.entries(all).flatMap(([key, text]) => (text ? [[key, text]] : [])),
  )
}

/** How many facts are stated, how many of these are right, and how many there are. */
function judge(all: readonly Case[], read: (text: string) => Record<string, string>) {
  let [stated, right, named] = [0, 0, 0]
  const wrong: string[] = []
  for (const { text, facts } of all) {
    const given = read(text)
    named += Object.keys(facts).length
    for (const key of new Set([...Object.keys(facts), ...Object.keys(given)])) {
      if (given[key] !== undefined) stated++
      if (given[key] !== undefined && given[key] === facts[key]) right++
      else wrong.push(`${text}: ${key}=${given[key] ?? '–'}, not ${facts[key] ?? '–'}`)
    }
  }
  return { right: right / stated, found: right / named, wrong: wrong.join('\n') }
}

const titleFacts = (title: string) => noted(readTitle(title, vocabulary))

function searchFacts(search: string): Record<string, string> {
  const { facts, words } = readSearch(search, vocabulary)
  return { ...noted(facts), ...(words && { words }) }
}

describe('what titles state', () => {
  // A machine that proposes must be right where it speaks, and must speak.
  test.each([
    ['titles', 0.95, 0.85],
    // Written before the rules, and never looked at while they were.
    ['kept-back', 0.95, 0.85],
    // Heads of first pages, beside a title that says nothing; lines end in ⏎.
    ['first-pages', 0.95, 0.85],
  ])('%s', (name, least, leastFound) => {
    const ofPage = (page: string) => noted(readTitle('', vocabulary, page.replaceAll(' ⏎ ', '\n')))
    const { right, found, wrong } = judge(cases(name), name === 'first-pages' ? ofPage : titleFacts)
    expect(right, wrong).toBeGreaterThanOrEqual(least)
    expect(found, wrong).toBeGreaterThanOrEqual(leastFound)
  })
})

describe('what searches say', () => {
  test.each([
    ['searches', 0.95, 0.9],
    ['searches-kept-back', 0.9, 0.85],
  ])('%s', (name, least, leastFound) => {
    const { right, found, wrong } = judge(cases(name), searchFacts)
    expect(right, wrong).toBeGreaterThanOrEqual(least)
    expect(found, wrong).toBeGreaterThanOrEqual(leastFound)
  })
})

const allParts = (facts: ReadFacts): Part[] => Object.values(facts).flatMap(partsOf)

test('each fact keeps the part of the text that states it', () => {
  for (const { text } of [...cases('titles'), ...cases('kept-back')]) {
    for (const part of allParts(readTitle(text, vocabulary))) {
      expect(part.text).not.toBe('')
      expect(text.slice(part.from, part.to)).toBe(part.text)
    }
  }
  const { classCode, number } = readTitle('DC n° 2 - SVT - 3ème année Math', vocabulary)
  expect(classCode?.part.text).toBe('3ème année Math')
  expect(number?.part.text).toBe('n° 2')
})

test('a first page states what the title does not', () => {
  const page = `Lycée Farhat Hached\nProf : Hela Mansour\nDevoir de contrôle n°2\nClasse : 3 Sc
    Durée : 1h30\nDate : 12/11/2023\nExercice 1 (avec correction)`
  const facts = noted(readTitle('Devoir de synthèse de maths', vocabulary, page))
  expect(facts).toEqual({
    class: 'secondary-3-science',
    subject: 'mathematics',
    // The number of the page is that of another kind.
    kind: 'synthesis',
    year: '2023',
    min: '90',
    school: 'Lycée Farhat Hached',
    teacher: 'Hela Mansour',
  })
  const { minutes, kind } = readTitle('DC maths', vocabulary, page)
  expect(minutes?.part).toMatchObject({ in: 'page', text: '1h30' })
  expect(kind?.part).toMatchObject({ in: 'title', text: 'DC' })
})

test.each([
  ['another class', 'DC 1 math 8ème'],
  ['another subject', 'فرض مراقبة في الفيزياء'],
  ['another year', 'DC 1, 2019-2020'],
])('the first page of %s says nothing', (_, title) => {
  const page = 'Collège Carthage\nMathématiques, 9ème année de base\nDurée : 1h\n2023-2024'
  expect(noted(readTitle(title, vocabulary, page))).toEqual(titleFacts(title))
})

test('no more of a first page is read than its head', () => {
  const page = `${'Énoncé. '.repeat(100)}Mathématiques, 9ème année de base`
  expect(readTitle('', vocabulary, page)).toEqual({})
})

test('the vocabulary is that of the lists', () => {
  const own = vocabularyOf({
    subjects: [
      { code: 'mathematics', names: ['الشطرنج', 'Échecs'], isRenamed: true },
      { code: 'robotics', names: ['الروبوتيك', 'Robotique'] },
    ],
    classes: [{ code: 'club', names: ['Club du mercredi'] }],
  })
  expect(noted(readTitle('Robotique, club du mercredi', own))).toEqual({
    subject: 'robotics',
    class: 'club',
  })
  expect(noted(readTitle('DC 1 math 9ème', own))).toEqual({ kind: 'control', n: '1', t: '1?' })
  expect(noted(readTitle('لعبة الشطرنج', own))).toEqual({ subject: 'mathematics' })
})

test('a slip in a word of the school is forgiven in a search, where no document has that word', () => {
  const isOther = (word: string) => word === 'novieme'
  expect(searchFacts('concour 9eme math trimestr 2')).toEqual({
    ...{ class: 'basic-9', subject: 'mathematics', kind: 'concours9', t: '2' },
  })
  expect(searchFacts('novieme math')).toMatchObject({ kind: 'concours9' })
  const { facts } = readSearch('novieme math', { ...vocabulary, isOther })
  expect(facts).not.toHaveProperty('kind')
  // Titles are read as they are written.
  expect(titleFacts('novieme math')).not.toHaveProperty('kind')
})

describe('withoutParts', () => {
  const without = (search: string, fact: 'classCode' | 'subjectCode' | 'hasCorrection') => {
    const read = readSearch(search, vocabulary).facts[fact]
    return read && withoutParts(search, partsOf(read))
  }

  test('takes a fact away from a search', () => {
    const search = 'DC 2 maths 9ème avec correction'
    expect(without(search, 'classCode')).toBe('DC 2 maths avec correction')
    expect(without(search, 'hasCorrection')).toBe('DC 2 maths 9ème')
  })

  test('takes all words that state it', () => {
    const search = 'bac 2022 physique section de math session principale'
    expect(without(search, 'classCode')).toBe('2022 physique session principale')
    expect(without('رياضيات DC 1 maths', 'subjectCode')).toBe('DC 1')
  })
})

const piece = fc.constantFrom(
  ...'DC DS 1 2 3ème 9 4M bac math فرض تأليفي مراقبة عدد الثلاثي الأول تاسعة أساسي session de'.split(
    ' ',
  ),
  ...[
    '-',
    '(',
    '/',
    '2024',
    '2025',
    '24/25',
    '1h',
    'Mr',
    'Lycée',
    'avec',
    'corrigé',
    ' ',
    'D.C.',
    '٣',
  ],
)

test('any text is read, and its parts are in it', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(' ')),
  )
  fc.assert(
    fc.property(text, (text) => {
      const { facts, words } = readSearch(text, vocabulary)
      for (const part of [...allParts(readTitle(text, vocabulary)), ...allParts(facts)]) {
        expect(part.text).toBe(text.slice(part.from, part.to))
      }
      for (const word of words.split(' ')) expect(text).toContain(word)
    }),
  )
})
