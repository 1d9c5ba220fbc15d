import { randomBytes } from 'node:crypto'
import { chmod, link, mkdir, open, readFile, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { explainDisk, StartError } from '../database/start-error.ts'
import { writeWhole } from '../files/files.ts'

/** A key as the shop writes it: 32 bytes. */
const FORM = /^[0-9a-f]{64}\n?$/

/**
 * The key that signs tokens and links and seals authenticators: `JWT_SECRET`, or one created once in
 * `DATA_DIR`, readable only by its owner. Two processes that start at the same time get the same
 * key.
 */
export async function readSecret(
  config: Pick<Config, 'jwtSecret' | 'dataDir'>,
): Promise<Uint8Array> {
  if (config.jwtSecret !== null) return keyOfText(config.jwtSecret)

  const path = secretFile(config.dataDir)
  try {
    await mkdir(config.dataDir, { recursive: true })
    const kept = await readKept(path)
    if (kept === null) return await make(path)
    // A copied data directory may have lost its file modes.
    if (!(await isPrivate(path))) await chmod(path, 0o600)
    return kept
  } catch (error) {
    throw explainDisk(error, config.dataDir)
  }
}

/**
 * The key that a text means. The content of the file means the same in `JWT_SECRET`: a shop that
 * moves to a database server keeps its authenticators and links.
 */
export function keyOfText(text: string): Uint8Array {
  return FORM.test(text) ? Buffer.from(text.trim(), 'hex') : new TextEncoder().encode(text)
}

/**
 * What an earlier version made of a `JWT_SECRET` of 64 hexadecimal digits: the digits themselves.
 * It sealed authenticators with them.
 */
export function formerKey(secret: Uint8Array): Uint8Array {
  return new TextEncoder().encode(Buffer.from(secret).toString('hex'))
}

/** Where the key is that a shop without `JWT_SECRET` has made. */
export const secretFile = (dataDir: string): string => join(dataDir, 'secret')

/** The key of a shop that has one: `JWT_SECRET`, or that of `DATA_DIR`; null: its start makes one. */
export async function secretIfThere({
  jwtSecret,
  dataDir,
}: Pick<Config, 'jwtSecret' | 'dataDir'>): Promise<Uint8Array | null> {
  if (jwtSecret !== null) return keyOfText(jwtSecret)
  return await readKept(secretFile(dataDir))
}

/** Puts the secret of a backup into `DATA_DIR`, for its owner alone; one that is there stays. */
export async function restoreSecret(dataDir: string, secret: string): Promise<void> {
  if (!FORM.test(secret)) throw new StartError('The secret of the backup is damaged.')
  const path = secretFile(dataDir)
  if ((await readKept(path)) === null) await writeWhole(path, secret, { mode: 0o600 })
}

/** Whether no other user of this machine may read a file. */
export async function isPrivate(path: string): Promise<boolean> {
  return ((await stat(path)).mode & 0o077) === 0
}

async function readKept(path: string): Promise<Uint8Array | null> {
  const kept = await readFile(path, 'latin1').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw new StartError(
      `DATA_DIR: the secret ${path} cannot be read (${error.code}); give this file to the user that the shop runs as.`,
      { cause: error },
    )
  })
  if (kept === null) return null
  if (!FORM.test(kept)) {
    throw new StartError(
      `DATA_DIR: ${path} does not hold a secret (64 hexadecimal digits; it has ${kept.length} characters): put the right one back, or delete the file, and everybody logs in again.`,
    )
  }
  return keyOfText(kept)
}

/**
 * Writes the key under another name, then links it: the first process to link wins, and an
 * incomplete key is never read.
 */
async function make(path: string): Promise<Uint8Array> {
  const draft = `${path}.${randomBytes(8).toString('hex')}`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(`${randomBytes(32).toString('hex')}\n`)
    await file.sync()
    await file.close()
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await file.close().catch(() => {})
    await unlink(draft)
  }
  const kept = await readKept(path)
  if (kept === null) throw new Error(`${path} disappeared while it was being made.`)
  return kept
}
