// @at-landing: it draws pages of every document of the demo shop.
// @one-database: it is about pictures.
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { STRIP_PAGES, STRIP_WIDTH, samplePicture } from '../../../src/rules/reading.ts'
import { fillDemoShop } from '../../../src/server/demo/demo.ts'
import { makeSamples } from '../../../src/server/library/library.ts'
import { testApp } from '../../support/app.ts'

test('the small pictures of the demo shop: each page of a few kilobytes, and not blurred to fit', async () => {
  const app = await testApp()
  await fillDemoShop(app.deps)
  const due = app.kysely.selectFrom('samples').select('documentId').where('dueAt', 'is not', null)
  do await makeSamples(app.deps, { mayDraw: false })
  while ((await due.execute()).length > 0)
  const samples = await app.kysely
    .selectFrom('samples')
    .select(['documentId', 'key', 'pages'])
    .execute()
  expect(samples.length).toBeGreaterThanOrEqual(64)
  const sizes = []
  for (const { documentId, key, pages } of samples) {
    for (const { page } of pages?.slice(0, STRIP_PAGES) ?? []) {
      const picture = samplePicture({ documentId, key: key ?? '' }, page, STRIP_WIDTH)
      const answer = await fetch(app.url + picture)
      expect(answer.status, picture).toBe(200)
      const bytes = Buffer.from(await answer.arrayBuffer())
      sizes.push(bytes.length)
      const { width } = await sharp(bytes).metadata()
      expect(width).toBe(STRIP_WIDTH)
    }
  }
  expect(sizes.length).toBeGreaterThanOrEqual(samples.length)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(6 * 1024)
  // A page that had to be blurred has less than a kilobyte.
  expect(Math.min(...sizes)).toBeGreaterThan(1024)
})
