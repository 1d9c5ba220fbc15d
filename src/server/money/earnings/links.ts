import { sql } from 'kysely'
import { LINK_FIGURE_DAYS } from '../../../rules/link-visits.ts'
import type { Millimes } from '../../../rules/money.ts'
import { daysAfter, startOfDay, TUNISIA, tunisianDay } from '../../../rules/tunisia-time.ts'
import type { Tx } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'

type Parts = Pick<Deps, 'database' | 'now'>

/** Adds a visit to the sum of the day; a name that no teacher has leaves no row. */
export async function countVisit({ database, now }: Parts, link: string): Promise<void> {
  await sql`
    INSERT INTO link_visits AS known (day, name, visits)
    SELECT ${tunisianDay(new Date(now()))}, name, 1 FROM teacher_links WHERE name = ${link}
    ON CONFLICT (day, name) DO UPDATE SET visits = known.visits + 1`.execute(database.kysely)
}

/** Notes the teacher's link by which the buyer of an order came, if some teacher has it. */
export async function noteLink(tx: Tx, orderId: number, link: string | undefined): Promise<void> {
  if (link === undefined) return
  await sql`
    INSERT INTO order_links (order_id, name)
    SELECT ${orderId}::integer, name FROM teacher_links WHERE name = ${link}`.execute(tx)
}

interface Figures {
  readonly link: string
  readonly visits: number
  readonly sales: number
  readonly share: Millimes
}

/** Visits and sales by a teacher's links, by day and link, and their sums by link. */
export async function readLinks({ database: { kysely }, now }: Parts, teacherId: number) {
  const from = daysAfter(tunisianDay(new Date(now())), 1 - LINK_FIGURE_DAYS)
  const { rows: days } = await sql<Figures & { day: string }>`
    WITH own AS (
      SELECT name FROM teacher_links WHERE teacher_id = ${teacherId}
    ), visited AS (
      SELECT day, name, visits FROM link_visits JOIN own USING (name) WHERE day >= ${from}
    ), sold AS (
      SELECT to_char(i.sold_at AT TIME ZONE ${TUNISIA}, 'YYYY-MM-DD') AS day, name,
        count(*)::integer AS sales, sum(i.teacher_share)::bigint AS share
      FROM own JOIN order_links USING (name) JOIN order_items i USING (order_id)
      WHERE i.teacher_id = ${teacherId} AND i.price > 0 AND i.teacher_share IS NOT NULL
        AND i.refunded_at IS NULL AND i.sold_at >= ${startOfDay(from)}
      GROUP BY 1, 2
    )
    SELECT day, name AS link, coalesce(visits, 0) AS visits, coalesce(sales, 0) AS sales,
      coalesce(share, 0) AS share
    FROM visited FULL JOIN sold USING (day, name) ORDER BY day DESC, name`.execute(kysely)
  const own = await kysely
    .selectFrom('teacherLinks')
    .select('name')
    .where('teacherId', '=', teacherId)
    .orderBy('chosenAt', 'desc')
    .execute()
  const links = own.map(({ name: link }) =>
    days
      .filter((day) => day.link === link)
      .reduce<Figures>(
        (sum, { visits, sales, share }) => ({
          link,
          visits: sum.visits + visits,
          sales: sum.sales + sales,
          share: sum.share + share,
        }),
        { link, visits: 0, sales: 0, share: 0 },
      ),
  )
  return { links, days }
}
