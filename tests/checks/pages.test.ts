import { expect, test } from 'vitest'
import { ALIASES, FIXED_PATHS, SUBSTITUTES } from '../../src/rules/pages.ts'
import { sourceFiles } from './source.ts'

test('the table of pages has every page of src/pages that has one address, and no other', () => {
  const paths = sourceFiles(/^src\/pages\/[\w-]+\.astro$/).map((file) =>
    file.replace(/^src\/pages/, '').replace(/(?:index)?\.astro$/, ''),
  )
  expect(new Set(paths)).toEqual(new Set([...FIXED_PATHS, ...SUBSTITUTES, ...ALIASES]))
})
