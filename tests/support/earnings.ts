import { payFromWallet } from '../../src/contract/wallet.ts'
import type { TestApp } from './app.ts'
import type { Person } from './factories.ts'

export async function buy(
  app: TestApp,
  buyer: Person,
  ...documents: { id: number }[]
): Promise<number> {
  await app.call(payFromWallet, {
    as: buyer,
    key: crypto.randomUUID(),
    body: { userId: buyer.id, documentIds: documents.map(({ id }) => id) },
  })
  const { id } = await app.deps.database.kysely
    .selectFrom('orders')
    .select('id')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  return id
}
