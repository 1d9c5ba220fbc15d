import { type Kysely, sql } from 'kysely'
import * as contract from '../../contract/office-reports.ts'
import { reportDocument } from '../../contract/reports.ts'
import { DEFAULT_LOCALE } from '../../i18n/locales.ts'
import type { ReportReason } from '../../rules/reports.ts'
import { foldEmail } from '../accounts/accounts.ts'
import type { Schema } from '../database/schema.ts'
import { fullNameIn } from '../database/sql-parts.ts'
import { type Tx, transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { type ApiFault, fault } from '../http/errors.ts'
import { pageOf, type Route, route } from '../http/route.ts'
import { enqueueMail } from '../mail/mail.ts'
import { doneBefore, logStaff } from '../staff-log/staff-log.ts'
import { subjectOf } from './history.ts'
import { publishAgain, unpublish } from './life.ts'
import { findDocument, ownDocument } from './read-documents.ts'
import { namedHistory } from './review.ts'

interface NewReport {
  readonly documentId: number
  readonly reason: ReportReason
  readonly words: string
  readonly userId: number | null
  readonly email: string | null
  readonly locale: Schema['reports']['locale']
}

/**
 * Adds a report to the open case of its document, or opens one and tells the teacher. Throws
 * `document_not_found` for a document that is not for sale.
 */
function report(
  { database, jobs, now }: Pick<Deps, 'database' | 'jobs' | 'now'>,
  { documentId, ...written }: NewReport,
): Promise<void> {
  const at = new Date(now())
  return transaction(database, async (tx) => {
    const { rows } = await sql<{ id: number; isNew: boolean; teacherUserId: number | null }>`
      INSERT INTO report_cases AS known (document_id, opened_at)
      SELECT id, ${at} FROM documents WHERE id = ${documentId} AND is_published
      -- Locks the open case, so that nobody closes it meanwhile.
      ON CONFLICT (document_id) WHERE closed_at IS NULL DO UPDATE SET opened_at = known.opened_at
      RETURNING id, xmax = 0 AS is_new,
        (SELECT t.user_id FROM documents d JOIN teachers t ON t.id = d.teacher_id
          WHERE d.id = document_id) AS teacher_user_id`.execute(tx)
    const [found] = rows
    if (!found) throw fault('document_not_found')
    const { id: caseId, isNew, teacherUserId } = found
    await tx
      .insertInto('reports')
      .values({ caseId, madeAt: at, ...written })
      .execute()
    if (!isNew || teacherUserId === null) return
    await enqueueMail(tx, jobs, 'report_opened', { userId: teacherUserId, caseId })
  })
}

async function findCase(db: Kysely<Schema>, id: number) {
  const found = await db
    .selectFrom('reportCases')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  if (!found) throw fault('report_not_found')
  return found
}

const CLOSE = 'close report'

/** The fault of an administrator who comes after the end of a case. */
async function isClosed(db: Kysely<Schema>, documentId: number): Promise<ApiFault> {
  const done = await doneBefore(db, { subject: subjectOf(documentId), actions: [CLOSE] })
  return done ?? fault('report_not_found')
}

/** A document with an open case, to be changed as its state allows. */
async function changing(deps: Deps, caseId: number, actor: string) {
  const { documentId } = await findCase(deps.database.kysely, caseId)
  const still = async (tx: Tx) => {
    if ((await findCase(tx, caseId)).closedAt) throw await isClosed(tx, documentId)
  }
  return { id: documentId, editor: { actor }, still }
}

/** Ends an open case; mails the reply to each address that reported, and to the teacher. */
async function close(
  { database, jobs, now }: Pick<Deps, 'database' | 'jobs' | 'now'>,
  { id, actor, reply }: { id: number; actor: string; reply: string },
): Promise<void> {
  const { documentId } = await findCase(database.kysely, id)
  await transaction(database, async (tx) => {
    // The document first, as those who take it down lock it: the mails say whether it is for sale.
    const document = await tx
      .selectFrom('documents')
      .innerJoin('teachers', 'teachers.id', 'documents.teacherId')
      .select(['isPublished', 'userId'])
      .where('documents.id', '=', documentId)
      .forNoKeyUpdate('documents')
      .executeTakeFirstOrThrow()
    const { numUpdatedRows } = await tx
      .updateTable('reportCases')
      .set({ closedAt: new Date(now()), reply, isKept: document.isPublished })
      .where('id', '=', id)
      .where('closedAt', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw await isClosed(tx, documentId)
    await logStaff(tx, { actor, action: CLOSE, subject: subjectOf(documentId), reason: reply })
    const { rows } = await sql<{ reportId: number }>`
      SELECT min(r.id) AS report_id FROM reports r LEFT JOIN users u ON u.id = r.user_id
      WHERE r.case_id = ${id} GROUP BY coalesce(u.email, r.email)
      HAVING coalesce(u.email, r.email) IS NOT NULL ORDER BY 1`.execute(tx)
    for (const { reportId } of rows) await enqueueMail(tx, jobs, 'report_answered', { reportId })
    if (document.userId === null) return
    await enqueueMail(tx, jobs, 'report_closed', { userId: document.userId, caseId: id })
  })
}

/** How many rows a page of the list shows, and how many reports a case. */
const PAGE_SIZE = 20
const REPORTS_SHOWN = 100

function cases(db: Kysely<Schema>) {
  return db
    .selectFrom('reportCases as c')
    .innerJoin('documents as d', 'd.id', 'c.documentId')
    .innerJoin('teachers as t', 't.id', 'd.teacherId')
}

const caseRows = (db: Kysely<Schema>) =>
  cases(db).select((row) => [
    'c.id',
    'c.documentId',
    'c.openedAt',
    'c.closedAt',
    'c.answer',
    'c.reply',
    'd.title',
    'd.isPublished',
    fullNameIn('t').as('teacher'),
    row
      .selectFrom('reports')
      .whereRef('caseId', '=', 'c.id')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .as('count'),
  ])

type Row = Awaited<ReturnType<ReturnType<typeof caseRows>['executeTakeFirstOrThrow']>>

const presentCase = (row: Row): contract.CaseRow => ({
  id: row.id,
  document: { id: row.documentId, title: row.title, isOnSale: row.isPublished },
  teacher: row.teacher,
  openedAt: row.openedAt.toISOString(),
  closedAt: row.closedAt?.toISOString() ?? null,
  isAnswered: row.answer !== null,
  count: Number(row.count),
})

/** The newest reports of a case, with the person who made each: its name, or an e-mail address. */
async function reportsOf(db: Kysely<Schema>, caseId: number) {
  const rows = await db
    .selectFrom('reports as r')
    .leftJoin('users as u', 'u.id', 'r.userId')
    .select(['r.id', 'r.madeAt', 'r.reason', 'r.words', 'r.email', fullNameIn('u').as('name')])
    .where('caseId', '=', caseId)
    .orderBy('r.id', 'desc')
    .limit(REPORTS_SHOWN)
    .execute()
  return rows.map(({ madeAt, name, email, ...report }) => {
    return { ...report, at: madeAt.toISOString(), who: name?.trim() || email }
  })
}

const openCaseOf = (db: Kysely<Schema>, documentId: number) =>
  db
    .selectFrom('reportCases')
    .select(['id', 'answer'])
    .where('documentId', '=', documentId)
    .where('closedAt', 'is', null)
    .executeTakeFirst()

/** Whether an account has proved its e-mail address or phone: strangers have few of these. */
async function isConfirmed(db: Kysely<Schema>, userId: number): Promise<boolean> {
  const found = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where((user) =>
      user.or([user('emailConfirmedAt', 'is not', null), user('phoneConfirmedAt', 'is not', null)]),
    )
    .executeTakeFirst()
  return found !== undefined
}

/** What everybody reports, and what the office does about it. */
export const reportRoutes: Route[] = [
  route(reportDocument, async ({ input, user, deps, limits }) => {
    const { email: typed = null, locale = DEFAULT_LOCALE, ...written } = input.body
    const email = user || typed === null ? null : foldEmail(typed)
    const documentId = input.params.id
    await limits.count('report')
    const person = user?.id ?? email
    if (person !== null) await limits.count('reportOfPerson', person)
    const isKnown = user !== null && (await isConfirmed(deps.database.kysely, user.id))
    if (isKnown) await limits.count('reportByAccount', documentId)
    else {
      // This machine may be a proxy that names no client.
      if (limits.turn !== null) await limits.count('reportFromAddress', documentId)
      await limits.count('reportOfDocument', documentId)
    }
    await report(deps, { documentId, ...written, userId: user?.id ?? null, email, locale })
    return { status: 'SENT' as const }
  }),

  route(contract.getOwnReports, async ({ input, user, deps }) => {
    const { kysely } = deps.database
    await ownDocument(deps, input.params.id, user.teacherId)
    const open = await openCaseOf(kysely, input.params.id)
    if (!open) return null
    const reports = await reportsOf(kysely, open.id)
    return { answer: open.answer, reports: reports.map(({ who: _, ...report }) => report) }
  }),
  route(contract.answerReports, async ({ input, user, deps, limits }) => {
    limits.bound('answer', user.teacherId)
    const { id } = await ownDocument(deps, input.params.id, user.teacherId)
    const { answer } = input.body
    await transaction(deps.database, async (tx) => {
      const { numUpdatedRows } = await tx
        .updateTable('reportCases')
        .set({ answer })
        .where('documentId', '=', id)
        .where('closedAt', 'is', null)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) throw fault('report_not_found')
      const { actor } = user
      await logStaff(tx, { actor, action: 'answer report', subject: subjectOf(id), reason: answer })
    })
  }),

  route(contract.listCases, async ({ input, deps }) => {
    const { kysely } = deps.database
    const { page = 0, size = PAGE_SIZE, state = 'open' } = input.query
    const condition = sql<boolean>`(c.closed_at IS NULL) = ${state === 'open'}`
    const rows = await caseRows(kysely)
      .where(condition)
      .orderBy('c.closedAt', (order) => order.desc().nullsLast())
      .orderBy('c.openedAt')
      .orderBy('c.id')
      .limit(size)
      .offset(page * size)
      .execute()
    const { total } = await cases(kysely)
      .where(condition)
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow()
    return pageOf(rows.map(presentCase), { total: Number(total), page, size })
  }),
  route(contract.getCase, async ({ input, deps }) => {
    const { kysely } = deps.database
    const { id } = input.params
    const row = await caseRows(kysely).where('c.id', '=', id).executeTakeFirst()
    const document = row && (await findDocument(kysely, row.documentId))
    if (!document) throw fault('report_not_found')
    const [reports, history] = [await reportsOf(kysely, id), await namedHistory(kysely, document)]
    return { ...presentCase(row), answer: row.answer, reply: row.reply, reports, history }
  }),
  route(contract.takeDownReported, async ({ input, user, deps }) => {
    await unpublish(deps, await changing(deps, input.params.id, user.actor), input.body.reason)
  }),
  route(contract.putBackReported, async ({ input, user, deps }) => {
    await publishAgain(deps, await changing(deps, input.params.id, user.actor))
  }),
  route(contract.closeCase, async ({ input, user, deps }) => {
    await close(deps, { id: input.params.id, actor: user.actor, reply: input.body.reply })
  }),
]
