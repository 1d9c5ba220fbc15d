import { expect, test } from 'vitest'
import { NUMBERED_PAGES } from '../../src/rules/numbered-pages.ts'
import {
  ALIASES,
  FIXED_PATHS,
  isOfSite,
  OFFICE_PATHS,
  pagesWith,
  SUBSTITUTES,
} from '../../src/rules/pages.ts'
import { read, sourceFiles } from './source.ts'

test('the table of pages lists every page of src/pages that has one address, and no other', () => {
  const paths = sourceFiles(/^src\/pages\/[\w-]+\.astro$/).map((file) =>
    file.replace(/^src\/pages/, '').replace(/(?:index)?\.astro$/, ''),
  )
  const listed = new Set([...FIXED_PATHS, ...SUBSTITUTES, ...ALIASES])
  expect(new Set(paths), 'listed in src/rules/pages.ts').toEqual(listed)
})

test('the table of numbered pages lists every page of src/pages with an id, and no other', () => {
  const paths = sourceFiles(/^src\/pages\/[\w-]+\/\[id\](?:\/index)?\.astro$/).map((file) =>
    file.replace(/^src\/pages/, '').replace(/\/\[id\].*$/, ''),
  )
  expect(new Set(paths)).toEqual(new Set(Object.values(NUMBERED_PAGES)))
})

test('the table of the office lists every page of src/pages/office, and no other', () => {
  const files = sourceFiles(/^src\/pages\/office\/.*\.astro$/)
  const paths = files.map((file) =>
    file.replace(/^src\/pages/, '').replace(/(?:\/index)?\.astro$/, ''),
  )
  expect(new Set(paths)).toEqual(new Set(OFFICE_PATHS))
})

test('each page says what changes it: the site alone, or its tags', () => {
  const prerendered: readonly string[] = pagesWith('isPrerendered')
  for (const path of [...FIXED_PATHS, ...SUBSTITUTES, ...ALIASES]) {
    const isTagged = /cache\.set\(|readSitePage\(/.test(
      read(`src/pages/${path.slice(1) || 'index'}.astro`),
    )
    const ways = [isOfSite(path), isTagged, prerendered.includes(path)]
    expect(ways.filter(Boolean), path).toHaveLength(1)
  }
})
