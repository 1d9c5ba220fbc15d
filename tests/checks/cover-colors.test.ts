import { expect, test } from 'vitest'
import { readCoverColors } from '../../src/server/search-engines/share-picture.ts'
import { read } from './source.ts'

test('social images use the cover colours of the style sheets', async () => {
  const colors = await readCoverColors()
  const tokens = read('src/styles/tokens.css')
  for (const code of ['mathematics', 'history', 'philosophy']) {
    expect(colors.of(code)).toMatch(/^#[0-9a-f]{6}$/)
    expect(colors.of(code)).not.toBe(colors.of(null))
  }
  expect(tokens).toContain(`--cloth-sand: ${colors.of('no such subject')};`)
  expect(tokens).toContain(`--label: ${colors.label};`)
})
