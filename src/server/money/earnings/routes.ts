import {
  DEFAULT_EARNING_RANGE,
  downloadStatement,
  type EarningRange,
  type EarningTerms,
  getEarnings,
  getEarningsSeries,
  getEarningTerms,
  getLinkFigures,
  getStatement,
  listDocumentEarnings,
  listSales,
  listStatements,
} from '../../../contract/earnings.ts'
import { countLinkVisit } from '../../../contract/links.ts'
import { PAGE_SIZE } from '../../../rules/pager.ts'
import {
  daysAfter,
  monthsAfter,
  startOfDay,
  startOfMonth,
  tunisianDay,
  tunisianMonth,
} from '../../../rules/tunisia-time.ts'
import type { Deps } from '../../deps.ts'
import { csvFile, pageOf, type Route, route } from '../../http/route.ts'
import { readSetting, withholdingOf } from '../settings.ts'
import { readBalance } from './balance.ts'
import {
  earnedByDocument,
  earnedByTime,
  earnedWithin,
  presentEarned,
  presentSale,
  type Span,
  salesOf,
} from './earned.ts'
import { countVisit, readLinks } from './links.ts'
import { readStatement, statementCsv, statementsOf } from './statements.ts'

export const earningRoutes: Route[] = [
  route(getEarningTerms, ({ user, deps }) => termsOf(deps, user.teacherId)),

  route(getEarnings, async ({ user: { teacherId }, deps }) => {
    const { kysely } = deps.database
    const at = deps.now()
    const today = tunisianDay(new Date(at))
    const since = async (from: Date) =>
      presentEarned(await earnedWithin(kysely, { teacherId, from, to: endOf(today) }))
    const { heldUntil, ...balance } = await readBalance(kysely, { teacherId, at })
    return {
      ...balance,
      today: await since(startOfDay(today)),
      thisMonth: await since(startOfMonth(today.slice(0, 7))),
      thisYear: await since(startOfMonth(`${today.slice(0, 4)}-01`)),
      heldUntil: heldUntil?.toISOString() ?? null,
      terms: await termsOf(deps, teacherId),
    }
  }),

  route(listSales, async ({ input: { query }, user: { teacherId }, deps }) => {
    const { page = 0, size = PAGE_SIZE, sort = '-soldAt', documentId, month } = query
    const { kysely } = deps.database
    const holdDays = await readSetting(kysely, 'hold_days')
    const { sales, total } = await salesOf(kysely, {
      teacherId,
      documentIds: documentId === undefined ? undefined : [documentId],
      month,
      sort,
      page,
      size,
    })
    return pageOf(
      sales.map((sale) => presentSale(sale, holdDays)),
      { total, page, size },
    )
  }),

  route(getEarningsSeries, async ({ input: { query }, user: { teacherId }, deps }) => {
    const { range = DEFAULT_EARNING_RANGE, documentId } = query
    const unit = range === '12m' ? ('month' as const) : ('day' as const)
    const filter = { teacherId, documentId, ...spanOfRange(range, deps.now()) }
    const points = await earnedByTime(deps.database.kysely, { ...filter, unit })
    return {
      range,
      unit,
      points: points.map(({ at, ...earned }) => ({ at, ...presentEarned(earned) })),
      total: presentEarned(await earnedWithin(deps.database.kysely, filter)),
    }
  }),

  route(listDocumentEarnings, async ({ input: { query }, user: { teacherId }, deps }) => {
    const { page = 0, size = PAGE_SIZE, sort = '-share', range = DEFAULT_EARNING_RANGE } = query
    const span = range === 'all' ? allUntil(deps.now()) : spanOfRange(range, deps.now())
    const { documents, total } = await earnedByDocument(deps.database.kysely, {
      teacherId,
      ...span,
      sort,
      page,
      size,
    })
    return pageOf(
      documents.map(({ documentId: id, title, ...earned }) => ({
        document: { id, title },
        ...presentEarned(earned),
      })),
      { total, page, size },
    )
  }),

  route(countLinkVisit, async ({ input: { body }, deps, limits }) => {
    limits.bound('linkVisit', body.link)
    await countVisit(deps, body.link)
    return { status: 'COUNTED' as const }
  }),
  route(getLinkFigures, ({ user: { teacherId }, deps }) => readLinks(deps, teacherId)),

  route(listStatements, async ({ user: { teacherId }, deps }) => {
    return statementsOf(deps.database.kysely, { teacherId, at: deps.now() })
  }),

  route(getStatement, async ({ input, user: { teacherId }, deps }) => {
    const { month } = input.params
    const statement = await readStatement(deps.database.kysely, { teacherId, month })
    const { opening, earned, paidOut, withheld, closing, documents, paid } = statement
    return {
      month,
      isComplete: month < tunisianMonth(new Date(deps.now())),
      opening,
      sales: {
        count: earned.sales,
        price: earned.price,
        takenOff: earned.takenOff,
        share: earned.share,
      },
      refunds: { count: earned.refunds, price: earned.refundedPrice, share: earned.refunded },
      payouts: { count: paid.length, amount: paidOut, withheld },
      closing,
      documents: documents.map(({ documentId: id, title, ...sums }) => ({
        document: { id, title },
        ...presentEarned(sums),
      })),
      paid: paid.map(({ decidedAt, ...payout }) => ({
        ...payout,
        paidAt: decidedAt.toISOString(),
      })),
    }
  }),

  route(downloadStatement, async ({ input, user: { id, teacherId }, deps, reply }) => {
    const { month } = input.params
    const locale = input.query.locale ?? (await localeOf(deps, id))
    const csv = await statementCsv(deps.database.kysely, { teacherId, month, locale })
    return csvFile(reply, `karras-${month}.csv`, csv)
  }),
]

async function termsOf({ database }: Deps, teacherId: number): Promise<EarningTerms> {
  const { kysely } = database
  return {
    sharePercent: await readSetting(kysely, 'share_percent', teacherId),
    holdDays: await readSetting(kysely, 'hold_days'),
    payoutMinimum: await readSetting(kysely, 'payout_minimum'),
    withholding: await withholdingOf(kysely, teacherId),
  }
}

/** The last days or months, including the current one. */
function spanOfRange(range: EarningRange, at: number): Span {
  const today = tunisianDay(new Date(at))
  const to = endOf(today)
  if (range === '12m') {
    const month = today.slice(0, 7)
    return { from: startOfMonth(monthsAfter(month, -11)), to: startOfMonth(monthsAfter(month, 1)) }
  }
  return { from: startOfDay(daysAfter(today, range === '30d' ? -29 : -89)), to }
}

const allUntil = (at: number): Span => ({ from: new Date(0), to: endOf(tunisianDay(new Date(at))) })

const endOf = (day: string) => startOfDay(daysAfter(day, 1))

async function localeOf({ database }: Deps, userId: number) {
  const { locale } = await database.kysely
    .selectFrom('users')
    .select('locale')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return locale
}
