import { payFromWallet } from '../../src/contract/wallet.ts'
import { dinars } from '../../src/rules/money.ts'
import type { TestApp } from './app.ts'
import { aPdf } from './pdf.ts'

// Bought documents and their downloads.

export const pdf = aPdf('كرّاس', 3)

/** A buyer of one document with the file `file`, by default a PDF of three pages. */
export async function aBuyer(app: TestApp, { title = 'Document', file = pdf as Uint8Array } = {}) {
  const buyer = await app.aCustomer({ balance: dinars(50) })
  const document = await app.aDocument({ price: dinars(7.5), title, file })
  const body = { userId: buyer.id, documentIds: [document.id] }
  await app.call(payFromWallet, { as: buyer, key: 'k', body })
  return { buyer, document }
}

export const path = (document: { id: number }, buyer: { id: number }) =>
  `/api/documents/download/${document.id}/${buyer.id}`

export const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())

/** The path of a document's file on the server's disk. */
export async function diskPath(app: TestApp, documentId: number): Promise<string> {
  const { storageKey } = await app.deps.database.kysely
    .selectFrom('documents')
    .innerJoin('files', 'files.id', 'documents.fileId')
    .select('storageKey')
    .where('documents.id', '=', documentId)
    .executeTakeFirstOrThrow()
  return (await app.deps.files.localPath(storageKey)) ?? ''
}
