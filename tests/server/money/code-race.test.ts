import { expect, onTestFinished, test } from 'vitest'
import { createOrder } from '../../../src/contract/orders.ts'
import { dinars } from '../../../src/rules/money.ts'
import { openDatabase } from '../../../src/server/database/pool.ts'
import { key } from '../../support/admin/payments.ts'
import { amount } from '../../support/amount.ts'
import { testApp } from '../../support/app.ts'
import { soundApp } from '../../support/payments.ts'
import { pay } from '../../support/wallet.ts'

const RACES = amount('CODE_RACES', { usual: 4, long: 100 })
const BUYERS = 50
const USES = 10

test(`a code with ${USES} uses is used as often by ${BUYERS} customers at once at two processes, ${RACES} times`, async () => {
  const app = await soundApp()
  const database = openDatabase(app.databaseUrl)
  onTestFinished(() => database.close())
  const { files, jobs, mail, now } = app.deps
  const second = await testApp({ deps: { database, files, jobs, mail, now } })
  const buyers = await Promise.all(
    Array.from({ length: BUYERS }, () => app.aCustomer({ balance: dinars(RACES) })),
  )
  for (let race = 0; race < RACES; race++) {
    const document = await app.aDocument({ price: dinars(2) })
    const { id, code } = await app.aCode({ amount: dinars(1), usesMax: USES })
    const done = await Promise.allSettled(
      buyers.map((buyer, at) => {
        const process = at % 2 === 0 ? app : second
        if (at % 3 > 0) return pay(process, buyer, [document], { key: key(), code, total: 1 })
        const orderDocs = [{ documentId: document.id }]
        const body = { userId: buyer.id, orderDocs, code, total: 1 }
        return process.call(createOrder, { as: buyer, key: key(), body })
      }),
    )
    const refused = done.flatMap((each) => (each.status === 'rejected' ? [each.reason.code] : []))
    expect(refused).toEqual(Array(BUYERS - USES).fill('price_changed'))
    const used = await app.kysely
      .selectFrom('orders')
      .select('id')
      .where('codeId', '=', id)
      .execute()
    expect(used).toHaveLength(USES)
  }
}, 600_000)
