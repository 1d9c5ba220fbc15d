import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Position } from './page-changes.ts'

/** Up to where the pages of a data directory have heard of changes. */
export interface Heard {
  readonly position: Position
  /** Milliseconds since 1970. */
  readonly at: number
}

/** What was kept; undefined where nothing is, or nothing that can be trusted. */
export async function readHeard(file: string): Promise<Heard | undefined> {
  try {
    const { position, at } = JSON.parse(await readFile(file, 'utf8'))
    const { transaction, note } = position
    const isWhole = /^\d{1,20}$/.test(transaction) && Number.isInteger(note) && Number.isFinite(at)
    return isWhole ? { position: { transaction, note }, at } : undefined
  } catch {
    // Without it all pages are rendered again.
    return undefined
  }
}

/** Keeps it, whole or not at all. */
export async function keepHeard(file: string, heard: Heard): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  const draft = `${file}.${randomUUID()}`
  await writeFile(draft, JSON.stringify(heard))
  await rename(draft, file)
}
