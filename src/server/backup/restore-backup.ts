import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Transaction } from 'kysely'
import { countStoppedFactors } from '../accounts/accounts.ts'
import { refuseWithoutArabic } from '../database/migrate.ts'
import type { Connection } from '../database/pool.ts'
import type { Schema } from '../database/schema.ts'
import type { Storage } from '../files/files.ts'
import { restoreSecret, secretIfThere } from '../http/secret.ts'
import { checkLedger, isLedgerSound, type LedgerReport } from '../money/money.ts'
import { noteRestore } from '../waiting/waiting.ts'
import { restoreFile } from './files.ts'
import { beginLoading, refuseBusy, refuseFilled, refuseNewerBackup } from './load-database.ts'
import { prepareQueue, restoreMails } from './mails.ts'
import { checkBackup, withBackup } from './read-backup.ts'
import { connectOnce } from './single-connection.ts'
import type { Progress } from './take-backup.ts'

export interface RestoreOptions {
  /** The path of the backup. */
  readonly path: string
  readonly connection: Connection
  readonly dataDir: string
  /** The shop's own secret, which then counts and not that of the backup; null: none is given. */
  readonly jwtSecret: string | null
  /** Where the files are restored. */
  readonly storage: Storage
  /** Whether to keep the restored shop even if its ledger is wrong. */
  readonly evenUnsound: boolean
  readonly progress?: Progress
}

/** The result of a restore; `isKept` is false if the ledger is wrong and nothing was kept. */
export type RestoredShop = Awaited<ReturnType<typeof restoreBackup>>

/**
 * Caches of an earlier shop in this directory: pages, and the position up to which they include
 * changes, also under the name that the file had before.
 */
const REBUILT = ['pages', 'pages-position.json', 'pages-heard.json']

/**
 * Reads a backup to its end and checks it; throws a `BadBackup` whose message states the problem in
 * a line.
 */
export async function checkForRestore(path: string, progress: Progress): Promise<void> {
  const { header } = await checkBackup(path, (read, size) => progress('checking', read, size))
  refuseNewerBackup(header)
}

/** Thrown to roll the restore back. */
class LedgerIsWrong extends Error {
  readonly ledger: LedgerReport

  constructor(ledger: LedgerReport) {
    super('the ledger is wrong')
    this.ledger = ledger
  }
}

/**
 * Restores a backup that passed `checkForRestore`. One transaction fills the database, migrates it
 * to this version and checks its ledger; it commits after the last file is written. If it is
 * interrupted at any moment, the database is as empty as before, and the next attempt writes the
 * files again. Throws a `StartError` if the database is not empty.
 */
export async function restoreBackup(options: RestoreOptions) {
  const { path, dataDir, storage, progress = () => {} } = options
  const target = await connectOnce(options.connection)
  try {
    return await withBackup(path, async (header, parts, size) => {
      await refuseBusy(target.kysely)
      await target.kysely.transaction().execute((tx) => refuseFilled(tx, header))
      await prepareQueue(options.connection)

      let files = 0
      let secret: string | null = null
      const restore = async (tx: Transaction<Schema>) => {
        await refuseFilled(tx, header)
        const loading = await beginLoading(target, tx, header)
        let done = 0
        for await (const part of parts) {
          const pieces = counted(part.pieces, (bytes) => {
            done += bytes
            progress(part.kind === 'table' ? `table ${part.name}` : part.kind, done, size)
          })
          if (part.kind === 'table') await loading.table({ ...part, pieces })
          else if (part.kind === 'mails') await restoreMails(tx, { ...part, pieces })
          else if (part.kind === 'secret') secret = await text(pieces)
          else {
            await restoreFile(storage, part.name, pieces)
            files += 1
          }
        }
        progress('checking the ledger', size, size)
        await loading.finish()
        await refuseWithoutArabic(tx)
        const ledger = await checkLedger(tx)
        if (!isLedgerSound(ledger) && !options.evenUnsound) throw new LedgerIsWrong(ledger)
        await noteRestore(tx, new Date(header.madeAt))
        if (secret !== null && options.jwtSecret === null) await restoreSecret(dataDir, secret)
        const inPlace = await secretIfThere(options)
        const stopped = await countStoppedFactors(tx, inPlace)
        for (const name of REBUILT) await rm(join(dataDir, name), { recursive: true, force: true })
        return { ledger, hasSecret: inPlace !== null, stopped }
      }
      try {
        const restored = await target.kysely.transaction().execute(restore)
        return { header, files, ...restored, isKept: true }
      } catch (error) {
        if (!(error instanceof LedgerIsWrong)) throw error
        const { ledger } = error
        return { header, files, ledger, isKept: false, hasSecret: false, stopped: 0 }
      }
    })
  } finally {
    await target.close()
  }
}

async function* counted(
  pieces: AsyncGenerator<Buffer>,
  count: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    count(piece.length)
    yield piece
  }
}
