import { describe, expect, test } from 'vitest'
import { coverClass, paperNumber } from '../../src/rules/cover-drawing.ts'
import { paintOf, subjectClass } from '../../src/rules/cover-note.ts'
import { COVER_WIDTHS, coverPath, coverPicture } from '../../src/rules/pictures.ts'

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const SHA256 = '0123456789abcdef'.repeat(4)

describe('the cover image of a document', () => {
  test.each([
    [
      'its own cover',
      { coverPath: '/a.png', livrePath: '/b.png', coverMapping: { coverPath: '/c.png' } },
      '/a.png',
    ],
    [
      'the cover of its mapping',
      { coverPath: null, livrePath: '/b.png', coverMapping: { coverPath: '/c.png' } },
      '/c.png',
    ],
    [
      'the picture of the book',
      { livrePath: '/b.png', coverMapping: { livrePath: '/d.png' } },
      '/b.png',
    ],
    [
      'the one of its mapping',
      { coverPath: '', coverMapping: { coverPath: null, livrePath: '/d.png' } },
      '/d.png',
    ],
    ['a bare string', { coverPath: PNG }, `data:image/png;base64,${PNG}`],
    [
      'the next one, if the first is not an image',
      { coverPath: 'cover.pdf', livrePath: '/b.png' },
      '/b.png',
    ],
  ])('is %s', (_, document, src) => {
    expect(coverPicture(document)?.src).toBe(src)
  })

  test.each([{}, { coverPath: null, coverMapping: null }, { coverPath: 'SGVsbG8=' }])(
    '%j has none: the placeholder is used',
    (document) => {
      expect(coverPicture(document)).toBeNull()
    },
  )

  test('an uploaded image is offered in better formats and every width', () => {
    const picture = coverPicture({ coverPath: coverPath(SHA256) })
    expect(picture?.sources.map(({ type }) => type)).toEqual(['image/avif', 'image/webp'])
    for (const { srcSet } of picture?.sources ?? []) {
      expect(srcSet.split(', ')).toHaveLength(COVER_WIDTHS.length)
      expect(srcSet).toContain(`${SHA256}-640.`)
    }
    expect(coverPicture({ coverPath: '/media/covers/x-320.webp' })?.sources).toEqual([])
  })
})

test.each([
  ['#fff', '#fff'],
  [' #12ab9f ', '#12ab9f'],
  ['teal', 'teal'],
  ['rgb(1, 2, 3)', 'rgb(1, 2, 3)'],
  ['url(#x)', null],
  ['red;fill:blue', null],
  [null, null],
])('the colour %j may be %j', (color, expected) => {
  expect(paintOf(color)).toBe(expected)
})

test('the class of a subject is built from its code alone', () => {
  expect([subjectClass('physics'), subjectClass('a b'), subjectClass(null)]).toEqual([
    'subject-physics',
    '',
    '',
  ])
})

describe('the number of a paper', () => {
  test.each([
    ['Devoir de contrôle N°1 - Mathématiques (2024-2025)', '1'],
    ['Devoir de contrôle nº 12', '12'],
    ['DC3 maths', '3'],
    ['DS 2', '2'],
    ['Série n° 4 : les suites', '4'],
    ['Worksheet and test 5', '5'],
    ['فرض مراقبة عدد 2 - الفيزياء', '2'],
    ['فرض تأليفيّ ٣', '3'],
    ['السلسلة 7 في الكسور', '7'],
  ])('%s', (title, number) => {
    expect(paperNumber(title)).toBe(number)
  })

  test.each([
    ['Physique-chimie : 8 exercices corrigés'],
    ['Devoir 2024'],
    ['Devoir 12/2025'],
    ['piano 3'],
    ['الكسور'],
    [''],
  ])('%s has none', (title) => {
    expect(paperNumber(title)).toBeUndefined()
  })
})

test('two papers of a series, and four documents in a row, have different covers', () => {
  const classes = (titles: string[]) =>
    new Set(titles.map((title, at) => coverClass({ id: 8 * (at + 1), title }, 'arabic')))
  expect(classes(['DC1', 'DC2', 'DC3', 'DC4']).size).toBe(4)
  expect(new Set([1, 2, 3, 4].map((id) => coverClass({ id, title: '' }, null))).size).toBe(4)
  expect(coverClass({ id: 4, title: '' }, 'arabic')).toBe('cover subject-arabic')
})
