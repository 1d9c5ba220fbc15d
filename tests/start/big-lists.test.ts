// @at-landing: it imports lists of the largest size.

import { expect, test } from 'vitest'
import { importBigLists } from '../chaos/big-lists.ts'
import { fillDataDir } from '../support/filled-shop.ts'

// For others' waits: `node tests/chaos/big-lists.ts`.
test('lists that are far too large are refused, and nobody else is', async () => {
  const { quiet, busy, lists } = await importBigLists({ seconds: 2, fill: fillDataDir })
  for (const { name, found, expected } of lists) expect(found, name).toContain(expected)
  expect(lists.length).toBeGreaterThan(5)
  expect([quiet.refused, busy.refused]).toEqual([{}, {}])
})
