import { deflateRawSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import * as imports from '../../../src/contract/office-imports.ts'
import { IMPORT_MAX_DOCUMENTS, PACKAGE_MAX_FILES } from '../../../src/rules/imports.ts'
import { fillSchoolLists } from '../../../src/server/catalogue/catalogue.ts'
import { type TestApp, testApp } from '../../support/app.ts'
import type { Person } from '../../support/factories.ts'
import { hostileZip } from '../../support/hostile-zips.ts'
import {
  check,
  csv,
  type Files,
  filesAside,
  last,
  own,
  problemsOf,
  send,
  start,
  zip,
} from '../../support/imports.ts'
import { aPdf } from '../../support/pdf.ts'
import { BAD_PDFS, upload } from '../../support/uploads.ts'

let app: TestApp
let teacher: Person & { teacherId: number }

beforeAll(async () => {
  app = await testApp()
  await fillSchoolLists(app.deps.database)
  return app.stop
})

/** A PDF with a password. */
function locked(): Uint8Array {
  const found = Object.values(BAD_PDFS).find(({ code }) => code === 'pdf_encrypted')
  if (!found) throw new Error('no encrypted PDF')
  return found.bytes()
}

describe('an uploaded list', () => {
  beforeAll(async () => {
    teacher = await app.anOfficeTeacher({ firstName: 'سلمى', lastName: 'بن عمر' })
  })

  test('lists all its problems by row, and accepts the corrected files alone', async () => {
    const refused = await check(app, teacher, {
      'mine.csv': csv(
        [
          { reference: 'A', price: 'dear', subject: 'alchemy', teacher_email: 'x@y.example' },
          { reference: 'A', state: 'published', file: '../../etc/passwd' },
          { reference: 'C', file: 'locked.pdf' },
          { reference: 'D', file: 'none.pdf', cover: 'locked.pdf' },
        ],
        ['teacher_email'],
      ),
      'a.pdf': aPdf('A', 1),
      'locked.pdf': locked(),
    })
    expect(refused).toMatchObject({ phase: 'refused', problemCount: 8 })
    expect(problemsOf(refused)).toEqual(
      expect.arrayContaining([
        [2, 'teacher_email', 'other_teacher', 'x@y.example'],
        [2, 'price', 'not_an_amount', 'dear'],
        [2, 'subject', 'not_listed', 'alchemy'],
        [3, 'reference', 'repeated', 'A'],
        [3, 'state', 'not_listed', 'published'],
        [4, 'file', 'bad_file', 'pdf_encrypted'],
        [5, 'file', 'file_missing', 'none.pdf'],
        [5, 'cover', 'bad_file', 'not_a_picture'],
      ]),
    )
    await expect(
      app.call(imports.startImport, { as: teacher, params: { id: refused?.id ?? '' } }),
    ).rejects.toMatchObject({ code: 'import_state_changed' })

    const list = csv([{ reference: 'A' }, { reference: 'C', title: 'C', file: 'locked.pdf' }])
    const other = await app.anOfficeTeacher()
    const theirs = await send(app, other, { 'catalogue.csv': list })
    const after = refused?.id ?? ''
    await expect(
      app.call(imports.beginImport, { as: other, body: { uploadId: theirs.id, after } }),
    ).rejects.toMatchObject({ code: 'import_not_found' })
    const mended = await check(
      app,
      teacher,
      { 'mine.csv': list, 'locked.pdf': aPdf('open', 1) },
      { after },
    )
    expect(mended).toMatchObject({ phase: 'ready', created: 2 })
    expect(await start(app, teacher, mended?.id ?? '')).toMatchObject({ phase: 'done', created: 2 })
    expect(await own(app, teacher)).toHaveLength(2)
  })

  test('must be valid, contain one list, and at most as many documents as allowed', async () => {
    const pdf = { 'a.pdf': aPdf('A', 1) }
    const codes = async (files: Files) =>
      (await check(app, teacher, files))?.problems.map(({ code }) => code)
    expect(await codes(pdf)).toEqual(['no_list'])
    expect(await codes({ 'a.csv': csv([]), 'b.csv': csv([]) })).toEqual(['several_lists'])
    expect(await codes({ 'a.csv': Uint8Array.of(0xff, 0xfe, 0x00) })).toEqual(['not_utf8'])
    expect(await codes({ 'a.csv': '"open' })).toEqual(['quote_not_closed'])
    expect(await codes({ 'a.json': '{"a": ' })).toEqual(['not_json'])
    expect(await codes({ 'a.csv': 'nothing;here\r\n1;2' })).toEqual(
      expect.arrayContaining(['unknown_column', 'missing_column']),
    )
    const many = Array.from({ length: IMPORT_MAX_DOCUMENTS + 1 }, (_, at) => ({
      reference: `R${at}`,
    }))
    const tooMany = await check(app, teacher, { ...pdf, 'a.csv': csv(many) })
    expect(problemsOf(tooMany)).toEqual([[null, null, 'too_many_rows', '1000']])
  })

  test('must be a ZIP that can be unpacked, with no path outside of it', async () => {
    const finish = async (bytes: Uint8Array) =>
      await upload(app, teacher, bytes, { purpose: 'import' })
    await expect(finish(aPdf('A', 1))).rejects.toMatchObject({ code: 'not_a_zip' })
    const good = await zip({ 'a.csv': csv([{ reference: 'A' }]), 'a.pdf': aPdf('A', 1) })
    await expect(finish(good.subarray(0, -30))).rejects.toMatchObject({ code: 'not_a_zip' })
    const outside = await zip({ '../../a.csv': 'x' })
    await expect(finish(outside)).rejects.toMatchObject({ code: 'not_a_zip' })

    // The library's own reader ends the process over a place so far outside.
    const far = hostileZip([{ name: 'a.csv' }], { directoryAt: 2n ** 62n })
    await expect(finish(far)).rejects.toMatchObject({ code: 'not_a_zip' })
    const shared = hostileZip([{ name: 'a.csv' }, { name: 'b', sameAs: 0 }])
    await expect(finish(shared)).rejects.toMatchObject({ code: 'not_a_zip' })
    const many = hostileZip(
      Array.from({ length: PACKAGE_MAX_FILES + 1 }, (_, at) => ({ name: `${at}` })),
    )
    await expect(finish(many)).rejects.toMatchObject({ code: 'zip_too_large' })

    // A file that understates its size: the unpacked bytes are counted.
    const bomb = lying(await zip({ 'a.csv': csv([{ reference: 'A' }]), 'a.pdf': 'x'.repeat(5000) }))
    const { id } = await finish(bomb)
    await app.call(imports.beginImport, { as: teacher, body: { uploadId: id } })
    await app.runJobs()
    expect(problemsOf(await last(app, teacher))).toEqual([[2, 'file', 'not_unpacked', 'a.pdf']])
  })
})

test('a small ZIP with an enormous list is refused, whatever size it says', async () => {
  const me = await app.anOfficeTeacher()
  const head = csv([{ reference: 'A' }])
  const rows = Buffer.alloc(6_000_000 * 4, '1;2\n')
  const content = Buffer.concat([Buffer.from(`${head}\r\n`), rows])
  const refusal = async (size: number | undefined) => {
    const bytes = hostileZip([{ name: 'a.csv', content, ...(size !== undefined && { size }) }])
    expect(bytes.length).toBeLessThan(150_000)
    const { id } = await upload(app, me, bytes, { purpose: 'import' })
    await app.call(imports.beginImport, { as: me, body: { uploadId: id } })
    await app.runJobs()
    const found = await last(app, me)
    expect(found).toMatchObject({ phase: 'refused', isBegunAnew: false })
    return problemsOf(found)
  }
  expect(await refusal(undefined)).toEqual([[null, null, 'list_too_large', '4']])
  expect(await refusal(head.length)).toEqual([[null, null, 'not_unpacked', 'a.csv']])
  expect(await filesAside(app)).toEqual([])

  // As many rows as a list of its size may have, and texts that are far too long.
  const short = `${head}\r\n${`R;${'ئ'.repeat(60_000)}${';'.repeat(11)}\r\n`.repeat(20)}`
  const found = await check(app, me, { 'a.csv': short, 'a.pdf': aPdf('A', 1) })
  expect(problemsOf(found)).toContainEqual([3, 'title', 'too_long', '255'])
})

/**
 * The ZIP with its last file, `a.pdf` of 5,000 letters, replaced by a deflated one of far more
 * bytes than declared.
 */
function lying(bytes: Buffer): Buffer {
  const packed = deflateRawSync(Buffer.alloc(200_000_000))
  const name = bytes.indexOf('a.pdfxxx')
  const content = name + 'a.pdf'.length
  const head = Buffer.from(bytes.subarray(0, content))
  const tail = Buffer.from(bytes.subarray(content + 5000))
  // Its method and compressed size, in both headers.
  const entry = tail.indexOf('a.pdf') - 46
  for (const [of, at] of [
    [head, name - 30 + 8],
    [tail, entry + 10],
  ] as const) {
    of.writeUInt16LE(8, at)
    of.writeUInt32LE(packed.length, at + 10)
  }
  const end = tail.lastIndexOf('PK\u0005\u0006')
  tail.writeUInt32LE(tail.readUInt32LE(end + 16) + packed.length - 5000, end + 16)
  return Buffer.concat([head, packed, tail])
}
