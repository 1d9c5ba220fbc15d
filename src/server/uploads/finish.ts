import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { ALL_ERRORS } from '../../contract/all-errors.ts'
import { sharedWork } from '../concurrency/shared-work.ts'
import type { Schema } from '../database/schema.ts'
import { transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { writeWhole } from '../files/files.ts'
import { ApiFault, fault } from '../http/errors.ts'
import { type Customer, inTime } from '../workers/workers.ts'
import { type ArrivedFile, type CheckedFile, checkFile } from './check-file.ts'
import { findUpload, type UploadOf, type UploadRow } from './rows.ts'

/** A caller that repeats the call, after a lost connection or a 503, waits for the running check. */
const finishing = sharedWork<UploadRow>()

/**
 * Checks an upload that has arrived completely, and stores it; a repeated call returns the same.
 * Throws `upload_incomplete`, `WorkersBusy` while the check goes on, or the fault of the file,
 * which is then deleted.
 */
export async function finish(deps: Deps, of: UploadOf): Promise<UploadRow> {
  const upload = await findUpload(deps.database.kysely, of, deps.now())
  if (upload.checkedAt) return upload
  if (upload.received < upload.size) throw fault('upload_incomplete')
  return await inTime(finishing(of.id, () => finishUpload(deps, upload)))
}

async function finishUpload(deps: Deps, upload: UploadRow): Promise<UploadRow> {
  const path = join(aside(deps.config.dataDir), `${upload.id}.${randomUUID()}`)
  try {
    const file = await assemble(deps, upload, path)
    const customer: Customer = { lane: 'drafts', account: `user ${upload.userId}` }
    const checked = await checkFile(deps, upload.purpose, file, customer)
    const kept = await keep(deps, upload, checked, path)
    await deps.files.parts.remove(upload.id)
    return kept
  } catch (error) {
    if (isRefusal(error)) {
      await deps.database.kysely.deleteFrom('uploads').where('id', '=', upload.id).execute()
      await deps.files.parts.remove(upload.id)
    }
    throw error
  } finally {
    await rm(path, { force: true })
  }
}

/**
 * The directory of files while they are checked; files left by a crash are deleted by the clean-up.
 */
export const aside = (dataDir: string): string => join(dataDir, 'uploads')

/** Whether another attempt would end in the same way. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof ApiFault) || error.code === 'upload_incomplete') return false
  return ALL_ERRORS[error.code].status < 500
}

/** Writes the parts into one file, one after the other. */
async function assemble(deps: Deps, upload: UploadRow, path: string): Promise<ArrivedFile> {
  const hash = createHash('sha256')
  await writeWhole(
    path,
    async (file) => {
      let offset = 0
      for (const length of upload.parts) {
        const part = await deps.files.parts.read(upload.id, { offset, length })
        if (!part) throw await restartUpload(deps, upload)
        for await (const piece of part) {
          hash.update(piece)
          await file.writeFile(piece)
        }
        offset += length
      }
    },
    { flush: false },
  )
  return { path, size: upload.size, sha256: hash.digest('hex') }
}

/** Restarts an upload whose parts are lost, as in a shop restored from a backup. */
async function restartUpload(deps: Deps, { id }: UploadRow): Promise<ApiFault> {
  await deps.database.kysely
    .updateTable('uploads')
    .set({ received: 0, parts: [] })
    .where('id', '=', id)
    .execute()
  return fault('upload_incomplete')
}

/**
 * Stores a checked file. The upload's reference to it is committed first, so that the clean-up
 * never finds the file unreferenced.
 */
async function keep(
  deps: Deps,
  { id }: UploadRow,
  { key, bytes, size, start: _, missingFonts, ...facts }: CheckedFile,
  path: string,
): Promise<UploadRow> {
  const { database, files } = deps
  await transaction(database, async (tx) => {
    await lockKey(tx, key)
    const lacking = { missingFonts: [...missingFonts] }
    const referring = { ...facts, ...lacking, storageKey: key, storedSize: size }
    await tx.updateTable('uploads').set(referring).where('id', '=', id).execute()
  })
  await files.putAs(key, bytes ?? createReadStream(path))
  const kept = await database.kysely
    .updateTable('uploads')
    .set({ checkedAt: new Date(deps.now()), touchedAt: new Date(deps.now()) })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  // The upload was cancelled meanwhile; the clean-up deletes the stored file.
  if (!kept) throw fault('upload_not_found')
  return kept
}

/** The first key of the advisory locks of stored files; no other code uses this number. */
const STORED_FILES = 12

/**
 * Locks a stored file: until the transaction ends, no other one can begin to refer to it or delete
 * it.
 */
export async function lockKey(db: Kysely<Schema>, key: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${key}, ${STORED_FILES}))`.execute(db)
}
