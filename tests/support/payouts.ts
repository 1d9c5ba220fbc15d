import type { Input } from '../../src/contract/call.ts'
import { requestPayout, setBankAccount } from '../../src/contract/payouts.ts'
import type { LOCALES } from '../../src/i18n/locales.ts'
import { DAY_MS } from '../../src/rules/durations.ts'
import { dinars } from '../../src/rules/money.ts'
import { transaction } from '../../src/server/database/transaction.ts'
import { purchase } from '../../src/server/money/purchase.ts'
import type { TestApp } from './app.ts'
import { withOfficeToken } from './people.ts'

// Teachers who have sold something, and their bank accounts.

export const RIB = `${'0'.repeat(18)}97`
let keys = 0

export type Teacher = Awaited<ReturnType<TestApp['anOfficeTeacher']>>

/** A teacher who sold a document, eight days ago by the shop's clock. */
export async function aSeller(
  app: TestApp,
  price = dinars(100),
  locale: (typeof LOCALES)[number] = 'fr',
) {
  let teacher = await app.anOfficeTeacher({ firstName: 'Sami', lastName: 'Trabelsi', locale })
  const buyer = await app.aCustomer({ balance: price })
  const document = await app.aDocument({ teacherId: teacher.teacherId, price })
  const { orderId } = await transaction(app.deps.database, (tx) =>
    purchase(tx, { buyerId: buyer.id, documentIds: [document.id] }),
  )
  app.travel(8 * DAY_MS)
  teacher = await withOfficeToken(app.deps, teacher)
  return { teacher, orderId: orderId ?? 0, ask: asker(app, teacher) }
}

const asker =
  (app: TestApp, teacher: Teacher) =>
  (amount: number, key = `k${keys++}`) =>
    app.call(requestPayout, { as: teacher, key, body: { amount } })

export const give = (app: TestApp, teacher: Teacher, body: Input<typeof setBankAccount>['body']) =>
  app.call(setBankAccount, { as: teacher, body })
