import { describe, expect, test } from 'vitest'
import { enterTarget, type SearchPage, suggest } from '../../src/rules/suggestions.ts'

const pages: SearchPage[] = [
  { title: 'المتجر', path: '/shop', otherTitles: ['Boutique', 'Shop'] },
  { title: 'أسئلة شائعة', path: '/faq', otherTitles: ['Questions fréquentes', 'FAQ'] },
  { title: 'الأساتذة', path: '/teachers', otherTitles: ['Enseignants', 'Teachers'] },
]
const documents = Array.from({ length: 6 }, (_, id) => ({ id, title: `Questions ${id}` }))

describe('suggest', () => {
  test('lists pages first and stops at 5', () => {
    const found = suggest('questions', pages, documents)
    expect(found.map(({ type, title }) => `${title} (${type})`)).toEqual([
      'أسئلة شائعة (page)',
      'Questions 0 (document)',
      'Questions 1 (document)',
      'Questions 2 (document)',
      'Questions 3 (document)',
    ])
    expect(found[0]).toEqual({ type: 'page', title: 'أسئلة شائعة', path: '/faq' })
    expect(found[1]).toMatchObject({ document: { id: 0 } })
  })

  test.each(['متجر', 'المتجر', 'SHOP', 'bouti', 'الم'])('finds the shop by %j', (text) => {
    expect(suggest(text, pages, [])).toEqual([{ type: 'page', title: 'المتجر', path: '/shop' }])
  })

  test.each(['', '  ', '\n'])('suggests nothing for %j', (text) => {
    expect(suggest(text, pages, documents)).toEqual([])
  })
})

test.each([
  [' Shop ', { kind: 'page', path: '/shop' }],
  ['الأساتذة', { kind: 'page', path: '/teachers' }],
  ['FAQ', { kind: 'page', path: '/faq' }],
  ['shop', { kind: 'shop', search: 'shop' }],
  [' تمارين ', { kind: 'shop', search: 'تمارين' }],
  ['', { kind: 'shop', search: '' }],
])('Enter on %j leads to %j', (text, target) => {
  expect(enterTarget(text, pages)).toEqual(target)
})
