import { readFile } from 'node:fs/promises'
import { writeWhole } from '../../files/files.ts'
import type { Position } from './page-changes.ts'

/**
 * The position up to which the pages of a data directory know of changes; `at` in ms since 1970.
 */
interface SavedPosition {
  readonly position: Position
  readonly at: number
}

/** Reads the file; undefined if it is missing or damaged, so that all pages are rendered again. */
export async function loadPosition(file: string): Promise<SavedPosition | undefined> {
  try {
    const { position, at } = JSON.parse(await readFile(file, 'utf8'))
    const { transaction, note } = position
    const isWhole = /^\d{1,20}$/.test(transaction) && Number.isInteger(note) && Number.isFinite(at)
    return isWhole ? { position: { transaction, note }, at } : undefined
  } catch {
    return undefined
  }
}

/** Writes the file, whole or not at all. */
export function savePosition(file: string, saved: SavedPosition): Promise<void> {
  return writeWhole(file, JSON.stringify(saved), { flush: false })
}
