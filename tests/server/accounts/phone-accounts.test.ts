import { expect } from 'vitest'
import { getPerson, listPeople } from '../../../src/contract/office-people.ts'
import { listOrders } from '../../../src/contract/orders.ts'
import { payFromWallet } from '../../../src/contract/wallet.ts'
import { dinars } from '../../../src/rules/money.ts'
import { test } from '../../support/test.ts'

test('an account without an e-mail buys, is shown in the office, and gets no mail', async ({
  app,
}) => {
  const buyer = await app.aCustomer({ balance: dinars(20) })
  await app.change('users', buyer.id, { email: null, firstName: '', lastName: '' })
  const document = await app.aDocument({ price: dinars(3) })
  const body = { userId: buyer.id, documentIds: [document.id] }
  await app.call(payFromWallet, { as: buyer, key: 'once', body })
  const [order] = await app.call(listOrders, { as: buyer, params: { userId: buyer.id } })
  expect(order?.buyer.email).toBeNull()

  const as = await app.anAdministrator()
  const shown = { email: null, phone: buyer.phone }
  const people = await app.call(listPeople, { as, query: { q: buyer.phone } })
  expect(people.content).toMatchObject([shown])
  const { person } = await app.call(getPerson, { as, params: { id: buyer.id } })
  expect(person).toMatchObject(shown)
  expect(await app.mails()).toEqual([])
  expect(await app.deps.jobs.list('failed_mail')).toEqual([])
})
