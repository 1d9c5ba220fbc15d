import { getDocument, getTeacher } from '../../src/contract/catalogue.ts'
import * as ratings from '../../src/contract/ratings.ts'
import { payFromWallet } from '../../src/contract/wallet.ts'
import { dinars } from '../../src/rules/money.ts'
import { setHidden } from '../../src/server/ratings/moderation.ts'
import type { TestApp } from './app.ts'
import type { Person } from './factories.ts'

// Calls that buy and rate, and the resulting averages.

export type Caller = Pick<Person, 'id' | 'token'>

export const aBuyer = (app: TestApp) => app.aCustomer({ balance: dinars(100) })

let keys = 0
export async function buy(app: TestApp, as: Caller, ...documentIds: number[]): Promise<void> {
  const body = { userId: as.id, documentIds }
  await app.call(payFromWallet, { as, key: `k${keys++}`, body })
}
export const rate = (
  app: TestApp,
  as: Caller,
  documentId: number,
  rating: number,
  comment = '',
) => {
  const body = { user: { id: as.id }, document: { id: documentId }, rating, comment }
  return app.call(ratings.addRating, { as, body })
}
export const rateTeacher = (
  app: TestApp,
  as: Caller,
  teacherId: number,
  rating: number,
  comment = '',
) => {
  const body = { user: { id: as.id }, teacher: { id: teacherId }, rating, comment }
  return app.call(ratings.addRating, { as, body })
}
export const hide = (app: TestApp, id: number, reason: string | null) =>
  setHidden(app.deps, id, { actor: 'test', reason })

export const documentOf = async (app: TestApp, id: number) => {
  const { rating, ratingCount } = await app.call(getDocument, { params: { id } })
  return { rating, ratingCount }
}
export const teacherOf = async (app: TestApp, id: number) => {
  const { rating, ratingCount } = await app.call(getTeacher, { params: { id } })
  return { rating, ratingCount }
}
export const listed = (app: TestApp, id: number, as: Caller | null = null) =>
  app.call(ratings.listDocumentRatings, { as, params: { id } })
export const NONE = { rating: 0, ratingCount: 0 }

/** Returns a function that lists the tags noted as changed since, sorted. */
export async function pageNotes({ deps }: Pick<TestApp, 'deps'>): Promise<() => Promise<string[]>> {
  const read = (after: number) =>
    deps.database.kysely
      .selectFrom('pageChanges')
      .select(['id', 'tags'])
      .where('id', '>', after)
      .orderBy('id')
      .execute()
  const last = (await read(0)).at(-1)?.id ?? 0
  return async () => [...new Set((await read(last)).flatMap(({ tags }) => tags))].sort()
}
