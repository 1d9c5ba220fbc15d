import { findInDocument, openReading } from '../../src/contract/reading.ts'
import { payFromWallet } from '../../src/contract/wallet.ts'
import { dinars } from '../../src/rules/money.ts'
import type { TestApp } from './app.ts'
import type { Person } from './factories.ts'
import { aPdf } from './pdf.ts'

// Bought documents, and the calls of their reader.

export async function bought(
  app: TestApp,
  { file = aPdf('Document', 3) as Uint8Array, title = 'Document' } = {},
) {
  const buyer = await app.aCustomer({ balance: dinars(50) })
  const teacher = await app.anOfficeTeacher()
  const document = await app.aDocument({
    price: dinars(5),
    title,
    file,
    teacherId: teacher.teacherId,
  })
  await buy(app, buyer, document.id)
  return { buyer, teacher, id: document.id }
}

export async function buy(app: TestApp, buyer: Person, documentId: number): Promise<void> {
  const body = { userId: buyer.id, documentIds: [documentId] }
  await app.call(payFromWallet, { as: buyer, key: String(documentId), body })
}

export const read = (app: TestApp, as: Person | null, id: number) =>
  app.call(openReading, { as, params: { id } })

export const find = (app: TestApp, as: Person | null, id: number, q: string) =>
  app.call(findInDocument, { as, params: { id }, query: { q } })
