import { getDocument } from '../../src/contract/catalogue.ts'
import * as office from '../../src/contract/office-documents.ts'
import { addressOf } from '../server/http/samples.ts'
import type { TestApp } from './app.ts'
import { aPdf } from './pdf.ts'
import type { Person } from './people.ts'
import { upload } from './uploads.ts'

// A teacher’s own documents, through the calls of the office.

export const ACTOR = 'command line'
let count = 0

export const textOfDocument = (
  names: { matiereId: number; niveauId: number; categoryId: number },
  title: string,
  more: Partial<office.DocumentText> = {},
) => ({
  title,
  description: '',
  // On the wire: dinars.
  price: 12.5,
  priceDiscount: null,
  ...names,
  type: 'Pour Élève' as const,
  ...more,
})

export const create = (app: TestApp, as: Person & { teacherId: number }) =>
  app.call(office.createOwnDocument, { as, key: `k${++count}` })

export async function save(
  app: TestApp,
  as: Person & { teacherId: number },
  document: { id: number; revision: number },
  text: ReturnType<typeof textOfDocument>,
) {
  const body = { revision: document.revision, ...text }
  return await app.call(office.saveOwnDocument, { as, params: { id: document.id }, body })
}

export const setFile = (
  app: TestApp,
  teacher: Person & { teacherId: number },
  id: number,
  pages: number,
  note = '',
) => attachUpload(app, teacher, id, aPdf(`${id} ${pages}`, pages), note)

export async function attachUpload(
  app: TestApp,
  teacher: Person & { teacherId: number },
  id: number,
  file: Buffer,
  note = '',
) {
  const { id: uploadId } = await upload(app, teacher, file)
  const body = { uploadId, note }
  return await app.call(office.setDocumentFile, { as: teacher, params: { id }, body })
}

export const act = (
  app: TestApp,
  as: Person & { teacherId: number },
  call: typeof office.submitOwnDocument,
  id: number,
) => app.call(call, { as, params: { id } })
export const readOwnDocument = (
  app: TestApp,
  teacher: Person & { teacherId: number },
  id: number,
) => app.call(office.getOwnDocument, { as: teacher, params: { id } })

export const isForSale = async (app: TestApp, id: number) =>
  (await app.request('GET', addressOf(getDocument, { params: { id } }))).status === 200
