import { quoteCode } from '../../../contract/discount-codes.ts'
import * as office from '../../../contract/office-discount-codes.ts'
import { PAGE_SIZE } from '../../../rules/pager.ts'
import { transaction } from '../../database/transaction.ts'
import { fault } from '../../http/errors.ts'
import { requireCustomer } from '../../http/identity.ts'
import { pageOf, type Route, route } from '../../http/route.ts'
import { paidFor, readRequested, totalOf } from '../sale.ts'
import { readLeftAlone } from '../two-people/acts.ts'
import { atCodePrices, requireKnown, usedNow } from './apply.ts'
import { listCodes, makeCode, makeShopCode, readCode, stopCode } from './manage.ts'

/** What documents cost with a code, a teacher's own codes, and those of the shop. */
export const codeRoutes: Route[] = [
  route(quoteCode, async ({ input: { body }, user, deps, limits }) => {
    requireCustomer(user, user.id)
    limits.bound('codeQuote', user.id)
    await requireKnown(deps, limits, { ...body, userId: user.id })
    const { items, refusal } = await transaction(deps.database, async (tx) => {
      const requested = await readRequested(tx, user.id, { ...body, code: undefined })
      const wanted = requested.filter(({ isOwned, isPublished }) => isPublished && !isOwned)
      return atCodePrices(tx, wanted, { buyerId: user.id, code: usedNow(deps, body) })
    })
    if (refusal) throw fault(refusal)
    return {
      code: body.code,
      total: totalOf(items),
      documents: items.map((item) => ({
        id: item.documentId,
        priceBefore: item.priceBefore ?? item.price,
        price: paidFor(item),
      })),
    }
  }),

  route(office.listOwnCodes, async ({ input, user: { teacherId }, deps }) => {
    const { page = 0, size = PAGE_SIZE } = input.query
    const { codes, total } = await listCodes(deps, { teacherId, page, size })
    return pageOf(codes, { total, page, size })
  }),
  route(office.createOwnCode, async ({ input: { body }, user, deps, limits }) => {
    limits.bound('code', user.id)
    // One that is taken is a code found by trying.
    const giveBack = await limits.count('discountCode', user.id)
    const { actor, teacherId } = user
    const at = new Date(deps.now())
    const made = await transaction(deps.database, async (tx) =>
      readCode(tx, { id: await makeCode(tx, { actor, teacherId, at }, body), at }),
    )
    await giveBack()
    return made
  }),
  route(office.stopOwnCode, ({ input: { params }, user: { actor, teacherId }, deps }) =>
    stopCode(deps, { id: params.id, actor, teacherId }),
  ),

  route(office.listCodes, async ({ input, user: { actor }, deps }) => {
    const { page = 0, size = PAGE_SIZE } = input.query
    const { codes, total } = await listCodes(deps, { page, size })
    const mine = { kind: 'discount', actor, at: new Date(deps.now()) } as const
    const leftAlone = await readLeftAlone(deps.database.kysely, mine)
    return { ...pageOf(codes, { total, page, size }), leftAlone }
  }),
  route(office.createCode, async ({ input: { body }, user: { id, actor }, deps, limits }) => {
    limits.bound('code', id)
    return { waits: await makeShopCode(deps, body, { actor }) }
  }),
  route(office.stopCode, ({ input: { params }, user: { actor }, deps }) =>
    stopCode(deps, { id: params.id, actor }),
  ),
]
