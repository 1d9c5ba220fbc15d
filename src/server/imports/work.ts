import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { fullName } from '../../rules/full-name.ts'
import {
  IMPORT_MAX_TRIES,
  IMPORT_NOTES_SHOWN,
  IMPORT_PROBLEMS_SHOWN,
  type ImportPhase,
  type ImportStep,
} from '../../rules/imports.ts'
import type { Schema } from '../database/schema.ts'
import type { Deps } from '../deps.ts'
import {
  checkList,
  customerOf,
  type FoundFiles,
  ImportRefused,
  importList,
  type ListOwner,
  openPackages,
  problemOfList,
} from '../documents/documents.ts'
import { hashIn } from '../files/files.ts'
import { userActor } from '../staff-log/staff-log.ts'
import { aside, type Zip } from '../uploads/uploads.ts'
import { WorkersBusy } from '../workers/workers.ts'
import { type ImportRow, UNDER_WAY } from './rows.ts'

/** Thrown when the import was cancelled meanwhile, or another process has finished it. */
class ImportEnded extends Error {
  override readonly name = 'ImportEnded'
}

/**
 * Does the next step of an import: checks its list, or writes its documents. May be killed at any
 * moment and repeated by any process: documents are written in one transaction with the state of
 * the import. Stops, to be resumed later, when `stopping` is aborted.
 */
export async function workOnImport(deps: Deps, id: string, stopping: AbortSignal): Promise<void> {
  const row = await takeTry(deps, id)
  if (!row) return
  await mkdir(aside(deps.config.dataDir), { recursive: true })
  const folder = await mkdtemp(join(aside(deps.config.dataDir), 'import-'))
  try {
    await work(deps, row, folder, stopping)
  } catch (error) {
    if (error instanceof ImportEnded) return
    // The shop stops, or the machine is busy: it was not the import that failed.
    const isOwnFault = !stopping.aborted && !(error instanceof WorkersBusy)
    if (isOwnFault && (await countFailure(deps, id)) >= IMPORT_MAX_TRIES) {
      await end(deps, row, { phase: 'failed' })
    }
    throw error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Ends an import in which the process ended twice: tried again, it would end the shop again. Its
 * teacher is told so.
 */
export async function giveUpImport(deps: Deps, id: string): Promise<void> {
  await deps.database.kysely
    .updateTable('imports')
    .set({
      phase: 'failed',
      step: null,
      problems: JSON.stringify([problemOfList('stopped_shop')]),
      problemCount: 1,
      changedAt: new Date(deps.now()),
    })
    .where('id', '=', id)
    .where('phase', 'in', UNDER_WAY)
    .execute()
}

/** Counts a failed try; returns how many there were in this phase. */
async function countFailure({ database }: Deps, id: string): Promise<number> {
  const { failures } = await database.kysely
    .updateTable('imports')
    .set({ failures: sql<number>`failures + 1` })
    .where('id', '=', id)
    .returning('failures')
    .executeTakeFirstOrThrow()
  return failures
}

/** Counts another attempt and returns the import; undefined if there is nothing left to do. */
async function takeTry({ database }: Deps, id: string): Promise<ImportRow | undefined> {
  return await database.kysely
    .updateTable('imports')
    .set({ tries: sql<number>`tries + 1`, step: null, done: 0 })
    .where('id', '=', id)
    .where('phase', 'in', UNDER_WAY)
    .returningAll()
    .executeTakeFirst()
}

async function work(
  deps: Deps,
  row: ImportRow,
  folder: string,
  stopping: AbortSignal,
): Promise<void> {
  const found = new Map(Object.entries(row.checkedFiles))
  try {
    const owner = await ownerOf(deps, row)
    const zips = await zipsOf(deps, row)
    const source = await openPackages(deps, zips, { folder, customer: customerOf(owner) })
    const progress = reporting(deps, row, stopping)
    const options = { source, owner, found, progress }
    if (row.phase === 'checking') {
      const { documents, created, notes } = await checkList(deps, options)
      const counts = { created, unchanged: documents.length - created }
      const said = { ...counts, ...shownNotes(notes), ...checkedFiles(found) }
      return await end(deps, row, { phase: 'ready', ...said })
    }
    await importList(deps, options, async (tx, { created, changed, unchanged }) => {
      const counts = { created, changed, unchanged }
      const done = await ended(tx, deps, row, { phase: 'done', storageKeys: [], ...counts })
      if (!done) throw new ImportEnded()
    })
  } catch (error) {
    if (error instanceof ImportRefused) return await refuse(deps, row, error, found)
    throw error
  }
}

const checkedFiles = (found: FoundFiles) => {
  return { checkedFiles: JSON.stringify(Object.fromEntries(found)) }
}

const shownNotes = (notes: ImportRefused['notes']) => {
  return { notes: JSON.stringify(notes.slice(0, IMPORT_NOTES_SHOWN)) }
}

async function zipsOf({ files }: Deps, { storageKeys }: ImportRow): Promise<Zip[]> {
  const zips: Zip[] = []
  for (const key of storageKeys) {
    const path = await files.localPath(key)
    if (path === null) throw new Error(`${key} is not in the storage`)
    zips.push({ path, sha256: hashIn(key) })
  }
  return zips
}

async function ownerOf({ database }: Deps, { userId, teacherId }: ImportRow): Promise<ListOwner> {
  const teacher = await database.kysely
    .selectFrom('teachers')
    .select(['id', 'email', 'firstName', 'lastName', 'latinName'])
    .where('id', '=', teacherId)
    .executeTakeFirstOrThrow()
  const { id, email, latinName } = teacher
  const names = `${fullName(teacher)} ${latinName}`
  return { actor: userActor(userId), teacher: { id, email, names } }
}

/** How often the progress is stored, in milliseconds. */
const PROGRESS_MS = 500

/** Stores the progress; throws if the work has to stop, or the import was cancelled. */
function reporting({ database }: Deps, { id, phase }: ImportRow, stopping: AbortSignal) {
  let isUnderWay = true
  let last = { step: '', at: 0 }
  return (step: ImportStep, done: number, total: number): void => {
    stopping.throwIfAborted()
    if (!isUnderWay) throw new ImportEnded()
    const at = performance.now()
    if (step === last.step && at - last.at < PROGRESS_MS) return
    last = { step, at }
    database.kysely
      .updateTable('imports')
      .set({ step, done, total, changedAt: sql<Date>`now()` })
      .where('id', '=', id)
      .where('phase', '=', phase)
      .executeTakeFirst()
      .then(({ numUpdatedRows }) => {
        isUnderWay = numUpdatedRows > 0n
      })
      // Ignored: if the database is unreachable, the work itself fails.
      .catch(() => {})
  }
}

async function refuse(
  deps: Deps,
  row: ImportRow,
  { problems, notes }: ImportRefused,
  found: FoundFiles,
): Promise<void> {
  await end(deps, row, {
    phase: 'refused',
    problems: JSON.stringify(problems.slice(0, IMPORT_PROBLEMS_SHOWN)),
    problemCount: problems.length,
    ...shownNotes(notes),
    ...checkedFiles(found),
  })
}

interface End {
  readonly phase: Exclude<ImportPhase, (typeof UNDER_WAY)[number]>
  readonly storageKeys?: string[]
  readonly problems?: string
  readonly problemCount?: number
  readonly notes?: string
  readonly checkedFiles?: string
  readonly created?: number
  readonly changed?: number
  readonly unchanged?: number
}

async function end(deps: Deps, row: ImportRow, how: End): Promise<void> {
  await ended(deps.database.kysely, deps, row, how)
}

/** Ends a running import; false if it had already ended. */
async function ended(
  db: Kysely<Schema>,
  { now }: Deps,
  { id, phase }: ImportRow,
  how: End,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('imports')
    .set({ ...how, step: null, changedAt: new Date(now()) })
    .where('id', '=', id)
    .where('phase', '=', phase)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
