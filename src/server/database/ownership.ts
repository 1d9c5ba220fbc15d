import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { explainDisk, StartError } from './start-error.ts'

/** Another running process has the data directory. */
export class DirectoryTaken extends StartError {
  override name = 'DirectoryTaken'
}

const LOCK = 'karras.lock'

// https://www.sqlite.org/rescode.html
const SQLITE_BUSY = 5
const SQLITE_READONLY = 8
const SQLITE_CORRUPT = 11
const SQLITE_FULL = 13
const SQLITE_CANTOPEN = 14
const SQLITE_NOTADB = 26

/**
 * Locks `dataDir` for this process until `release()`; throws `DirectoryTaken` if another process has it,
 * and another `StartError` if it cannot be locked.
 *
 * The lock is SQLite's own exclusive lock on an empty file: atomic, held by the kernel only for
 * this process (children do not inherit it), visible to all containers and users that share the
 * directory, and released when the process ends, however it ends.
 */
export function takeOwnership(dataDir: string) {
  // Nothing else in this process may open this file: closing another handle of it would release the
  // kernel's lock.
  const lock = openLock(dataDir)
  const note = join(dataDir, 'karras.pid')
  // Used only for the message of a second process; the lock decides.
  try {
    writeFileSync(note, `${process.pid}\n`)
  } catch (error) {
    const explained = explainDisk(error, dataDir)
    if (explained !== error) {
      lock.close()
      throw explained
    }
  }

  return {
    release() {
      if (!lock.isOpen) return
      try {
        rmSync(note, { force: true })
      } catch {} // not our file
      lock.close()
    },
  }
}

function openLock(dataDir: string): DatabaseSync {
  let lock: DatabaseSync | undefined
  try {
    lock = new DatabaseSync(join(dataDir, LOCK), { timeout: 0 })
    // No journal file beside the lock, since nothing is ever written.
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock?.close()
    const isTaken = sqliteCode(error) === SQLITE_BUSY
    throw new (isTaken ? DirectoryTaken : StartError)(refusal(dataDir, error), { cause: error })
  }
}

function refusal(dataDir: string, error: unknown): string {
  const lock = join(dataDir, LOCK)
  switch (sqliteCode(error)) {
    case SQLITE_BUSY:
      return `DATA_DIR: ${dataDir} is in use by another running Karras${owner(dataDir)}; stop it, or give this one its own DATA_DIR.`
    case SQLITE_FULL:
      return `DATA_DIR: the disk of ${dataDir} is full; make room there, and start again.`
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return `DATA_DIR: the lock ${lock} is damaged; when no Karras runs on that directory, delete it and start again.`
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
      if (statSync(lock, { throwIfNoEntry: false })?.isFile() === false) {
        return `DATA_DIR: the lock ${lock} is not a file; remove it and start again.`
      }
      return `DATA_DIR: ${dataDir} cannot be written by this user; choose a directory it may write to.`
    default:
      return `DATA_DIR: files in ${dataDir} cannot be locked (${(error as Error).message}); choose a directory on a local disk.`
  }
}

function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined
  // The low byte is the kind of error; the rest only refines it.
  return typeof error.errcode === 'number' ? error.errcode & 0xff : undefined
}

function owner(dataDir: string): string {
  try {
    const pid = Number(readFileSync(join(dataDir, 'karras.pid'), 'utf8'))
    return Number.isInteger(pid) && pid > 0 ? ` (process ${pid})` : ''
  } catch {
    return ''
  }
}
