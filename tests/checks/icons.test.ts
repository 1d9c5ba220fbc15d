import { describe, expect, test } from 'vitest'
import { DRAWINGS } from '../../src/islands/reader/ReaderIcon.tsx'
import * as drawings from '../../src/parts/drawings.ts'
import { OFFICE_PAGES } from '../../src/rules/pages.ts'
import { read, sourceFiles } from './source.ts'

const { MIRRORED: _, ...shared } = drawings

/**
 * Where the icons are that are easily taken for something else: a further place shows the same
 * thing, or takes another icon.
 */
const PLACES: Readonly<Record<string, RegExp>> = {
  // Searching; what one looks at before buying has the eye.
  search: /\/(SearchBox|Bars|Gallery|Finder)\.(tsx|astro)$/,
  // The customer's own documents; reading one, and keeping one on the device, have their own.
  book: /\/BottomBar\.astro$/,
  read: /\/AddToCartModels\.astro$/,
  device: /\/KeepButton\.tsx$/,
  user: /\/(AccountMenu|BottomBar|Header|TopBar)\.astro$/,
  filter: /\/shop\.astro$/,
  phone: /\/contact\.astro$/,
}

/** A teacher's and the administrators' page of the same things. */
const SAME_IN_BOTH_MENUS = [
  'bag: orders, sales',
  'books: allDocuments, documents',
  'bundle: bundles, sharedBundles',
  'payout: payouts, teacherPayouts',
  'star: allRatings, ratings',
  'tag: allCodes, codes',
]

/** Icons of the office's menus that mean the same in the shop. */
const SAME_ELSEWHERE = ['home', 'user']

describe('icons', () => {
  test('are drawn once each', () => {
    const all = Object.entries({ ...shared, ...DRAWINGS })
    const same = all.filter(([name, drawing]) =>
      all.some(([other, its]) => other !== name && its === drawing),
    )
    expect(same).toEqual([])
  })

  test('stand for one thing each', () => {
    const markup = sourceFiles(/^src\/(?!office\/).*\.(astro|tsx)$/)
    const wrong = markup.flatMap((file) =>
      [...read(file).matchAll(/Icon name="(\w+)"|icon: '(\w+)'/g)]
        .map(([, name, listed]) => name ?? listed ?? '')
        .filter((name) => PLACES[name]?.test(file) === false)
        .map((name) => `${file}: ${name}`),
    )
    expect(wrong).toEqual([])
  })

  test('of the office’s menus stand for one thing each, there and elsewhere', () => {
    const entries = Object.values(OFFICE_PAGES).flatMap((page) =>
      'menu' in page ? [page.menu as { text: string; icon: string }] : [],
    )
    const meanings = Map.groupBy(entries, ({ icon }) => icon)
    const shared = [...meanings].flatMap(([icon, each]) => {
      const texts = each.map(({ text }) => text).toSorted()
      return texts.length > 1 ? [`${icon}: ${texts.join(', ')}`] : []
    })
    expect(shared.toSorted()).toEqual(SAME_IN_BOTH_MENUS)

    const markup = sourceFiles(/^src\/.*\.(astro|tsx)$/)
      .map(read)
      .join('\n')
    const elsewhere = new Set(
      [...markup.matchAll(/Icon name="(\w+)"|icon: '(\w+)'/g)].map(
        ([, name, listed]) => name ?? listed,
      ),
    )
    const both = [...meanings.keys()].filter((icon) => elsewhere.has(icon))
    expect(both.toSorted()).toEqual(SAME_ELSEWHERE)
  })
})
