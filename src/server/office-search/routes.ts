import { searchOffice, searchOwn } from '../../contract/office-search.ts'
import { FOUND_AT_MOST, meaningsOf } from '../../rules/admin-search.ts'
import { foldQuery } from '../../rules/search-fold.ts'
import { lastChanged, listDocuments } from '../documents/documents.ts'
import { type Route, route } from '../http/route.ts'
import { newestOrders, paymentsFrom, presentPerson, salesOf } from '../money/money.ts'
import { nameOf, newestPeople } from '../people/people.ts'

const limit = FOUND_AT_MOST

/** Whether a text names a document: a list shows all of them to signs alone, a search none. */
const hasWords = (q: string) => foldQuery(q).length > 0

/**
 * The search over everything: asks the searches of the lists one after the other, so that it holds
 * one connection at a time.
 */
export const officeSearchRoutes: Route[] = [
  route(searchOffice, async ({ input, user, deps: { database }, limits }) => {
    limits.bound('officeSearch', user.id)
    const { q = '' } = input.query
    if (q === '') return { people: [], documents: [], orders: [], payments: [] }
    const { kysely } = database
    const people = await newestPeople(database, { q, limit })
    const documents = hasWords(q) ? await lastChanged(kysely, { q, limit }) : []
    const orders = await newestOrders(kysely, { q, limit })
    const start = meaningsOf(q).reference
    const payments = start === null ? [] : await paymentsFrom(kysely, { start, limit })
    return {
      people: people.map((person) => {
        const { id, phone, email } = person
        return { id, name: nameOf(person), contact: phone ?? email }
      }),
      documents: documents.map(({ id, title, teacher }) => {
        return { id, title, teacher: teacher.name }
      }),
      orders: orders.map(({ id, total, ...buyer }) => {
        return { id, total, buyer: presentPerson(buyer).name }
      }),
      payments: payments.map((payment) => {
        const { reference, provider, status, amount, orderId } = payment
        const { id, name } = presentPerson(payment)
        const payer = { id, name }
        return { paymentRef: reference, provider, state: status, amount, orderId, payer }
      }),
    }
  }),

  route(searchOwn, async ({ input, user, deps, limits }) => {
    limits.bound('officeSearch', user.id)
    const { q = '' } = input.query
    if (!hasWords(q)) return { documents: [], sales: [] }
    const { teacherId } = user
    const { rows } = await listDocuments(deps, teacherId, { q, size: limit })
    const documentIds = rows.map(({ id }) => id)
    const newest = { sort: '-soldAt', page: 0, size: limit } as const
    const { kysely } = deps.database
    const { sales } = await salesOf(kysely, { teacherId, documentIds, ...newest })
    return {
      documents: rows.map(({ id, title }) => ({ id, title })),
      sales: sales.map(({ orderId, documentId, title, price, soldAt }) => ({
        id: `${orderId}-${documentId}`,
        document: { id: documentId, title },
        price,
        soldAt: soldAt.toISOString(),
      })),
    }
  }),
]
