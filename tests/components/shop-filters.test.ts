import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { counted, paperGroups } from '../../src/components/shop/labels.ts'
import { pageNumbers } from '../../src/components/shop/page-numbers.ts'
import { DocumentFilters } from '../../src/contract/catalogue.ts'
import {
  activeFilters,
  bandOfFilters,
  canonicalFilters,
  queryOf,
  REMOVABLE,
  readFilters,
  without,
} from '../../src/contract/shop-filters.ts'
import { localized } from '../../src/i18n/translate.ts'

const readQuery = (query: string) => readFilters(new URLSearchParams(query))

describe('the address of the shop', () => {
  test('expresses every filter of the backend', () => {
    expect(
      readQuery(
        'search=%20دوال%20&level=high-school&matiereId=1&niveauId=2&categoryId=3&type=Pour+Élève&rating=4&teacherId=5&sort=-price&price=10-25&page=3',
      ),
    ).toEqual({
      title: 'دوال',
      level: 'high-school',
      matiereId: 1,
      niveauId: 2,
      categoryId: 3,
      type: 'Pour Élève',
      rating: 4,
      teacherId: 5,
      sort: '-price',
      minPrice: 10_000,
      maxPrice: 25_000,
      page: 2,
    })
  })

  test('takes back every filter, one by one', () => {
    // How a text is read and what is shown of the list are no filters.
    const OTHERS = ['title', 'match', 'literal', 'minPrice', 'maxPrice', 'sort', 'page', 'size']
    const filters = Object.keys(DocumentFilters.schema).filter((name) => !OTHERS.includes(name))
    expect([...REMOVABLE].sort()).toEqual([...filters, 'search', 'price'].sort())
  })

  test('is the first page of everything without a query, and with empty fields', () => {
    expect(readQuery('')).toEqual({ page: 0 })
    expect(readQuery('search=&level=&matiereId=&price=&rating=&page=')).toEqual({ page: 0 })
  })

  test.each([
    'level=university',
    'matiereId=abc',
    'niveauId=-1',
    'categoryId=99999999999',
    'type=parent',
    'rating=6',
    'rating=0',
    'price=3-4',
    'minPrice=-5',
    'minPrice=1.005',
    'maxPrice=lots',
    'teacherId=1e3',
    'sort=random',
    'page=0',
    'page=-3',
    'page=two',
    'search=%00%07',
  ])('ignores %s', (query) => {
    expect(readQuery(query)).toEqual({ page: 0 })
  })

  test('names the last price band by its plus sign, encoded or not', () => {
    expect(readQuery('price=100%2B')).toEqual({ minPrice: 100_000, page: 0 })
    expect(readQuery('price=100+')).toEqual({ minPrice: 100_000, page: 0 })
  })

  test('accepts a custom price range as well', () => {
    const filters = readQuery('minPrice=7.5&maxPrice=12')
    expect(filters).toEqual({ minPrice: 7500, maxPrice: 12_000, page: 0 })
    expect(bandOfFilters(filters)).toBeNull()
    expect(queryOf(filters)).toBe('?minPrice=7.5&maxPrice=12')
  })

  test('never fails, and round-trips through its own filters', () => {
    const name = fc.constantFrom(
      ...REMOVABLE,
      'title',
      'minPrice',
      'maxPrice',
      'sort',
      'page',
      'unknown',
    )
    const value = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.nat().map(String),
      fc.constantFrom('0-10', '100+', 'primary-school', 'Pour Enseignant', 'rating', '12.5'),
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value)), (pairs) => {
        const filters = readFilters(new URLSearchParams(pairs))
        expect(readFilters(new URLSearchParams(queryOf(filters)))).toEqual(filters)
      }),
    )
  })
})

describe('a chip', () => {
  test('removes its own filter, from the first page', () => {
    const filters = readQuery('search=x&level=high-school&price=0-10&rating=3&page=4')
    expect(activeFilters(filters)).toEqual(['search', 'level', 'price', 'rating'])
    expect(queryOf(without(filters, 'price'))).toBe('?search=x&level=high-school&rating=3')
    expect(queryOf(without(filters, 'search'))).toBe('?level=high-school&rating=3&price=0-10')
  })
})

describe('the pager', () => {
  test.each([
    [0, 1, [0]],
    [0, 3, [0, 1, 2]],
    [2, 5, [0, 1, 2, 3, 4]],
    [0, 9, [0, 1, null, 8]],
    [4, 9, [0, null, 3, 4, 5, null, 8]],
    [8, 9, [0, null, 7, 8]],
  ])('on page %i of %i names %j', (current, total, expected) => {
    expect(pageNumbers(current, total)).toEqual(expected)
  })
})

test.each([
  ['level=high-school', '?level=high-school'],
  ['matiereId=3&page=2', '?matiereId=3&page=2'],
  ['matiereId=3&page=2&sort=price', '?matiereId=3'],
  ['page=3', '?page=3'],
  ['sort=price&page=3', ''],
  ['level=high-school&matiereId=3', ''],
  ['price=10-25', ''],
  ['teacherId=1&page=2', ''],
])('the canonical address of %s is %s', (query, canonical) => {
  expect(queryOf(canonicalFilters(readQuery(query)))).toBe(canonical)
})

test('an ordinary test that was chosen is offered, counted as the control test that it is filed as', () => {
  const facets = { paperKind: { control: 3 } } as unknown as Parameters<typeof counted>[1]
  const kindsFor = (paperKind?: string) => {
    const filters = paperKind ? { paperKind } : {}
    const language = localized('fr')
    const groups = paperGroups(language, filters, facets, { total: 3, kinds: [] })
    const [group] = groups.filter(({ name }) => name === 'paperKind')
    return group && counted(group, facets).options.map(({ value, count }) => [value, count])
  }
  expect(kindsFor('ordinary')?.slice(0, 2)).toEqual([
    ['control', 3],
    ['ordinary', 3],
  ])
  expect(kindsFor('control')?.map(([value]) => value)).not.toContain('ordinary')
  expect(kindsFor()?.map(([value]) => value)).not.toContain('ordinary')
})
