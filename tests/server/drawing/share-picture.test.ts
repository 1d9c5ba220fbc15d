// @one-database: it draws pictures.
import fc from 'fast-check'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { sharePictures } from '../../../src/server/search-engines/share-picture.ts'

const draw = sharePictures()
const shared = {
  title: 'Devoir',
  programme: '9e année · Physique',
  paper: 'DC\u00a01 · T1',
  teacher: 'Leïla Gharbi',
  subjectCode: null,
}
/** What messengers fetch before they show it. */
const MAX_BYTES = 60 * 1024

const STRANGE = {
  'the longest letter, again and again': '﷽'.repeat(255),
  'one word of 255 letters': 'W'.repeat(255),
  'marks upon one letter': `a${'\u0301'.repeat(254)}`,
  'lines above one letter': `ب${'\u064e\u0651'.repeat(127)}`,
  emoji: '👨‍👩‍👧‍👦'.repeat(20),
  'isolates without an end': '\u2067\u2066'.repeat(100),
  'control characters alone': '\u0001\u0007\u001b',
  'line breaks': 'a\n'.repeat(127),
  'half a letter': '\ud83d',
  spaces: ' '.repeat(255),
  nothing: '',
}

async function expectPicture(texts: Partial<typeof shared>) {
  const picture = await draw({ ...shared, ...texts })
  const { width, height } = await sharp(picture).metadata()
  expect([width, height]).toEqual([1200, 630])
  expect(picture.byteLength).toBeLessThanOrEqual(MAX_BYTES)
}

test.each(Object.entries(STRANGE))('a share picture is drawn of %s', async (_, text) => {
  await expectPicture({ title: text, programme: text, paper: text, teacher: text })
})

test('a share picture is drawn of any title and name', async () => {
  const letters = fc.constantFrom(...'﷽Wبé1 \u202e\u2067\u200f\u0301\u0000😀&<…字ﷺ')
  const text = fc.oneof(
    fc.string({ unit: letters, maxLength: 255 }),
    fc.string({ unit: 'binary', maxLength: 255 }),
  )
  await fc.assert(
    fc.asyncProperty(text, text, (title, teacher) => expectPicture({ title, teacher })),
    { numRuns: 10 },
  )
})

test('a share picture shows a text in the order in which it is written', async () => {
  const plain = await draw({ ...shared, title: 'fdp.exe' })
  expect(await draw({ ...shared, title: '\u202efdp.exe\u202c' })).toEqual(plain)
})
