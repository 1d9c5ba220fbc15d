import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { confirmEmail, logIn } from '../../../src/contract/accounts.ts'
import { refundShopOrder } from '../../../src/contract/office-orders.ts'
import { blockPerson, mergePeople } from '../../../src/contract/office-people.ts'
import * as own from '../../../src/contract/own-account.ts'
import { requestPayout, setBankAccount } from '../../../src/contract/payouts.ts'
import { initiateRecharge, payFromWallet } from '../../../src/contract/wallet.ts'
import { DAY_MS, HOUR_MS } from '../../../src/rules/durations.ts'
import { dinars } from '../../../src/rules/money.ts'
import { DELETION_DAYS } from '../../../src/rules/own-data.ts'
import { CONTACT_WAIT_MS } from '../../../src/rules/sms.ts'
import { tunisianDay } from '../../../src/rules/tunisia-time.ts'
import { makeDueChanges } from '../../../src/server/accounts/contact-changes.ts'
import { openListener } from '../../../src/server/database/listen.ts'
import { openDatabase } from '../../../src/server/database/pool.ts'
import { transaction } from '../../../src/server/database/transaction.ts'
import { adjustWallet, confirmManual } from '../../../src/server/money/money.ts'
import { recordPayout } from '../../../src/server/money/payouts/decide-payouts.ts'
import { keepAccount } from '../../../src/server/own-data/deletions.ts'
import { deleteDue } from '../../../src/server/own-data/own-data.ts'
import { mailsTo, view } from '../../support/admin/people.ts'
import { RefusedCall, type TestApp, testApp } from '../../support/app.ts'
import { untilLockAwaited } from '../../support/database.ts'
import { tokenIn } from '../../support/mail.ts'
import { bought, soundApp } from '../../support/payments.ts'
import { PASSWORD, withOfficeToken } from '../../support/people.ts'
import { smsGateway } from '../../support/sms.ts'

// What happens to one account, in every order of two, against a small model of it.

const gateway = await smsGateway()
afterAll(gateway.close)
const app = await soundApp({ env: gateway.env })

const NAMES = ['deletion', 'merge', 'block', 'email', 'phone', 'payment', 'refund'] as const
type Name = (typeof NAMES)[number]

const BALANCE = 40
const PRICE = 5
const TOP_UP = 30

/** A customer with a document and money, another account of the family, and a contact to confirm. */
async function aWorld(names: readonly Name[]) {
  // Hourly counts begin again.
  app.travel(HOUR_MS)
  const admin = await app.anOfficeAdministrator()
  const customer = await app.aCustomer({ balance: dinars(BALANCE + PRICE) })
  const other = await app.aCustomer()
  const [document, free] = await app.documentsAt(PRICE, 0)
  const orderId = await bought(app, customer, [document])
  const email = `new${customer.id}@karras.test`
  const phone = String(56_000_000 + customer.id)
  let proof = ''
  if (names.includes('email')) {
    await app.call(own.changeEmail, { as: customer, body: { email, password: PASSWORD } })
    const [mail] = await mailsTo(app, email)
    proof = tokenIn(mail)
  }
  if (names.includes('phone')) {
    await app.call(own.changePhone, { as: customer, body: { phone, password: PASSWORD } })
    await app.runJobs()
    proof = gateway.codeFor(phone)
  }
  return { names, admin, customer, other, document, free, orderId, email, phone, proof }
}
type World = Awaited<ReturnType<typeof aWorld>>

/** Each through the call that does it, at one of the processes. */
const ACTS: Record<Name, (world: World, at: TestApp) => Promise<unknown>> = {
  deletion: ({ admin, customer: { id } }, at) => {
    const account = { holder: 'Sami', rib: `${'0'.repeat(18)}97` }
    const body = { account, givesUpMoney: false }
    return at.call(own.askForDeletionOf, { as: admin, key: 'deletion', params: { id }, body })
  },
  merge: ({ admin, customer, other: { id } }, at) => {
    const body = { fromId: customer.id, reason: 'One family' }
    return at.call(mergePeople, { as: admin, key: 'merge', params: { id }, body })
  },
  block: ({ admin, customer: { id } }, at) =>
    at.call(blockPerson, { as: admin, params: { id }, body: { reason: 'x' } }),
  email: ({ proof }, at) => at.call(confirmEmail, { body: { token: proof } }),
  phone: ({ customer, proof }, at) =>
    at.call(own.confirmNewPhone, { as: customer, body: { code: proof, oldCode: null } }),
  payment: ({ customer }, at) => {
    const body = { userId: customer.id, amount: TOP_UP, paymentMethod: 'D17' } as const
    return at.call(initiateRecharge, { as: customer, key: 'top up', body })
  },
  refund: ({ admin, orderId }, at) => {
    const body = { reason: 'x', seen: PRICE }
    return at.call(refundShopOrder, { as: admin, key: 'refund', params: { id: orderId }, body })
  },
}

const answerOf = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error: unknown) => {
      if (error instanceof RefusedCall) return String(error.code)
      throw error
    },
  )

/** What two acts come to, once every payment has arrived, every wait is over, and every job is done. */
function expected(acts: readonly Name[]) {
  let [isMerged, isBlocked, isLeaving, isPaying, isChanging] = [false, false, false, false, false]
  const balances = { customer: BALANCE, other: 0 }
  let owner: 'customer' | 'other' | null = 'customer'
  const answers = acts.map((name) => {
    if (name === 'refund') {
      balances[isMerged ? 'other' : 'customer'] += PRICE
      owner = null
    } else if (name === 'deletion' || name === 'block') {
      if (isMerged) return 'account_closed'
      if (name === 'deletion') isLeaving = true
      else [isBlocked, isChanging] = [true, false]
    } else if (name === 'merge') {
      if (isLeaving) return 'deletion_asked'
      balances.other += balances.customer
      balances.customer = 0
      if (owner) owner = 'other'
      isMerged = true
      isChanging = false
    } else if (isMerged || isBlocked) {
      return name === 'email' ? 'invalid_confirmation_token' : 'invalid_token'
    } else if (name === 'payment') isPaying = true
    else isChanging = true
    return 'done'
  })
  if (isPaying) balances[isMerged ? 'other' : 'customer'] += TOP_UP
  // Transferred to its owner.
  if (isLeaving) balances.customer = 0
  const state = isLeaving ? 'deleted' : isMerged ? 'closed' : isBlocked ? 'blocked' : 'active'
  const entered = {
    deleted: 'wrong_credentials',
    closed: 'account_merged',
    blocked: 'account_blocked',
    active: 'done',
  }[state]
  return {
    answers,
    balances: { customer: dinars(balances.customer), other: dinars(balances.other) },
    owner: isLeaving ? null : owner,
    state,
    entered,
    isChanged: isLeaving ? null : isChanging,
    isWritten: isMerged ? false : null,
  }
}

/** Has every wait end and every payment arrive. */
async function settle(worlds: readonly World[]) {
  app.travel(CONTACT_WAIT_MS + HOUR_MS)
  await makeDueChanges(app.deps)
  const { length } = await app.mails()
  const waiting = app.kysely
    .selectFrom('payments')
    .select('reference')
    .where('status', '=', 'pending')
  for (const { reference } of await waiting.execute()) await confirmManual(app.deps, reference)
  for (const { customer } of worlds) {
    const leaving = app.kysely.selectFrom('accountDeletions').where('userId', '=', customer.id)
    const seen = await app.balanceOf(customer)
    if (seen === 0 || !(await leaving.select('userId').executeTakeFirst())) continue
    // Each by another administrator, so that none waits for a second.
    await app.call(own.returnMoney, {
      as: await app.anOfficeAdministrator(),
      key: 'return',
      params: { id: customer.id },
      body: {
        seen: seen / dinars(1),
        reference: 'VIR',
        transferredOn: tunisianDay(new Date(app.deps.now())),
        reason: 'x',
      },
    })
  }
  app.travel(DELETION_DAYS * DAY_MS)
  await deleteDue(app.deps)
  return (await app.mails()).slice(length)
}

type Mails = Awaited<ReturnType<typeof settle>>

async function outcome({ customer, other, document, email }: World, mails: Mails) {
  const admin = await app.anOfficeAdministrator()
  const row = await app.row('users', customer.id)
  const { person } = await view(app, admin, customer.id)
  const bought = await app.kysely
    .selectFrom('purchases')
    .select('userId')
    .where('documentId', '=', document.id)
    .executeTakeFirst()
  const owners = { [customer.id]: 'customer', [other.id]: 'other' }
  const body = { username: row.email ?? customer.email, password: PASSWORD }
  const isClosed = row.mergedInto !== null
  return {
    balances: { customer: await app.balanceOf(customer), other: await app.balanceOf(other) },
    owner: bought ? owners[bought.userId] : null,
    state: person.state,
    entered: await answerOf(app.call(logIn, { body })),
    isChanged: row.deletedAt ? null : row.email !== customer.email || row.phone !== customer.phone,
    isWritten: isClosed
      ? mails.some(({ headers }) => [customer.email, email].some((each) => headers.includes(each)))
      : null,
  }
}

/** One change of contact takes the place of another, so that those two do not meet. */
const areApart = (one: Name, other: Name) =>
  one !== other && new Set([one, other, 'email', 'phone']).size > 2

describe('a deletion, a merge, a block, a change of contact, a payment and a refund', () => {
  test('come to the same as their model in both orders of every two', async () => {
    const pairs = NAMES.flatMap((one) => NAMES.map((two) => [one, two] as const))
    const worlds: (World & { answers: string[] })[] = []
    for (const names of pairs.filter((pair) => areApart(...pair))) {
      const world = await aWorld(names)
      const answers: string[] = []
      for (const name of names) answers.push(await answerOf(ACTS[name](world, app)))
      worlds.push({ ...world, answers })
    }
    const mails = await settle(worlds)
    for (const world of worlds) {
      const found = { answers: world.answers, ...(await outcome(world, mails)) }
      expect(found, world.names.join(', then ')).toEqual(expected(world.names))
    }
  })

  test('come to one of the two orders where two processes do them at once', async () => {
    const { files, jobs, mail, now } = app.deps
    const database = openDatabase(app.databaseUrl)
    const listener = openListener(app.databaseUrl)
    const deps = { database, listener, files, jobs, mail, now }
    const second = await testApp({ env: gateway.env, deps })
    const pairs = NAMES.flatMap((one, at) => NAMES.slice(at + 1).map((two) => [one, two] as const))
    const worlds: (World & { answers: string[] })[] = []
    for (const names of pairs.filter((pair) => areApart(...pair))) {
      const world = await aWorld(names)
      const [one, two] = names
      const both = [ACTS[one](world, app), ACTS[two](world, second)].map(answerOf)
      worlds.push({ ...world, answers: await Promise.all(both) })
    }
    const mails = await settle(worlds)
    await Promise.all([database.close(), listener.close()])
    const isDone = (answers: readonly string[]) => answers.map((each) => each === 'done')
    for (const world of worlds) {
      const [one, two] = world.names
      const found = { done: isDone(world.answers), ...(await outcome(world, mails)) }
      const { answers, ...first } = expected([one, two] as Name[])
      const { answers: swapped, ...last } = expected([two, one] as Name[])
      const may = [
        { done: isDone(answers), ...first },
        { done: isDone(swapped.toReversed()), ...last },
      ]
      expect(may, `${world.names.join(' and ')}: ${world.answers}`).toContainEqual(found)
    }
  })
})

describe('the money of a merge', () => {
  test('is what came into the wallet while it waited for it', async () => {
    const world = await aWorld([])
    const { customer, other } = world
    let merging: Promise<unknown> = Promise.resolve()
    await transaction(app.deps.database, async (tx) => {
      await adjustWallet(tx, { userId: customer.id, amount: dinars(PRICE), note: 'x' })
      merging = ACTS.merge(world, app)
      await untilLockAwaited(app.deps.database)
    })
    await merging
    expect(await app.balanceOf(other)).toBe(dinars(BALANCE + PRICE))
  })

  test('moves as a whole or not at all where the process ends within, and once when it is sent again', async () => {
    const world = await aWorld([])
    const { customer, other } = world
    const before = await outcome(world, [])
    const { database } = app.deps
    let merging: Promise<string> | undefined
    await transaction(database, async (tx) => {
      // Holds it up near its end; what ends there is its connection, as with a killed process.
      await sql`LOCK TABLE staff_log IN SHARE MODE`.execute(tx)
      merging = answerOf(ACTS.merge(world, app))
      await untilLockAwaited(database)
      await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(database.kysely)
      expect(await merging).toBe('unavailable')
    })
    expect(await outcome(world, [])).toEqual(before)
    expect(await answerOf(ACTS.merge(world, app))).toBe('done')
    expect(await app.balanceOf(customer)).toBe(0)
    expect(await app.balanceOf(other)).toBe(dinars(BALANCE))
    app.log.length = 0
  })
})

describe('a deletion that is due', () => {
  const MEETING = {
    ...ACTS,
    keep: ({ customer }: World, at: TestApp) => at.call(own.keepAccount, { as: customer }),
    purchase: async ({ customer, free }: World, at: TestApp) => {
      const body = { userId: customer.id, documentIds: [free.id] }
      return at.call(payFromWallet, { as: customer, key: 'free', body })
    },
  }
  const { deletion: _, ...OTHERS } = MEETING
  type Other = keyof typeof OTHERS

  /** Somebody whose deletion is due and who gives up the money. */
  async function aLeaver(name: Other) {
    const names = NAMES.filter((each) => each === name)
    const world = await aWorld(names)
    const body = { account: null, givesUpMoney: true, password: PASSWORD }
    await app.call(own.askForDeletion, { as: world.customer, body })
    const dueAt = new Date(app.deps.now() - 1)
    const due = app.kysely.updateTable('accountDeletions').set({ dueAt })
    await due.where('userId', '=', world.customer.id).execute()
    return world
  }
  const find = async ({ customer, free }: World) => ({
    isDeleted: (await app.row('users', customer.id)).deletedAt !== null,
    holds: await app.kysely
      .selectFrom('purchases')
      .select('documentId')
      .where('userId', '=', customer.id)
      .where('documentId', '=', free.id)
      .execute(),
  })

  test('waits for a payment, ends when it is taken back, and otherwise takes all with it', async () => {
    for (const name of Object.keys(OTHERS) as Other[]) {
      const world = await aLeaver(name)
      const answer = await answerOf(OTHERS[name](world, app))
      expect(answer, name).toBe(name === 'merge' ? 'deletion_asked' : 'done')
      await deleteDue(app.deps)
      const isDeleted = name !== 'payment' && name !== 'keep'
      expect(await find(world), name).toEqual({ isDeleted, holds: [] })
    }
  })

  test('is whole where something else comes while it is done: only money comes later', async () => {
    for (const name of Object.keys(OTHERS) as Other[]) {
      const world = await aLeaver(name)
      const { database } = app.deps
      let both: Promise<[unknown, string]> | undefined
      await transaction(database, async (tx) => {
        // Holds it up near its end.
        await sql`LOCK TABLE staff_log IN SHARE MODE`.execute(tx)
        const deleting = deleteDue(app.deps)
        await untilLockAwaited(database)
        both = Promise.all([deleting, answerOf(OTHERS[name](world, app))])
        await untilLockAwaited(database, 2)
      })
      const [, answer] = (await both) ?? []
      if (name === 'refund') expect(answer).toBe('done')
      else expect(answer, name).not.toBe('done')
      expect(await find(world), name).toEqual({ isDeleted: true, holds: [] })
    }
  })

  test('is not done to an account that is being kept', async () => {
    const { customer } = await aLeaver('keep')
    let deleting: Promise<unknown> = Promise.resolve()
    await transaction(app.deps.database, async (tx) => {
      await keepAccount(tx, app.deps, customer.id, `user ${customer.id}`)
      deleting = deleteDue(app.deps)
      await untilLockAwaited(app.deps.database)
    })
    await deleting
    expect((await app.row('users', customer.id)).deletedAt).toBeNull()
  })
})

describe('a payout of a teacher, a deletion, a block and a change of e-mail', () => {
  const OF_TEACHERS = ['payout', 'deletion', 'block', 'email'] as const
  type Name = (typeof OF_TEACHERS)[number]
  const PAIRS = OF_TEACHERS.flatMap((one) =>
    OF_TEACHERS.filter((two) => one !== two).map((two) => [one, two] as const),
  )
  const EARNED = 70
  const BANK = { holder: 'Sami', rib: `${'0'.repeat(18)}97`, password: PASSWORD }

  /** Teachers who may have all that they earned paid out, each with an e-mail to confirm. */
  async function sellers(count: number) {
    const people: Awaited<ReturnType<TestApp['anOfficeTeacher']>>[] = []
    for (let at = 0; at < count; at++) {
      const person = await app.anOfficeTeacher()
      const buyer = await app.aCustomer({ balance: dinars(100) })
      const document = await app.aDocument({ teacherId: person.teacherId, price: dinars(100) })
      await bought(app, buyer, [document])
      people.push(person)
    }
    app.travel(8 * DAY_MS)
    const admin = await app.anOfficeAdministrator()
    return Promise.all(
      people.map(async (person) => {
        const teacher = await withOfficeToken(app.deps, person)
        await app.call(setBankAccount, { as: teacher, body: BANK })
        const email = `new${teacher.id}@karras.test`
        await app.call(own.changeEmail, { as: teacher, body: { email, password: PASSWORD } })
        const [mail] = await mailsTo(app, email)
        return { admin, teacher, proof: tokenIn(mail) }
      }),
    )
  }
  type Seller = Awaited<ReturnType<typeof sellers>>[number]

  const DO: Record<Name, (seller: Seller, at: TestApp) => Promise<unknown>> = {
    payout: ({ teacher }, at) => {
      const body = { amount: EARNED, password: PASSWORD }
      return at.call(requestPayout, { as: teacher, key: 'payout', body })
    },
    deletion: ({ admin, teacher: { id } }, at) => {
      const body = { account: null, givesUpMoney: false }
      return at.call(own.askForDeletionOf, { as: admin, key: `leave ${id}`, params: { id }, body })
    },
    block: ({ admin, teacher: { id } }, at) =>
      at.call(blockPerson, { as: admin, params: { id }, body: { reason: 'x' } }),
    email: ({ proof }, at) => at.call(confirmEmail, { body: { token: proof } }),
  }

  function expectedOf(names: readonly Name[]) {
    let [isOut, isBlocked, isPaid, isLeaving] = [false, false, false, false]
    const answers = names.map((name) => {
      if (name === 'payout') {
        if (isOut) return 'invalid_token'
        isPaid = true
      } else if (name === 'email') {
        if (isBlocked) return 'invalid_confirmation_token'
        isOut = true
      } else if (name === 'block') [isOut, isBlocked] = [true, true]
      else isLeaving = true
      return 'done'
    })
    return { answers, isPaid, isDeleted: isLeaving }
  }

  /** Transfers what was asked for, has the days of deletions pass, and says what each came to. */
  async function outcomes(all: readonly Seller[]) {
    app.travel(DELETION_DAYS * DAY_MS)
    await deleteDue(app.deps)
    const ids = all.map(({ teacher }) => teacher.teacherId)
    const asked = app.kysely
      .selectFrom('payouts')
      .select(['id', 'teacherId'])
      .where('teacherId', 'in', ids)
    for (const { id, teacherId } of await asked.where('status', '=', 'requested').execute()) {
      const { teacher } = all.find((each) => each.teacher.teacherId === teacherId) ?? {}
      // The deletion waits for it.
      expect((await app.row('users', teacher?.id ?? 0)).deletedAt).toBeNull()
      await recordPayout(app.deps, { payoutId: id, reference: 'VIR' })
    }
    await deleteDue(app.deps)
    const paid = await app.kysely
      .selectFrom('payouts')
      .select('teacherId')
      .where('teacherId', 'in', ids)
      .where('status', '=', 'paid')
      .execute()
    return Promise.all(
      all.map(async ({ teacher }) => ({
        isPaid: paid.some(({ teacherId }) => teacherId === teacher.teacherId),
        isDeleted: (await app.row('users', teacher.id)).deletedAt !== null,
      })),
    )
  }

  test('come to the same as their model in both orders, and to one of them in two processes', async () => {
    const { files, jobs, mail, now } = app.deps
    const database = openDatabase(app.databaseUrl)
    const listener = openListener(app.databaseUrl)
    const deps = { database, listener, files, jobs, mail, now }
    const second = await testApp({ env: gateway.env, deps })
    const all = await sellers(2 * PAIRS.length)
    const [alone, raced] = [all.slice(0, PAIRS.length), all.slice(PAIRS.length)]
    const answers: string[][] = []
    for (const [at, names] of PAIRS.entries()) {
      const given: string[] = []
      for (const name of names) given.push(await answerOf(DO[name](alone[at] as Seller, app)))
      answers.push(given)
    }
    for (const [at, [one, two]] of PAIRS.entries()) {
      const seller = raced[at] as Seller
      answers.push(await Promise.all([DO[one](seller, app), DO[two](seller, second)].map(answerOf)))
    }
    const found = await outcomes(all)
    await Promise.all([database.close(), listener.close()])
    for (const [at, [one, two]] of PAIRS.entries()) {
      const was = { answers: answers[at], ...found[at] }
      expect(was, `${one}, then ${two}`).toEqual(expectedOf([one, two]))
      // Which refusal comes depends on how close they are.
      const done = (given: readonly string[] = []) => given.map((each) => each === 'done')
      const first = expectedOf([one, two])
      const last = expectedOf([two, one])
      const may = [
        { ...first, answers: done(first.answers) },
        { ...last, answers: done(last.answers.toReversed()) },
      ]
      const race = PAIRS.length + at
      const came = { answers: done(answers[race]), ...found[race] }
      expect(may, `${one} and ${two}: ${answers[race]}`).toContainEqual(came)
    }
  })
})
