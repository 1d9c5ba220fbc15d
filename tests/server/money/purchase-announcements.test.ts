import { expect, vi } from 'vitest'
import { payFromWallet } from '../../../src/contract/wallet.ts'
import { dinars } from '../../../src/rules/money.ts'
import { PATIENCE } from '../../support/patience.ts'
import { test } from '../../support/test.ts'

test('a purchase notes what it changes, and sends no NOTIFY', async ({ app }) => {
  const received: string[] = []
  await app.deps.listener.onNotify('pages', (payload) => received.push(payload))
  const buyer = await app.aCustomer({ balance: dinars(50) })
  const { id: teacherId } = await app.aTeacher()
  const first = await app.aDocument({ teacherId })
  const second = await app.aDocument({ teacherId })
  const documentIds = [first.id, second.id]
  await app.call(payFromWallet, { as: buyer, key: 'k', body: { userId: buyer.id, documentIds } })
  const notes = await app.deps.database.kysely.selectFrom('pageChanges').selectAll().execute()
  expect(notes).toHaveLength(1)
  expect(notes[0]?.soon).toBe(true)
  expect(notes[0]?.tags.toSorted()).toEqual(
    [
      'catalogue',
      `document:${first.id}`,
      `document:${second.id}`,
      `teacher:${teacherId}`,
    ].toSorted(),
  )
  // A NOTIFY of the purchase would arrive before this one.
  await app.deps.database.pool.query("SELECT pg_notify('pages', 'end')")
  await vi.waitFor(() => expect(received).toEqual(['end']), PATIENCE)
})
