import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import * as accounts from '../../../src/contract/accounts.ts'
import { addToCart, addToWishlist } from '../../../src/contract/carts.ts'
import { listMessages, openRoom } from '../../../src/contract/chat.ts'
import * as shelves from '../../../src/contract/library.ts'
import * as marks from '../../../src/contract/marks.ts'
import { confirmAct, withdrawAct } from '../../../src/contract/office-acts.ts'
import * as office from '../../../src/contract/office-people.ts'
import * as own from '../../../src/contract/own-account.ts'
import * as ratings from '../../../src/contract/ratings.ts'
import { payFromWallet, walletHistory } from '../../../src/contract/wallet.ts'
import { DAY_MS } from '../../../src/rules/durations.ts'
import { dinars } from '../../../src/rules/money.ts'
import { DELETION_DAYS } from '../../../src/rules/own-data.ts'
import { CONTACT_WAIT_MS } from '../../../src/rules/sms.ts'
import { makeDueChanges } from '../../../src/server/accounts/contact-changes.ts'
import { enqueueMail } from '../../../src/server/mail/mail.ts'
import { confirmManual } from '../../../src/server/money/money.ts'
import { deleteDue, makeExports } from '../../../src/server/own-data/own-data.ts'
import { checkRatings } from '../../../src/server/ratings/ratings.ts'
import { asBoth, mailsTo, view } from '../../support/admin/people.ts'
import { sendChat } from '../../support/chat.ts'
import { tokenIn } from '../../support/mail.ts'
import { callByCommand } from '../../support/operator.ts'
import { anOrder, aPayment, bought, expectSoundLedger, soundApp } from '../../support/payments.ts'
import { PASSWORD, type Person } from '../../support/people.ts'
import { rate } from '../../support/ratings.ts'
import { expectCode, expectRefused } from '../../support/refusals.ts'
import { actionsOn, logOf } from '../../support/staff-log.ts'

const app = await soundApp()
let admin: Person
beforeEach(async () => {
  // With a token that is valid at the clock of each test.
  admin = await app.anOfficeAdministrator({ firstName: 'Nadia', lastName: 'Gharbi' })
})

/**
 * Creates two accounts of one family: the first has data of every kind, and some of it in common
 * with the other.
 */
async function aFamily() {
  const from = await app.aCustomer({ balance: dinars(40) })
  const into = await app.aCustomer({ balance: dinars(30) })
  const [common, own, wished] = await app.documentsAt(5, 12, 15)
  await bought(app, from, [common, own])
  await bought(app, into, [common])
  await rate(app, from, common.id, 1)
  await rate(app, into, common.id, 5)
  await rate(app, from, own.id, 4)
  const wish = { userId: from.id, documentId: wished.id }
  await app.call(addToWishlist, { as: from, query: wish })
  await app.call(addToCart, { as: from, query: wish })
  const order = await anOrder(app, from, [wished])
  const payment = await aPayment(app, from, order.id, { method: 'bank_transfer' })
  for (const [as, name, put] of [
    [from, 'سلمى', [common.id, own.id]],
    [from, 'Sami', [own.id]],
    [into, 'سَلمى', []],
  ] as const) {
    const params = await app.call(shelves.addShelf, { as, body: { name } })
    await app.call(shelves.arrangeShelf, { as, params, body: { put: [...put], take: [] } })
  }
  for (const [as, mark] of [
    [from, 'a'],
    [from, 'b'],
    [into, 'b'],
  ] as const) {
    const given = {
      documentId: common.id,
      child: '',
      quarters: 48,
      exerciseQuarters: null,
      minutes: 60,
    }
    const body = { ...given, satAt: '2026-01-31T09:30:00Z' }
    await app.call(marks.putMark, { as, params: { mark: mark.repeat(32) }, body })
  }
  return { from, into, common, own, wished, payment }
}

const askToLeave = ({ id }: Person, as: Person = admin) => {
  const account = { holder: 'Sami', rib: `${'0'.repeat(18)}97` }
  return app.call(own.askForDeletionOf, {
    as,
    key: randomUUID(),
    params: { id },
    body: { account, givesUpMoney: false },
  })
}

describe('merging two accounts of one family', () => {
  const merge = (
    { from, into }: { from: Person; into: Person },
    { as = admin, key = `m${from.id}`, ends }: { as?: Person; key?: string; ends?: Person[] } = {},
  ) => {
    const endsDeletionOf = ends?.map(({ id }) => id)
    const body = { fromId: from.id, reason: 'One family', ...(ends && { endsDeletionOf }) }
    return app.call(office.mergePeople, { as, key, params: { id: into.id }, body })
  }

  test('moves everything, closes the other account, and keeps the books sound', async () => {
    const family = await aFamily()
    const { from, into, common, own, wished, payment } = family
    const administrator = await app.anAdministrator()
    const write = async (as: Person, text: string) => {
      const query = { user1Id: as.id, user2Id: administrator.id }
      const { roomId } = await app.call(openRoom, { as, query })
      await sendChat(app, as, administrator, text)
      return roomId
    }
    await write(from, 'مرحبا')
    const theirs = await write(into, 'صباح الخير')
    await sendChat(app, administrator, into, 'صباح النور')

    const named = { params: { id: into.id }, query: { from: from.id } }
    const preview = await app.call(office.previewMerge, { as: admin, ...named })
    const moved = {
      balance: 23,
      orders: 2,
      openPayments: 1,
      documents: 1,
      duplicates: [{ id: common.id, title: expect.any(String), price: 5 }],
      ratings: 1,
      droppedRatings: 1,
      wishes: 1,
      cartItems: 1,
      conversations: 1,
    }
    expect(preview).toMatchObject({ from: { id: from.id }, into: { id: into.id }, ...moved })
    expect(await merge(family)).toEqual({ ...moved, waits: null })

    expect(await app.balanceOf(into)).toBe(dinars(48))
    expect(await view(app, admin, into.id)).toMatchObject({
      merged: [{ id: from.id }],
      customer: { documentCount: 2, orderCount: 3, ratingCount: 2, conversationCount: 1 },
    })
    expect(await view(app, admin, from.id)).toMatchObject({
      person: { state: 'closed' },
      mergedInto: { id: into.id },
      customer: { balance: 0, documentCount: 0, orderCount: 0, ratingCount: 0 },
    })
    expect(await app.call(ratings.getDocumentAverage, { params: { id: common.id } })).toBe(5)
    expect(await app.call(ratings.getDocumentAverage, { params: { id: own.id } })).toBe(4)
    // Two shelves with the same name become one.
    const kept = await app.call(shelves.listShelves, { as: into })
    expect(kept.map(({ name, documentIds }) => [name, documentIds.toSorted()])).toEqual([
      ['Sami', [own.id]],
      ['سَلمى', [common.id, own.id].toSorted()],
    ])
    const given = await app.call(marks.listMarks, { as: into })
    expect(given.map(({ id }) => id)).toEqual(['a'.repeat(32), 'b'.repeat(32)])
    const params = { roomId: theirs }
    const messages = await app.call(listMessages, { as: into, params, query: {} })
    expect(JSON.stringify(messages)).toMatch(/مرحبا.*صباح|صباح.*مرحبا/)
    // One of the two was answered; the other customer still waits.
    const room = await app.kysely
      .selectFrom('chatRooms')
      .select('unansweredSince')
      .where('id', '=', theirs)
      .executeTakeFirstOrThrow()
    expect(room.unansweredSince).toBeInstanceOf(Date)
    const history = await app.call(walletHistory, { as: into, query: { userId: into.id } })
    expect(history.content[0]).toMatchObject({ kind: 'merge', amount: 23, balanceAfter: 48 })

    // The closed account says so, and its session has ended.
    const body = { username: from.email, password: PASSWORD }
    await expectCode(app.call(accounts.logIn, { body }), 'account_merged')
    const pay = { userId: from.id, documentIds: [wished.id] }
    await expectRefused(app.call(payFromWallet, { as: from, key: 'late', body: pay }), 401)
    await expectCode(
      app.call(office.unblockPerson, {
        as: admin,
        params: { id: from.id },
        body: { reason: 'x' },
      }),
      'account_closed',
    )

    // Its pending payment arrives at the other account.
    await confirmManual(app.deps, payment.paymentRef)
    expect((await view(app, admin, into.id)).customer).toMatchObject({ documentCount: 3 })
    await expectSoundLedger(app)
    expect(await checkRatings(app.kysely)).toEqual([])
    expect(await mailsTo(app, from.email)).not.toEqual([])
    expect(await logOf(app, `user ${from.id}`)).toContainEqual({
      actor: `user ${admin.id}`,
      action: 'merge',
      reason: 'One family',
    })
  })

  test('happens once: repeated, by two at once, and while a payment arrives', async () => {
    const family = await aFamily()
    const [first, again] = await Promise.all([merge(family), merge(family)])
    expect(again).toEqual(first)
    await expectCode(merge(family, { key: 'other' }), 'done_before')

    const next = await aFamily()
    const [ends] = await Promise.all([
      asBoth(app, admin, (as) => merge(next, { as, key: `two ${as.id}` })),
      confirmManual(app.deps, next.payment.paymentRef),
    ])
    expect([ends.done, ends.refusals[0]?.code]).toEqual([1, 'done_before'])
    expect((await view(app, admin, next.into.id)).customer).toMatchObject({ documentCount: 3 })
    // Each into the other concurrently: one stays.
    const both = [await app.aCustomer({ balance: dinars(3) }), await app.aCustomer()] as const
    const crossed = await Promise.allSettled([
      merge({ from: both[0], into: both[1] }),
      merge({ from: both[1], into: both[0] }),
    ])
    expect(crossed.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const kept = await Promise.all(both.map((one) => app.balanceOf(one)))
    expect(kept.sort()).toEqual([0, dinars(3)])
  })

  test('is for two different customers only, and the remaining one must not be blocked', async () => {
    const [one, other] = [await app.aCustomer(), await app.aCustomer()]
    const teacher = await app.anOfficeTeacher()
    for (const pair of [
      { from: one, into: one },
      { from: one, into: teacher },
      { from: admin, into: one },
    ]) {
      await expectCode(merge(pair), 'not_two_customers')
    }
    await expectCode(merge({ from: one, into: { ...other, id: 999_999 } }), 'user_not_found')
    const typed = [`id=${other.id}`, `fromId=${one.id}`, 'reason=Twice']
    expect(await callByCommand(app, 'mergePeople', ...typed)).toMatchObject({ balance: 0 })
    expect((await view(app, admin, one.id)).person.state).toBe('closed')
    await expect(callByCommand(app, 'mergePeople', ...typed)).rejects.toThrow()
    const blocked = { params: { id: other.id }, body: { reason: 'x' } }
    await app.call(office.blockPerson, { as: admin, ...blocked })
    const third = await app.aCustomer()
    await expectCode(merge({ from: third, into: other }), 'not_two_customers')
  })

  test('refuses while a deletion is asked for, on either side, unless it is told to end it', async () => {
    const [from, into] = [await app.aCustomer({ balance: dinars(3) }), await app.aCustomer()]
    await askToLeave(from)
    await app.call(own.askForExport, { as: from })
    await makeExports(app.deps)
    const preview = await app.call(office.previewMerge, {
      as: admin,
      params: { id: into.id },
      query: { from: from.id },
    })
    expect(preview.deletions).toEqual([{ id: from.id, dueAt: expect.any(String) }])
    await expectCode(merge({ from, into }), 'deletion_asked')
    // The other one asks as well, after the administrator has looked.
    await askToLeave(into)
    await expectCode(merge({ from, into }, { ends: [from] }), 'deletion_asked')
    await merge({ from, into }, { ends: [from, into], key: `ends ${from.id}` })
    for (const { id } of [from, into]) {
      const kept = { actor: `user ${admin.id}`, action: 'keep account' }
      expect(await actionsOn(app, `user ${id}`)).toContainEqual(kept)
    }
    await expectCode(askToLeave(from), 'account_closed')

    app.travel((DELETION_DAYS + 1) * DAY_MS)
    await deleteDue(app.deps)
    await makeExports(app.deps)
    expect(await app.row('users', into.id)).toMatchObject({ deletedAt: null, blockedAt: null })
    expect(await app.balanceOf(into)).toBe(dinars(3))
    for (const table of ['accountDeletions', 'dataExports', 'contactChanges'] as const) {
      const kept = app.kysely.selectFrom(table).select('userId').where('userId', '=', from.id)
      expect(await kept.execute()).toEqual([])
    }
  })

  test('holds to that when a second confirms, and while the money is on its way back', async () => {
    const [first, second] = [await app.anOfficeAdministrator(), await app.anOfficeAdministrator()]
    const [from, into] = [await app.aCustomer({ balance: dinars(300) }), await app.aCustomer()]
    const confirm = (id: number | null) =>
      app.call(confirmAct, { as: second, key: `second ${id}`, params: { id: id ?? 0 } })
    const { waits } = await merge({ from, into }, { as: first })
    await askToLeave(from, first)
    await expectCode(confirm(waits), 'deletion_asked')
    expect(await app.balanceOf(from)).toBe(dinars(300))
    await app.call(withdrawAct, { as: first, params: { id: waits ?? 0 } })

    const body = { seen: 300, reference: 'VIR 1', transferredOn: '2026-11-26', reason: 'leaves' }
    const returning = await app.call(own.returnMoney, {
      as: first,
      key: `return ${from.id}`,
      params: { id: from.id },
      body,
    })
    const ending = { as: first, ends: [from] }
    await expectCode(merge({ from, into }, { ...ending, key: 'early' }), 'return_waits')
    await app.call(withdrawAct, { as: first, params: { id: returning.waits ?? 0 } })
    const again = await merge({ from, into }, { ...ending, key: 'again' })
    await confirm(again.waits)
    expect(await app.balanceOf(into)).toBe(dinars(300))
  })

  test('ends the mails to the closed account, and frees its e-mail for the other', async () => {
    const [from, into, stranger] = [
      await app.aCustomer({ balance: dinars(3) }),
      await app.aCustomer(),
      await app.aCustomer(),
    ]
    await askToLeave(from)
    const before = await mailsTo(app, from.email)
    await merge({ from, into }, { ends: [from] })
    // As one that was queued before the merge and is sent after it.
    await enqueueMail(app.kysely, app.deps.jobs, 'deletion_asked', { userId: from.id })
    // Only that it was merged.
    expect(await mailsTo(app, from.email)).toHaveLength(before.length + 1)

    const ask = (as: Person) =>
      app.call(own.changeEmail, { as, body: { email: from.email, password: PASSWORD } })
    await expectCode(ask(stranger), 'contact_taken')
    // The account of a family of three that remains in the end.
    const last = await app.aCustomer()
    await merge({ from: into, into: last })
    await ask(last)
    const link = (await mailsTo(app, from.email)).at(-1)
    const token = tokenIn(link)
    await app.call(accounts.confirmEmail, { body: { token } })
    // It has money now, so that it waits a day.
    app.travel(CONTACT_WAIT_MS)
    await makeDueChanges(app.deps)
    const { accessToken } = await app.call(accounts.logIn, {
      body: { username: from.email, password: PASSWORD },
    })
    const account = await app.call(own.getOwnAccount, { as: { token: accessToken } })
    expect(account).toMatchObject({ email: from.email })
    expect(await app.row('users', from.id)).toMatchObject({ email: null, mergedInto: into.id })
  })
})
