import { describe, expect, test } from 'vitest'
import * as chat from '../../../src/contract/chat.ts'
import * as waiting from '../../../src/contract/office-desk.ts'
import { adjustWallet } from '../../../src/contract/office-wallets.ts'
import { DAY_MS, HOUR_MS } from '../../../src/rules/durations.ts'
import { dinars } from '../../../src/rules/money.ts'
import { checkLedgerAndNote, noteBackup } from '../../../src/server/waiting/waiting.ts'
import { answer } from '../../support/admin/inbox.ts'
import { aTransfer } from '../../support/admin/payments.ts'
import { aSubmitted, asks } from '../../support/admin/review.ts'
import { testApp } from '../../support/app.ts'
import { sendChat } from '../../support/chat.ts'
import { callByCommand, runCommand } from '../../support/operator.ts'
import type { Person } from '../../support/people.ts'
import { lastLogged } from '../../support/staff-log.ts'
import { sharedApp } from '../../support/test.ts'

const app = await sharedApp({ env: { SITE_URL: 'http://127.0.0.1:4321' } })
const teacher = await app.anOfficeTeacher({ firstName: 'Leïla', lastName: 'Gharbi' })
const salma = await app.anOfficeAdministrator({ firstName: 'Salma', lastName: 'Zouari' })
const mehdi = await app.anOfficeAdministrator({ firstName: 'Mehdi', lastName: 'Ayari' })

describe('pending work', () => {
  const waits = async (as = salma) => {
    const { groups } = await app.call(waiting.getWaiting, { as })
    return Object.fromEntries(groups.map((group) => [group.kind, group]))
  }

  test('lists everything that needs a person, oldest first, until it is done', async () => {
    expect(Object.keys(await waits())).toEqual(['backup'])
    expect((await runCommand(app, 'backup', 'note')).exit).toBe(0)
    expect(await waits()).toEqual({})
    // The command line of this test takes the shop for a real one, which needs dates of tests.
    const byCommand: { kind: string }[] = (await callByCommand(app, 'getWaiting')).groups
    expect(byCommand.filter(({ kind }) => kind !== 'calendar')).toEqual([])

    const document = await aSubmitted(app, teacher, 'ينتظر')
    const buyer = await app.aCustomer({ firstName: 'Amal', lastName: 'Ben Salah' })
    await asks(app, 'third@karras.test', 'Sonia')
    const transfer = await aTransfer(app, buyer, 20)
    const payment = app.kysely.updateTable('payments').where('reference', '=', transfer)
    await payment.set({ createdAt: new Date(app.deps.now() - DAY_MS) }).execute()
    const payout = { teacherId: teacher.teacherId, holder: 'L', rib: '0'.repeat(20) }
    await app.kysely
      .insertInto('payouts')
      .values({ ...payout, amount: dinars(60), requestedAt: new Date(app.deps.now() - HOUR_MS) })
      .execute()
    const adjusted = { userId: buyer.id, amount: 300, reason: 'x' }
    await app.call(adjustWallet, { as: mehdi, key: 'x', body: adjusted })
    await app.deps.jobs.enqueue(app.kysely, 'mail', { kind: 'no such mail' })
    await app.runJobs()
    // The buyer claims to have paid it, and it is not booked.
    await payment.set({ status: 'paid' }).execute()
    await checkLedgerAndNote(app.deps)
    await payment.set({ status: 'pending' }).execute()

    const { groups } = await app.call(waiting.getWaiting, { as: salma })
    expect(groups.map(({ since }) => since)).toEqual(groups.map(({ since }) => since).toSorted())
    expect(groups[0]).toMatchObject({
      kind: 'transfers',
      count: 1,
      items: [{ id: transfer, name: 'Amal Ben Salah', amount: 20 }],
    })
    const found = await waits()
    expect(found).toMatchObject({
      documents: { items: [{ id: String(document), name: 'ينتظر' }] },
      joining: { items: [{ name: 'Sonia الطرابلسي' }] },
      payouts: { items: [{ name: 'Leïla Gharbi', amount: 60 }] },
      acts: { items: [{ name: 'Amal Ben Salah', amount: 300 }] },
      mails: { count: 1, items: [{ name: 'no such mail' }] },
      ledger: { count: 1, items: [] },
    })
    expect(Object.keys(await waits(mehdi))).not.toContain('acts')
    expect(JSON.stringify(await callByCommand(app, 'getWaiting'))).toContain('"amount":60')

    // A ledger that is right again, and mails that are retried, are no longer listed.
    expect((await runCommand(app, 'ledger', 'check')).exit).toBe(0)
    expect(await app.call(waiting.sendMailsAgain, { as: mehdi })).toEqual({ sent: 1 })
    expect(Object.keys(await waits())).not.toContain('ledger')
    expect((await lastLogged(app))?.action).toBe('send mails again')
    await app.runJobs()
    await noteBackup(app.deps.database, new Date(app.deps.now() - 2 * DAY_MS))
    expect(Object.keys(await waits())[0]).toBe('backup')
    await noteBackup(app.deps.database, new Date(app.deps.now() - DAY_MS))
    expect(Object.keys(await waits())).not.toContain('backup')
    expect(await lastLogged(app)).toEqual({
      actor: 'command line',
      action: 'back up',
      subject: 'shop',
      reason: null,
    })
  })

  test('includes conversations of the common inbox, and one’s own, until they are answered', async () => {
    const buyer = await app.aCustomer({ firstName: 'Nour', lastName: 'Mansouri' })
    const [shop] = await app.call(chat.listAdministrators, { as: buyer })
    const roomWith = async ({ id }: { id: number }) => {
      const query = { user1Id: buyer.id, user2Id: id }
      return (await app.call(chat.openRoom, { as: buyer, query })).roomId
    }
    if (!shop) throw new Error('there is no common inbox')
    const inbox = await roomWith(shop)
    const own = await roomWith(mehdi)
    await sendChat(app, buyer, shop, 'Bonjour ?')
    await sendChat(app, buyer, mehdi, 'Bonjour Mehdi ?')
    await sendChat(app, buyer, mehdi, 'Etes-vous là ?')
    const rooms = async (as: Person) =>
      (await waits(as)).conversations?.items.map(({ id, name }) => [id, name])
    expect(await rooms(salma)).toEqual([[inbox, 'Nour Mansouri']])
    expect(await rooms(mehdi)).toEqual([
      [inbox, 'Nour Mansouri'],
      [own, 'Nour Mansouri'],
    ])
    await answer(app, inbox, salma, 'Bonjour.')
    expect(await rooms(salma)).toBeUndefined()
    expect(await rooms(mehdi)).toEqual([[own, 'Nour Mansouri']])
  })
})

test('a number of pending work has its trend: what came in a week, and in the week before', async () => {
  const own = await testApp()
  const as = await own.anOfficeAdministrator()
  const { kysely } = own.deps.database
  const ages = [1, 6, 8, 13, 13.5, 15, 40]
  for (const age of ages) {
    const reference = await aTransfer(own, await own.aCustomer(), 20)
    await kysely
      .updateTable('payments')
      .set({ createdAt: new Date(own.deps.now() - age * DAY_MS) })
      // What is decided still came.
      .$if(age === 6, (query) => query.set({ status: 'refused' }))
      .where('reference', '=', reference)
      .execute()
  }
  const trendOf = async (kind: waiting.WaitingKind) =>
    (await own.call(waiting.getWaiting, { as })).groups.find((group) => group.kind === kind)
  expect(await trendOf('transfers')).toMatchObject({ count: 6, trend: { now: 2, before: 3 } })
  // A backup that is missing is no work that comes.
  expect(await trendOf('backup')).not.toHaveProperty('trend')
})
