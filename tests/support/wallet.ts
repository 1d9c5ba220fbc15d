import { listPurchased } from '../../src/contract/library.ts'
import { payFromWallet } from '../../src/contract/wallet.ts'
import type { TestApp } from './app.ts'
import type { Person } from './factories.ts'

export function pay(
  app: TestApp,
  buyer: Person,
  documents: readonly { id: number }[],
  {
    key = 'k1',
    call = payFromWallet,
    total,
  }: { key?: string; call?: typeof payFromWallet; total?: number } = {},
) {
  const documentIds = documents.map(({ id }) => id)
  const body = { userId: buyer.id, documentIds, ...(total !== undefined && { total }) }
  return app.call(call, { as: buyer, key, body })
}

export async function ownedIds(app: TestApp, buyer: Person): Promise<number[]> {
  const purchased = await app.call(listPurchased, { as: buyer })
  return purchased.map(({ documentId }) => documentId).sort((a, b) => a - b)
}
