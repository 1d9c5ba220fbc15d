import { expect, test } from 'vitest'
import { proposeFacts, setDocumentFile } from '../../../src/contract/office-documents.ts'
import { fillSchoolLists } from '../../../src/server/catalogue/catalogue.ts'
import { anArabicPdf } from '../../support/arabic-pdf.ts'
import { examPdf, scannedPdf } from '../../support/exam-pdf.ts'
import { create } from '../../support/own-documents.ts'
import { expectCode } from '../../support/refusals.ts'
import { sharedApp } from '../../support/test.ts'
import { upload } from '../../support/uploads.ts'

const app = await sharedApp()
await fillSchoolLists(app.deps.database)

const idOf = async (table: 'matieres' | 'niveaux' | 'categories', code: string) => {
  const rows = app.deps.database.kysely.selectFrom(table).select('id').where('code', '=', code)
  return (await rows.executeTakeFirstOrThrow()).id
}
const proposed = async (title: string) =>
  app.call(proposeFacts, { as: await app.anOfficeTeacher(), query: { written: title } })

test('a title’s facts are proposed as the form has them', async () => {
  const title = 'Devoir de contrôle N°1 - Mathématiques - 9ème année de base (2024-2025)'
  expect(await proposed(title)).toMatchObject({
    matiereId: await idOf('matieres', 'mathematics'),
    niveauId: await idOf('niveaux', 'basic-9'),
    categoryId: await idOf('categories', 'exams'),
    paperKind: 'control',
    paperNumber: '1',
    schoolYear: 2024,
    aiUse: null,
  })
  expect(await proposed('فرض تأليفي عدد 2 في الرياضيات للسنة الثامنة أساسي')).toMatchObject({
    niveauId: await idOf('niveaux', 'basic-8'),
    paperKind: 'synthesis',
    paperNumber: '2',
    trimester: 't2',
  })
})

/** A draft of a teacher with this file. */
async function aDraft(file: Buffer) {
  const teacher = await app.anOfficeTeacher()
  const { id } = await create(app, teacher)
  const { id: uploadId } = await upload(app, teacher, file)
  await app.call(setDocumentFile, { as: teacher, params: { id }, body: { uploadId } })
  const propose = (title: string, as = teacher, document = id) =>
    app.call(proposeFacts, { as, query: { ...(title && { written: title }), document } })
  return { teacher, propose }
}

const PAGE = [
  'Lycée Carnot',
  'Devoir de contrôle n°2',
  'Mathématiques, 9ème année de base',
  'Durée : 1h, 2023-2024',
].join('\n')

test('a first page states what the title does not', async () => {
  const { propose } = await aDraft(examPdf({ pages: [PAGE, 'Exercice 1'] }))
  const whole = {
    matiereId: await idOf('matieres', 'mathematics'),
    niveauId: await idOf('niveaux', 'basic-9'),
    ...{ paperKind: 'control', paperNumber: '2', schoolYear: 2023, minutes: 60 },
    school: 'Lycée Carnot',
  }
  expect(await propose('')).toMatchObject(whole)
  // The title comes first; a number belongs to the kind beside it.
  expect(await propose('Devoir de synthèse de maths')).toMatchObject({
    ...{ paperKind: 'synthesis', paperNumber: null, minutes: 60 },
  })
  expect(await propose('DC 1 maths 8ème')).toMatchObject({
    ...{ niveauId: await idOf('niveaux', 'basic-8'), paperNumber: '1', minutes: null },
  })
})

test('a first page in Arabic, and one without a text', async () => {
  const { propose } = await aDraft(anArabicPdf([...'فرض مراقبة عدد 2 في الرياضيات']))
  expect(await propose('')).toMatchObject({
    matiereId: await idOf('matieres', 'mathematics'),
    ...{ paperKind: 'control', paperNumber: '2' },
  })
  const { propose: proposeScan } = await aDraft(await scannedPdf(examPdf({ pages: [PAGE] })))
  expect(new Set(Object.values(await proposeScan('Le Petit Prince')))).toEqual(new Set([null]))
})

test('nobody reads the first page of another’s document', async () => {
  const { propose } = await aDraft(examPdf({ pages: [PAGE] }))
  const other = await app.anOfficeTeacher()
  await expectCode(propose('Devoir', other), 'document_not_found')
  await expectCode(propose('Devoir', undefined, 999_999_999), 'document_not_found')
})

test('nothing is proposed where a title says nothing', async () => {
  expect(new Set(Object.values(await proposed('Le Petit Prince')))).toEqual(new Set([null]))
})
