import { expect, test } from 'vitest'
import { routeOf } from '../../../src/server/publishing/build/integration.ts'

test.each([
  ['index.astro', ''],
  ['shop.astro', '/shop'],
  ['shop-details/[id].astro', '/shop-details/[id]'],
  ['teachers/index.astro', '/teachers'],
  ['my-documents.astro', '/my-documents'],
  ['_draft.astro', undefined],
  ['_parts/card.astro', undefined],
  ['sitemap.xml.ts', undefined],
  ['shop.css', undefined],
])('%s has the address %s in other languages', (file, route) => {
  expect(routeOf(file)).toBe(route)
})
