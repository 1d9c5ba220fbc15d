import { sql } from 'kysely'
import * as contract from '../../contract/office-imports.ts'
import { IMPORT_MAX_PACKAGES, IMPORTS_MAX, IMPORTS_WINDOW_MS } from '../../rules/imports.ts'
import { isApproved } from '../database/sql-parts.ts'
import { type Tx, transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { ownTemplateOf } from '../documents/documents.ts'
import { fault } from '../http/errors.ts'
import { type Route, route } from '../http/route.ts'
import { takeUpload } from '../uploads/uploads.ts'
import { type ImportRow, lastImport, presentImport, UNDER_WAY } from './rows.ts'

/** A teacher's own imports of lists; the teacher comes from the token alone. */
export const importRoutes: Route[] = [
  route(contract.getImport, async ({ user, deps }) => {
    const last = await lastImport(deps.database.kysely, user.id)
    return { last: last ? presentImport(last) : null }
  }),
  route(contract.beginImport, async ({ input, user, deps }) =>
    presentImport(await beginImport(deps, importerOf(user), input.body)),
  ),
  route(contract.startImport, async ({ input, user, deps }) =>
    presentImport(await startImport(deps, importerOf(user), input.params.id)),
  ),
  route(contract.cancelImport, async ({ input, user, deps }) =>
    cancelImport(deps, importerOf(user), input.params.id),
  ),
  route(contract.getImportTemplate, async ({ input, deps, reply }) =>
    reply
      .header('content-type', 'text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="catalogue.csv"')
      .send(await ownTemplateOf(deps.database, input.query.locale)),
  ),
]

const importerOf = ({ id, teacherId }: { id: number; teacherId: number }): Importer => ({
  userId: id,
  teacherId,
})

interface Importer {
  readonly userId: number
  readonly teacherId: number
}

/**
 * Takes over a checked ZIP and queues the check of its list, which also uses the files of the
 * import `after`. Throws `account_not_approved`, `import_open`, `too_many_imports`, `import_not_found`, or what
 * `takeUpload` throws.
 */
async function beginImport(
  deps: Deps,
  importer: Importer,
  { uploadId, after }: { uploadId: string; after?: string | undefined },
): Promise<ImportRow> {
  const { userId } = importer
  return await transaction(deps.database, async (tx) => {
    // A list may begin more drafts than such an account may have.
    if (!(await isApproved(tx, importer.teacherId))) throw fault('account_not_approved')
    // Locks the account, so that the later of two simultaneous calls sees the import of the other.
    await sql`SELECT FROM users WHERE id = ${userId} FOR NO KEY UPDATE`.execute(tx)
    await refuseSecond(tx, userId)
    await refuseTooMany(tx, userId, deps.now())
    const earlier = after === undefined ? undefined : await refusedBefore(tx, userId, after)
    const upload = await takeUpload(tx, { id: uploadId, userId }, 'import', deps.now())
    // This import supersedes those that wait for a decision.
    await tx
      .updateTable('imports')
      .set({ phase: 'given_up', storageKeys: [], changedAt: new Date(deps.now()) })
      .where('userId', '=', userId)
      .where('phase', 'in', ['refused', 'ready'])
      .execute()
    const begun = await tx
      .insertInto('imports')
      .values({
        ...importer,
        name: upload.name,
        storageKeys: [...(earlier?.storageKeys ?? []), upload.key],
        ...(earlier && { checkedFiles: JSON.stringify(earlier.checkedFiles) }),
        phase: 'checking',
        step: null,
        begunAt: new Date(deps.now()),
        changedAt: new Date(deps.now()),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await deps.jobs.enqueue(tx, 'imports', { id: begun.id })
    return begun
  })
}

async function refuseSecond(tx: Tx, userId: number): Promise<void> {
  const open = await tx
    .selectFrom('imports')
    .select('id')
    .where('userId', '=', userId)
    .where('phase', 'in', UNDER_WAY)
    .limit(1)
    .executeTakeFirst()
  if (open) throw fault('import_open')
}

async function refuseTooMany(tx: Tx, userId: number, now: number): Promise<void> {
  const since = new Date(now - IMPORTS_WINDOW_MS)
  const { count, first } = await tx
    .selectFrom('imports')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('begunAt').as('first')])
    .where('userId', '=', userId)
    .where('begunAt', '>', since)
    .executeTakeFirstOrThrow()
  if (Number(count) < IMPORTS_MAX || !first) return
  const retryAfter = Math.ceil((first.getTime() - since.getTime()) / 1000)
  throw fault('too_many_imports', { retryAfter })
}

async function refusedBefore(
  tx: Tx,
  userId: number,
  id: string,
): Promise<Pick<ImportRow, 'storageKeys' | 'checkedFiles'>> {
  const earlier = await tx
    .selectFrom('imports')
    .select(['storageKeys', 'checkedFiles'])
    .where('id', '=', id)
    .where('userId', '=', userId)
    .where('phase', '=', 'refused')
    .executeTakeFirst()
  if (!earlier || earlier.storageKeys.length === 0) throw fault('import_not_found')
  if (earlier.storageKeys.length >= IMPORT_MAX_PACKAGES) throw fault('too_many_imports')
  return earlier
}

/** Starts writing the documents of a valid import; repeated calls change nothing. */
async function startImport(deps: Deps, importer: Importer, id: string): Promise<ImportRow> {
  return await transaction(deps.database, async (tx) => {
    const row = await lockImport(tx, importer, id)
    if (row.phase === 'importing' || row.phase === 'done') return row
    if (row.phase !== 'ready') throw fault('import_state_changed')
    const started = await tx
      .updateTable('imports')
      .set({
        phase: 'importing',
        step: null,
        done: 0,
        tries: 0,
        failures: 0,
        changedAt: new Date(deps.now()),
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await deps.jobs.enqueue(tx, 'imports', { id })
    return started
  })
}

/** Cancels an import; a write in progress is rolled back. */
async function cancelImport(deps: Deps, importer: Importer, id: string): Promise<void> {
  await transaction(deps.database, async (tx) => {
    const { phase } = await lockImport(tx, importer, id)
    if (phase === 'given_up') return
    if (phase === 'done') throw fault('import_state_changed')
    await tx
      .updateTable('imports')
      .set({ phase: 'given_up', storageKeys: [], changedAt: new Date(deps.now()) })
      .where('id', '=', id)
      .execute()
  })
}

async function lockImport(tx: Tx, { userId }: Importer, id: string): Promise<ImportRow> {
  const row = await tx
    .selectFrom('imports')
    .selectAll()
    .where('id', '=', id)
    .where('userId', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw fault('import_not_found')
  return row
}
