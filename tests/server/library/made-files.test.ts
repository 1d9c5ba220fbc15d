// @one-database: it is about files.

import { randomBytes } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { getSample } from '../../../src/contract/reading.ts'
import { DAY_MS } from '../../../src/rules/durations.ts'
import { PAGE_WIDTH, samplePicture } from '../../../src/rules/reading.ts'
import { readConfig } from '../../../src/server/config/config.ts'
import {
  directoryBlobs,
  forgetOldest,
  openStorage,
  writeWhole,
} from '../../../src/server/files/files.ts'
import { makeSamples } from '../../../src/server/library/library.ts'
import { cleanUpFiles } from '../../../src/server/uploads/uploads.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { aPdf } from '../../support/pdf.ts'
import { aPicture } from '../../support/picture.ts'
import { sharedApp } from '../../support/test.ts'

const app = await sharedApp()

const hash = () => randomBytes(32).toString('hex')

/** The files that are generated from stored ones, below the data directory. */
async function made(): Promise<string[]> {
  const { dataDir } = app.deps.config
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(dataDir.length + 1))
    .filter((path) => /^(covers|portraits|previews|stamps|samples)\//.test(path))
    .sort()
}

test('partial or lost files of a killed process are deleted after a day, and nothing else', async () => {
  const document = await app.aDocument({ file: aPdf('kept', 3), cover: await aPicture('#2b62b8') })
  const { fileId } = await app.row('documents', document.id)
  const file = await app.row('files', fileId ?? 0)
  await app.change('files', file.id, { pageCount: 3 })
  const isDrawn = () =>
    app.kysely
      .selectFrom('samples')
      .select('isDrawn')
      .where('isDrawn', '=', true)
      .executeTakeFirst()
  // A turn has a time, in which a busy machine may not finish.
  while (!(await isDrawn())) await makeSamples(app.deps, { mayDraw: true })
  const { key } = await app.call(getSample, { params: { id: document.id } })
  const sample = { documentId: document.id, key: key ?? '' }
  const picture = await fetch(app.url + samplePicture(sample, 1, PAGE_WIDTH))
  expect(picture.status).toBe(200)

  const write = async (...paths: string[]) => {
    for (const path of paths) await writeWhole(join(app.deps.config.dataDir, path), 'x')
  }
  await write(`previews/${file.sha256}/1-900.webp`, `stamps/${file.sha256}/1.tail`)
  const kept = await made()
  expect(kept.length).toBeGreaterThan(5)
  // Named as they are until they are complete.
  await write(
    `stamps/${file.sha256}/1.tail.${hash()}.tmp`,
    `previews/${file.sha256}/2-900.webp.${hash()}.tmp`,
    `samples/${document.id}-${key}/1-480.webp.${hash()}.tmp`,
    `covers/${hash()}/400.webp.${hash()}.tmp`,
  )
  // A replaced sample, one of no document, and files generated from deleted ones.
  await write(
    `samples/${document.id}-0123456789abcdef/1-480.webp`,
    `samples/123456-${key}/1-480.webp`,
    ...['covers', 'portraits', 'previews', 'stamps'].map((kind) => `${kind}/${hash()}/1`),
  )
  const all = await made()
  await cleanUpFiles(app.deps)
  expect(await made()).toEqual(all)
  app.travel(DAY_MS + 60_000)
  await cleanUpFiles(app.deps)
  expect(await made()).toEqual(kept)
})

test('what one machine has made, the others find where they share the files', async () => {
  const common = temporaryDirectory()
  const machine = async () => {
    const env = { FILES_URL: common, DATA_DIR: temporaryDirectory(), JWT_SECRET: 's'.repeat(32) }
    return (await openStorage(readConfig(env))).made
  }
  const [one, other] = [await machine(), await machine()]
  const name = `stamps/${hash()}/1.tail`
  const again = () => Promise.reject(new Error('made again'))
  const bytes = Buffer.from('tail')
  expect(await one.kept(name, async () => bytes)).toEqual(bytes)
  expect(await other.kept(name, again)).toEqual(bytes)
  expect(readFileSync(other.pathOf(name))).toEqual(bytes)
  // Without the common store each makes its own.
  rmSync(common, { recursive: true })
  writeFileSync(common, 'no directory')
  expect(await other.kept(name, again)).toEqual(bytes)
  expect(await other.kept(`previews/${hash()}/sizes`, async () => bytes)).toEqual(bytes)
  rmSync(common)

  const shared = `previews/${hash()}/1`
  await one.kept(shared, async () => bytes)
  const [, folder = ''] = shared.split('/')
  expect(await other.untouched('previews', new Date(Date.now() + DAY_MS))).toContain(folder)
  await other.removeFolder('previews', folder)
  await expect((await machine()).kept(shared, again)).rejects.toThrow('made again')
})

test('when space is short, the oldest files are deleted first', async () => {
  const blobs = directoryBlobs(join(app.deps.config.dataDir, 'room'))
  for (const name of ['a/first', 'a/second', 'b/third']) await blobs.write(name, Buffer.alloc(10))
  await forgetOldest(blobs, 30)
  expect(await blobs.sizeOf('a/first')).toBe(10)
  await forgetOldest(blobs, 20, 'a/first')
  const names = []
  for await (const { name } of blobs.list('')) names.push(name)
  expect(names).toHaveLength(2)
  expect(names).toContain('a/first')
})
