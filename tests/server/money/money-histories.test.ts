import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import type { Millimes } from '../../../src/rules/money.ts'
import { readBalance } from '../../../src/server/money/earnings/balance.ts'
import { checkLedger, isLedgerSound } from '../../../src/server/money/ledger-check.ts'
import { amount } from '../../support/amount.ts'
import { type TestApp, testApp } from '../../support/app.ts'
import { startKonnect } from '../../support/konnect.ts'
import { EVERY_FORM } from '../../support/konnect-faults.ts'
import { type Command, runStep } from '../../support/money/commands.ts'
import { aWorld, closeWorld, type World } from '../../support/money/world.ts'

// Other histories: `MONEY_SEED=7 MONEY_HISTORIES=1000 vitest run
// tests/server/money/money-histories.test.ts`.
const SEED = Number(process.env.MONEY_SEED ?? 20_261_121)
const HISTORIES = amount('MONEY_HISTORIES', { usual: 18, long: 100 })
const LENGTH = 130

const often = (name: Command['name'], weight: number) => ({ arbitrary: fc.constant(name), weight })

const aCommand: fc.Arbitrary<Command> = fc.record({
  name: fc.oneof(
    often('order', 5),
    often('initiate', 5),
    often('topUp', 3),
    often('gatewayPays', 6),
    often('signal', 5),
    often('poll', 2),
    often('expire', 1),
    often('payFromWallet', 9),
    often('payDirectly', 3),
    often('confirm', 3),
    often('refuse', 1),
    often('cancel', 4),
    often('price', 1),
    often('refund', 6),
    often('share', 1),
    often('ask', 3),
    often('decide', 3),
    often('adjust', 4),
    often('second', 3),
    often('merge', 1),
    often('consent', 5),
  ),
  who: fc.nat(2),
  what: fc.nat(1023),
  how: fc.nat(1023),
})

/** The shop's books for this world, in the model's terms. */
async function booksOf({ app, people, teacherIds }: World) {
  const ids = people.map(({ id }) => id)
  const { rows: balances } = await sql<{ id: number; balance: Millimes; sum: Millimes }>`
    SELECT a.user_id AS id, a.balance, coalesce(sum(e.amount), 0)::bigint AS sum
    FROM accounts a LEFT JOIN ledger_entries e ON e.account_id = a.id
    WHERE a.user_id = ANY (${ids}::integer[]) GROUP BY a.id
    ORDER BY array_position(${ids}::integer[], a.user_id)`.execute(app.kysely)
  const { rows: owned } = await sql<{ owned: string }>`
    SELECT user_id || ' has ' || document_id || ' of ' || order_id AS owned
    FROM purchases WHERE user_id = ANY (${ids}::integer[])`.execute(app.kysely)
  const { rows: earnings } = await sql<{ sum: Millimes }>`
    SELECT coalesce(sum(e.amount), 0)::bigint AS sum
    FROM unnest(${teacherIds}::integer[]) WITH ORDINALITY AS t (id, place)
    LEFT JOIN accounts a ON a.teacher_id = t.id
    LEFT JOIN ledger_entries e ON e.account_id = a.id
    GROUP BY t.place ORDER BY t.place`.execute(app.kysely)
  const at = app.deps.now()
  const shown = []
  for (const teacherId of teacherIds) shown.push(await readBalance(app.kysely, { teacherId, at }))
  return {
    balances: balances.map(({ balance }) => balance),
    sums: balances.map(({ sum }) => sum),
    owned: owned.map((row) => row.owned).sort(),
    earnings: earnings.map(({ sum }) => sum),
    shown: shown.map(({ balance, available }) => ({ balance, available })),
    ...(await sharedBooks(app)),
  }
}

type SharedBooks = Record<
  'moneyIn' | 'revenue' | 'codes' | 'paidOut' | 'withheld' | 'adjustments',
  Millimes
>

/** The accounts that all worlds share. */
async function sharedBooks({ deps }: TestApp): Promise<SharedBooks> {
  const { rows } = await sql<SharedBooks>`
    SELECT -coalesce(sum(e.amount) FILTER (WHERE a.kind = 'gateway'), 0)::bigint AS "moneyIn",
      coalesce(sum(e.amount) FILTER (WHERE a.kind = 'revenue'), 0)::bigint AS revenue,
      coalesce(sum(e.amount) FILTER (WHERE a.kind = 'codes'), 0)::bigint AS codes,
      coalesce(sum(e.amount) FILTER (WHERE a.kind = 'payouts'), 0)::bigint AS "paidOut",
      coalesce(sum(e.amount) FILTER (WHERE a.kind = 'withheld'), 0)::bigint AS withheld,
      coalesce(sum(e.amount) FILTER (WHERE t.adjustment_id IS NOT NULL AND a.kind = 'adjustments'),
        0)::bigint AS adjustments
    FROM accounts a JOIN ledger_entries e ON e.account_id = a.id
    JOIN ledger_transactions t ON t.id = e.transaction_id`.execute(deps.database.kysely)
  return rows[0] ?? { moneyIn: 0, revenue: 0, codes: 0, paidOut: 0, withheld: 0, adjustments: 0 }
}

function expectedOf({ model, people }: World, before: SharedBooks) {
  const balances = model.customers.map(({ balance }) => balance)
  const owned = model.customers.flatMap((customer, at) =>
    [...customer.owned].map(
      ([document, order]) => `${people[at]?.id} has ${document.id} of ${order.id}`,
    ),
  )
  return {
    balances,
    sums: balances,
    owned: owned.sort(),
    earnings: model.teachers.map(({ balance }) => balance),
    shown: model.teachers.map(({ balance, pendingPayout: asked }) => ({
      balance,
      available: Math.max(0, balance - (asked?.amount ?? 0)),
    })),
    moneyIn: before.moneyIn + model.moneyIn,
    revenue: before.revenue + model.revenue,
    codes: before.codes - model.codesPaid,
    paidOut: before.paidOut + model.paidOut,
    withheld: before.withheld + model.withheld,
    adjustments: before.adjustments + model.adjustments,
  }
}

test(`${HISTORIES} histories of ${LENGTH} commands end as the rules say: seed ${SEED}`, async () => {
  const konnect = await startKonnect({ seed: SEED, drop: 1, ...EVERY_FORM })
  onTestFinished(konnect.stop)
  const app = await testApp({ env: konnect.env })
  konnect.callsBackAt(app.url)
  const counts = new Map<string, number>()
  let played = 0

  const history = fc.array(aCommand, { minLength: LENGTH, maxLength: LENGTH })
  const property = fc.asyncProperty(history, async (commands) => {
    const before = await sharedBooks(app)
    const world = await aWorld(app, konnect, counts)
    for (const command of commands) {
      await runStep(world, command)
      played++
    }
    expect(await booksOf(world)).toEqual(expectedOf(world, before))
    await closeWorld(world)
    const report = await checkLedger(app.kysely)
    expect(isLedgerSound(report), JSON.stringify(report)).toBe(true)
  })
  await fc.assert(property, {
    seed: SEED,
    numRuns: HISTORIES,
    endOnFailure: !process.env.MONEY_SHRINK,
  })

  expect(played).toBe(HISTORIES * LENGTH)
  // A history in which nothing happens proves nothing.
  for (const what of [
    'gateway pays',
    'wrong amount',
    'wallet pays',
    'wallet refused: insufficient_balance',
    'wallet pays with a code',
    'code refused',
    'order with a code',
    'wallet pays a bundle',
    'wallet pays the rest of a bundle',
    'wallet pays several teachers',
    'bundle agreed',
    'bundle refused',
    'order of a bundle',
    'refund of a bundle',
    'pays directly',
    'transfer confirmed',
    'transfer refused',
    'refund',
    'share set',
    'withholding set',
    'payout asked',
    'payout paid',
    'payout refused: payout_not_available',
    'refund after a payout',
    'expiry',
    'order refused: already_owned',
    'order refused: already_ordered',
    'cancel',
    'initiate refused: nothing_to_pay',
    'wallet adjusted',
    'adjustment proposed',
    'adjustment confirmed',
    'adjustment refused',
    'adjustment of one’s own',
    'merge',
    'merge of what both own',
  ]) {
    expect(counts.get(what) ?? 0, what).toBeGreaterThan(HISTORIES / 10)
  }
}, 600_000)
