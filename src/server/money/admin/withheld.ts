import { type Kysely, sql } from 'kysely'
import * as calls from '../../../contract/office-withheld.ts'
import { DEFAULT_LOCALE, type Locale } from '../../../i18n/locales.ts'
import { TEXTS } from '../../../i18n/texts.ts'
import { csvTable } from '../../../rules/csv.ts'
import type { Millimes } from '../../../rules/money.ts'
import { monthsAfter, startOfMonth, tunisianDay } from '../../../rules/tunisia-time.ts'
import type { Schema } from '../../database/schema.ts'
import { fullNameIn, inOrder } from '../../database/sql-parts.ts'
import type { Tx } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { fault } from '../../http/errors.ts'
import { csvFile, type Route, route } from '../../http/route.ts'
import { logStaff } from '../../staff-log/staff-log.ts'
import { type Acting, act, actingOf } from '../acting.ts'
import { post, singleAccount } from '../ledger.ts'

export const withheldRoutes: Route[] = [
  route(calls.getWithheld, ({ input: { query }, deps }) =>
    readWithheld(deps.database.kysely, query.year),
  ),

  route(calls.exportWithheld, async ({ input: { query }, deps, reply }) => {
    const { year, locale = DEFAULT_LOCALE } = query
    const csv = withheldCsv(await readWithheld(deps.database.kysely, year), locale)
    return csvFile(reply, `karras-withheld-${year}.csv`, csv)
  }),

  route(calls.recordTaxPayment, async ({ input, user, key, deps }) => {
    const acting = actingOf(calls.recordTaxPayment, { user, key, input })
    return recordTaxPayment(deps, input.body, acting)
  }),
]

/**
 * Books a payment to the tax office, once for a request; returns what is owed to it after that.
 * Throws `invalid_input` for a day to come, and `more_than_owed`.
 */
function recordTaxPayment(
  deps: Pick<Deps, 'database' | 'now'>,
  payment: { amount: Millimes; paidOn: string; reference: string },
  acting: Acting,
): Promise<{ owed: Millimes }> {
  const { amount, reference } = payment
  const { actor } = acting
  const at = new Date(deps.now())
  if (payment.paidOn > tunisianDay(at)) throw fault('invalid_input', { fields: { paidOn: 'max' } })
  return act(deps, acting, async (tx) => {
    const accountId = await lockWithheld(tx)
    const owed = (await owedIn(tx)) - amount
    if (owed < 0) throw fault('more_than_owed')
    const { id } = await tx
      .insertInto('taxPayments')
      .values({ ...payment, recordedAt: at, actor })
      .returning('id')
      .executeTakeFirstOrThrow()
    await post(tx, {
      kind: 'tax_payment',
      taxPaymentId: id,
      note: reference,
      at,
      entries: [
        { accountId, amount: -amount },
        { accountId: await singleAccount(tx, 'taxes'), amount },
      ],
    })
    const subject = { kind: 'shop' }
    await logStaff(tx, { actor, action: 'record tax payment', subject, reason: reference })
    return { owed }
  })
}

/** Locks the account, so that payments are booked one at a time; payouts go on. */
async function lockWithheld(tx: Tx): Promise<number> {
  const { id } = await tx
    .selectFrom('accounts')
    .select('id')
    .where('kind', '=', 'withheld')
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  return id
}

async function owedIn(db: Kysely<Schema>): Promise<Millimes> {
  const { rows } = await sql<{ owed: Millimes }>`
    SELECT coalesce(sum(e.amount), 0)::bigint AS owed
    FROM ledger_entries e JOIN accounts a ON a.id = e.account_id
    WHERE a.kind = 'withheld'`.execute(db)
  return rows[0]?.owed ?? 0
}

async function readWithheld(db: Kysely<Schema>, year: string): Promise<calls.Withheld> {
  const from = `${year}-01`
  const { rows: teachers } = await sql<calls.Withheld['teachers'][number]>`
    SELECT t.id, ${fullNameIn('t')} AS name,
      (array_agg(p.holder ORDER BY p.id DESC))[1] AS holder,
      coalesce(
        (array_agg(p.tax_number ORDER BY p.id DESC) FILTER (WHERE p.tax_number <> ''))[1],
        b.tax_number, ''
      ) AS tax_number,
      count(*)::integer AS payouts, sum(p.amount)::bigint AS amount,
      sum(p.withheld)::bigint AS withheld
    FROM payouts p JOIN teachers t ON t.id = p.teacher_id
      LEFT JOIN bank_accounts b ON b.teacher_id = t.id
    WHERE p.status = 'paid' AND p.withheld > 0
      AND p.decided_at >= ${startOfMonth(from)}
      AND p.decided_at < ${startOfMonth(monthsAfter(from, 12))}
    GROUP BY t.id, b.tax_number ORDER BY ${inOrder(fullNameIn('t'))}, t.id`.execute(db)
  const payments = await db
    .selectFrom('taxPayments')
    .select(['id', 'paidOn', 'reference', 'amount'])
    .where('paidOn', '>=', `${year}-01-01`)
    .where('paidOn', '<=', `${year}-12-31`)
    .orderBy('paidOn')
    .orderBy('id')
    .execute()
  return { owed: await owedIn(db), teachers, payments }
}

/** Teacher by teacher, then the payments to the tax office and what is still owed to it. */
function withheldCsv({ owed, teachers, payments }: calls.Withheld, locale: Locale): string {
  const texts = TEXTS[locale]['office-withheld'].page
  const { columns } = texts
  return csvTable([
    [
      columns.teacher,
      columns.holder,
      columns.taxNumber,
      columns.payouts,
      columns.amount,
      columns.withheld,
      columns.paid,
    ],
    ...teachers.map(({ name, holder, taxNumber, payouts, amount, withheld }) => [
      name,
      holder,
      taxNumber,
      payouts,
      { millimes: amount },
      { millimes: withheld },
      { millimes: amount - withheld },
    ]),
    [],
    [columns.day, columns.reference, columns.sum],
    ...payments.map(({ paidOn, reference, amount }) => [paidOn, reference, { millimes: amount }]),
    [],
    [texts.owed, '', { millimes: owed }],
  ])
}
