// @one-database: what is compared is stored by a plain index that every version of PostgreSQL has
import { expect, test, vi } from 'vitest'
import { setDocumentFile } from '../../../src/contract/office-documents.ts'
import { listAlike } from '../../../src/contract/office-review.ts'
import {
  ALIKE_SHOWN,
  COMPARED_MAX_PAGES,
  LIKENESS_MAX_PAGES,
  type PageLikeness,
} from '../../../src/rules/likeness.ts'
import { signFiles } from '../../../src/server/library/library.ts'
import { examPdf, scannedPdf } from '../../support/exam-pdf.ts'
import { anExam, COPIES, type Exam } from '../../support/exams.ts'
import { aPdf } from '../../support/pdf.ts'
import { expectCode } from '../../support/refusals.ts'
import { alteredPage, type StoredBook, signedBook, somePages } from '../../support/signed-books.ts'
import { sharedApp } from '../../support/test.ts'
import { upload } from '../../support/uploads.ts'

const app = await sharedApp()
const author = await app.anOfficeTeacher({ firstName: 'Leïla', lastName: 'Gharbi' })
const copier = await app.anOfficeTeacher({ firstName: 'Sami', lastName: 'Trabelsi' })
const salma = await app.anOfficeAdministrator()

let seed = 1
/** A French exam, which has an odd seed. */
const another = () => {
  seed += 2
  return anExam(seed)
}

const published = (title: string, exam: Exam) =>
  app.aDocument({
    title,
    file: examPdf(exam),
    pages: exam.pages.length,
    teacherId: author.teacherId,
  })

/** A document of another teacher whose new file waits for review. */
async function submitted(file: Buffer) {
  const { id } = await app.aDocument({ teacherId: copier.teacherId })
  const { id: uploadId } = await upload(app, copier, file)
  await app.call(setDocumentFile, { as: copier, params: { id }, body: { uploadId } })
  return id
}

const aSignedBook = (book: StoredBook) => signedBook(app, book)

const alikeTo = (id: number) => app.call(listAlike, { as: salma, params: { id } })

test('the review shows whose pages a new file has, whatever was done to them', async () => {
  const exam = another()
  const original = await published('Devoir de synthèse', exam)
  const others = [await published('Autre devoir', another()), await published('Série', another())]
  const copies = {
    changed: await submitted(
      examPdf(Object.values(COPIES).reduce((made, copy) => copy(made), exam)),
    ),
    scanned: await submitted(await scannedPdf(examPdf(exam))),
  }
  const own = await submitted(examPdf(another()))
  expect(await alikeTo(own)).toEqual({ isCompared: false, documents: [] })
  while (!(await alikeTo(copies.changed)).isCompared) await signFiles(app.deps)
  while (!(await alikeTo(original.id)).isCompared) await signFiles(app.deps)

  const { documents } = await alikeTo(copies.changed)
  const found = documents.find(({ id }) => id === original.id)
  expect(found).toMatchObject({ title: 'Devoir de synthèse', teacher: 'Leïla Gharbi', version: 1 })
  // The other cover page is like none; the others come in the opposite order.
  expect(found?.pages.map(({ page, other }) => [page, other])).toEqual([
    [1, 3],
    [2, 2],
    [3, 1],
  ])
  const scan = (await alikeTo(copies.scanned)).documents.find(({ id }) => id === original.id)
  expect(scan?.pages).toHaveLength(3)
  expect(scan?.percent).toBeGreaterThan(50)
  const printed = [original, ...others].map(({ id }) => id)
  for (const found of [
    documents.filter(({ id }) => id !== original.id),
    (await alikeTo(own)).documents,
  ])
    for (const { id } of found) expect(printed).not.toContain(id)
})

test('a file that cannot be read is compared with nothing, and holds up no other', async () => {
  const broken = await app.aDocument({ file: aPdf('x', 1).subarray(0, 200) })
  while (!(await alikeTo(broken.id)).isCompared) await signFiles(app.deps)
  expect(await alikeTo(broken.id)).toMatchObject({ documents: [], notCompared: { pages: 1 } })
})

test('copies of one’s own, and drafts of others, hide no original', async () => {
  const pages = somePages(3)
  const original = await aSignedBook({ teacherId: author.teacherId, pages: pages.map(alteredPage) })
  const copy = await aSignedBook({ teacherId: copier.teacherId, pages })
  const again = Array.from({ length: 400 }, (_, at) => alteredPage(pages[at % 3] as PageLikeness))
  await aSignedBook({ teacherId: copier.teacherId, pages: again, state: 'draft' })
  const helper = await app.anOfficeTeacher()
  await aSignedBook({ teacherId: helper.teacherId, pages: again, state: 'draft' })
  const { documents } = await alikeTo(copy)
  expect(documents.map(({ id }) => id)).toContain(original)
  expect(documents).toHaveLength(2)
  expect(documents.find(({ id }) => id === original)?.pages).toHaveLength(3)
})

test('the review says what was not compared, and compares the documents first that count', async () => {
  const pages = somePages(1)
  const draft = await aSignedBook({ teacherId: author.teacherId, pages, state: 'draft' })
  const long = { teacherId: author.teacherId, pages, pageCount: LIKENESS_MAX_PAGES + 100 }
  const many = COMPARED_MAX_PAGES / LIKENESS_MAX_PAGES
  for (let at = 0; at < many; at++) await aSignedBook(long)
  const id = await aSignedBook({ teacherId: copier.teacherId, pages, pageCount: 5 })
  const { documents, notCompared } = await alikeTo(id)
  expect(notCompared).toMatchObject({
    pages: 4,
    documents: 1,
    longDocuments: many,
    hasMore: false,
  })
  expect(documents).toHaveLength(ALIKE_SHOWN)
  expect(documents.map(({ id }) => id)).not.toContain(draft)
})

test('a book whose pages are in 100 others costs the shop’s own process little, once', async () => {
  const pages = somePages(120)
  const books = []
  for (let at = 0; at < 100; at++) {
    const altered = pages.map(alteredPage)
    books.push(await aSignedBook({ teacherId: author.teacherId, pages: altered, state: 'draft' }))
  }
  const id = await aSignedBook({ teacherId: copier.teacherId, pages })
  const work = vi.spyOn(app.deps.workers, 'run')
  const before = process.threadCpuUsage()
  const first = await alikeTo(id)
  const { user, system } = process.threadCpuUsage(before)
  // Processor time of this thread, whatever else the machine does: it was seconds.
  expect((user + system) / 1000).toBeLessThan(500)
  expect(first.documents).toHaveLength(ALIKE_SHOWN)
  for (const found of first.documents) expect(books).toContain(found.id)
  expect(await alikeTo(id)).toEqual(first)
  expect(work).toHaveBeenCalledTimes(1)

  // A file that comes, or is signed, may be like it.
  const copy = await aSignedBook({ teacherId: author.teacherId, pages })
  expect((await alikeTo(id)).documents[0]).toMatchObject({ id: copy, percent: 100 })
  expect(work).toHaveBeenCalledTimes(2)
  work.mockRestore()
})

test('only administrators ask, about documents that exist', async () => {
  const ask = (as: typeof salma, id: number) => app.call(listAlike, { as, params: { id } })
  await expectCode(ask(salma, 99_999_999), 'document_not_found')
  await expectCode(ask(copier, 1), 'wrong_role')
})
