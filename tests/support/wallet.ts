import { expect } from 'vitest'
import { payFromWallet } from '../../src/contract/wallet.ts'
import { dinars } from '../../src/rules/money.ts'
import type { RefusedCall, TestApp } from './app.ts'
import type { Person } from './factories.ts'

export function pay(
  app: TestApp,
  buyer: Person,
  documents: readonly { id: number }[],
  {
    key = 'k1',
    call = payFromWallet,
    total,
    ...rest
  }: {
    key?: string
    call?: typeof payFromWallet
    total?: number
    bundleIds?: number[]
    code?: string
  } = {},
) {
  const documentIds = documents.map(({ id }) => id)
  const body = {
    userId: buyer.id,
    documentIds,
    ...(total !== undefined && { total }),
    ...rest,
  }
  return app.call(call, { as: buyer, key, body })
}

/** The documents that a customer owns. */
export async function ownedIds({ deps }: TestApp, { id }: { id: number }): Promise<number[]> {
  const owned = await deps.database.kysely
    .selectFrom('purchases')
    .select('documentId')
    .where('userId', '=', id)
    .orderBy('documentId')
    .execute()
  return owned.map(({ documentId }) => documentId)
}

/** Sets a document's price, and its discount, in dinars. */
export async function reprice(
  app: TestApp,
  { id }: { id: number },
  price: number,
  discount?: number,
) {
  await app.kysely
    .updateTable('documents')
    .set({ price: dinars(price), priceDiscount: discount === undefined ? null : dinars(discount) })
    .where('id', '=', id)
    .execute()
}

/** The body of the refusal of a call. */
export const refusalOf = (call: Promise<unknown>) =>
  call.then(
    (answer) => expect.fail(`answered ${JSON.stringify(answer)}`),
    // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape of the body.
    (error: RefusedCall) => error.body as any,
  )
