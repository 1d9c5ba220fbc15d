import { createHash } from 'node:crypto'
import { expect, vi } from 'vitest'
import { downloadDocument } from '../../src/contract/library.ts'
import { findInDocument, openReading } from '../../src/contract/reading.ts'
import { payFromWallet } from '../../src/contract/wallet.ts'
import { dinars } from '../../src/rules/money.ts'
import { addressOf } from '../server/http/samples.ts'
import type { TestApp } from './app.ts'
import type { Person } from './factories.ts'
import { PATIENCE } from './patience.ts'
import { aPdf } from './pdf.ts'

// Bought documents: their reader, downloads and stamped copies.

export async function bought(
  app: TestApp,
  { file = aPdf('Document', 3) as Uint8Array, title = 'Document' } = {},
) {
  const buyer = await app.aCustomer({ balance: dinars(50) })
  const teacher = await app.anOfficeTeacher()
  const { teacherId } = teacher
  const document = await app.aDocument({ price: dinars(5), title, file, teacherId })
  await buy(app, buyer, document.id)
  return { buyer, teacher, id: document.id }
}

export async function buy(app: TestApp, buyer: Person, documentId: number): Promise<void> {
  const body = { userId: buyer.id, documentIds: [documentId] }
  await app.call(payFromWallet, { as: buyer, key: String(documentId), body })
}

export const openBought = (app: TestApp, as: Person | null, id: number) =>
  app.call(openReading, { as, params: { id } })

export const find = (app: TestApp, as: Person | null, id: number, q: string) =>
  app.call(findInDocument, { as, params: { id }, query: { q } })

export const pdf = aPdf('كرّاس', 3)

/** A buyer of one document with the file `file`, by default a PDF of three pages. */
export async function aBuyer(app: TestApp, { title = 'Document', file = pdf as Uint8Array } = {}) {
  const buyer = await app.aCustomer({ balance: dinars(50) })
  const document = await app.aDocument({ price: dinars(7.5), title, file })
  await buy(app, buyer, document.id)
  return { buyer, document }
}

export const path = (document: { id: number }, buyer: { id: number }) =>
  `/api/documents/download/${document.id}/${buyer.id}`

export const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())

/** The path of a document's file on the server's disk. */
export async function diskPath(app: TestApp, documentId: number): Promise<string> {
  const { fileId } = await app.row('documents', documentId)
  const { storageKey } = await app.row('files', fileId ?? 0)
  return (await app.deps.files.localPath(storageKey)) ?? ''
}

/** A buyer of documents with these files; `id` is the first one's. */
export async function aBuyerOf(
  app: TestApp,
  ...wishes: { file: Uint8Array; title?: string; price?: number }[]
) {
  const buyer = await app.aCustomer({ balance: dinars(500) })
  const documents = []
  for (const { file, title = 'Document', price = 5 } of wishes) {
    documents.push(await app.aDocument({ file, title, price: dinars(price) }))
  }
  const ids = documents.map(({ id }) => id)
  const body = { userId: buyer.id, documentIds: ids }
  await app.call(payFromWallet, { as: buyer, key: 'buy', body })
  const [id = 0] = ids
  return { buyer, id, ids }
}

export async function download(
  app: TestApp,
  buyer: Person,
  id: number,
  headers: Record<string, string> = {},
) {
  const path = addressOf(downloadDocument, { params: { id, userId: buyer.id } })
  const authorization = `Bearer ${buyer.token}`
  const answer = await fetch(app.url + path, { headers: { authorization, ...headers } })
  return { answer, bytes: Buffer.from(await answer.arrayBuffer()) }
}

/** A copy with its footer; a busy machine has none ready for a first download. */
export async function stampedCopy(app: TestApp, buyer: Person, id: number, stored: Uint8Array) {
  return await vi.waitFor(async () => {
    const copy = await download(app, buyer, id)
    expect(copy.bytes.length).toBeGreaterThan(stored.length)
    return copy
  }, PATIENCE)
}

export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
