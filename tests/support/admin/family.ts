import * as carts from '../../../src/contract/carts.ts'
import { addToWishlist } from '../../../src/contract/carts.ts'
import * as shelves from '../../../src/contract/library.ts'
import { createOrder, initiatePayment } from '../../../src/contract/orders.ts'
import * as ratings from '../../../src/contract/ratings.ts'
import { payFromWallet } from '../../../src/contract/wallet.ts'
import { dinars } from '../../../src/rules/money.ts'
import type { TestApp } from '../app.ts'
import type { Person } from '../people.ts'

/**
 * Creates two accounts of one family: the first has data of every kind, and some of it in common
 * with the other.
 */
export async function aFamily(app: TestApp) {
  const [from, into] = [
    await app.aCustomer({ balance: dinars(40) }),
    await app.aCustomer({ balance: dinars(30) }),
  ]
  const [common, own, wished] = [
    await app.aDocument({ price: dinars(5) }),
    await app.aDocument({ price: dinars(12) }),
    await app.aDocument({ price: dinars(15) }),
  ]
  const buy = (as: Person, ...documentIds: number[]) =>
    app.call(payFromWallet, { as, key: `b${documentIds}`, body: { userId: as.id, documentIds } })
  await buy(from, common.id, own.id)
  await buy(into, common.id)
  const rate = (as: Person, id: number, stars: number) =>
    app.call(ratings.addRating, {
      as,
      body: { user: { id: as.id }, rating: stars, comment: '', document: { id } },
    })
  await rate(from, common.id, 1)
  await rate(into, common.id, 5)
  await rate(from, own.id, 4)
  const wish = { userId: from.id, documentId: wished.id }
  await app.call(addToWishlist, { as: from, query: wish })
  await app.call(carts.addToCart, { as: from, query: wish })
  const order = await app.call(createOrder, {
    as: from,
    key: 'order',
    body: { userId: from.id, orderDocs: [{ documentId: wished.id }] },
  })
  const payment = await app.call(initiatePayment, {
    as: from,
    key: 'pay',
    params: { provider: 'sandbox' },
    query: { orderId: order.id, method: 'bank_transfer' },
  })
  for (const [as, name, put] of [
    [from, 'سلمى', [common.id, own.id]],
    [from, 'Sami', [own.id]],
    [into, 'سَلمى', []],
  ] as const) {
    const { id } = await app.call(shelves.addShelf, { as, body: { name } })
    await app.call(shelves.arrangeShelf, {
      as,
      params: { id },
      body: { put: [...put], take: [] },
    })
  }
  return { from, into, common, own, wished, payment }
}
