// @one-database: what is compared is stored by a plain index that every version of PostgreSQL has
import { expect, test } from 'vitest'
import { setDocumentFile } from '../../../src/contract/office-documents.ts'
import { listAlike } from '../../../src/contract/office-review.ts'
import { signFiles } from '../../../src/server/library/library.ts'
import { examPdf, scannedPdf } from '../../support/exam-pdf.ts'
import { anExam, COPIES, type Exam } from '../../support/exams.ts'
import { aPdf } from '../../support/pdf.ts'
import { expectCode } from '../../support/refusals.ts'
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
  expect(await alikeTo(broken.id)).toEqual({ isCompared: true, documents: [] })
})

test('only administrators ask, about documents that exist', async () => {
  const ask = (as: typeof salma, id: number) => app.call(listAlike, { as, params: { id } })
  await expectCode(ask(salma, 99_999_999), 'document_not_found')
  await expectCode(ask(copier, 1), 'wrong_role')
})
