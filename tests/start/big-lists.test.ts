// @at-landing: it imports lists of the largest size.

import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { beginImport, getImport } from '../../src/contract/office-imports.ts'
import { buyersIn } from '../chaos/buyers.ts'
import { openMeasuredShop, uploadFile } from '../chaos/measured-shop.ts'
import { reading, visit } from '../chaos/visitors.ts'
import { fillDataDir } from '../support/filled-shop.ts'
import { LISTS } from '../support/hostile-lists.ts'
import { hostileZip } from '../support/hostile-zips.ts'

const VISITORS = 2

test('lists that are far too large are refused, and nobody else is', async () => {
  const shop = await openMeasuredShop({ fill: fillDataDir })
  onTestFinished(() => shop.close())
  const errands = { ...reading(shop.url), ...(await buyersIn(shop, VISITORS)) }
  // Made beforehand, since making them keeps this process from answering.
  const lists = Object.entries(LISTS).map(([name, { list, problem }]) => {
    return { name, problem, zip: hostileZip([list()]) }
  })
  // A teacher for each list, since an account imports one at a time.
  const importing = Promise.all(
    lists.map(async ({ name, problem, zip }) => {
      const teacher = await shop.anOfficeTeacher()
      const upload = await uploadFile(shop, teacher, zip, { purpose: 'import' })
      let last = await shop.api(beginImport, { body: { uploadId: upload.id } }, teacher)
      while (last.phase === 'checking') {
        await wait(100)
        last = (await shop.api(getImport, {}, teacher)).last ?? expect.unreachable()
      }
      const codes = last.problems.map(({ code }) => code)
      expect(codes, name).toContain(problem)
    }),
  )
  const visitors = { visitors: VISITORS, seconds: 0, errands, pause: 500 }
  const { refused } = await visit({ ...visitors, until: importing })
  await importing
  expect(refused).toEqual({})
  expect(lists.length).toBeGreaterThan(5)
})
