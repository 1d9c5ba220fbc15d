import type { CatalogueSubject } from '../../../contract/office-site-versions.ts'
import {
  ENTRY_KINDS,
  type FeaturedKind,
  LISTS,
  type ListName,
} from '../../../rules/catalogue-lists.ts'
import type { Tx } from '../../database/transaction.ts'
import { type ChaptersState, restoreChapters } from './chapters.ts'
import { type EntryState, writeState } from './entries.ts'
import { writeFeatured } from './featured.ts'
import { type OrderState, writeOrder } from './lists.ts'

/**
 * Sets an entry, an order, chapters or the featured items to the state of a version, and returns the tags of
 * the pages that show them. Throws `not_found` or `name_taken`.
 */
export function writeCatalogueVersion(
  tx: Tx,
  subject: CatalogueSubject,
  value: unknown,
): Promise<string[]> {
  const [kind, name = ''] = subject.split(' ')
  if (kind === 'list') return writeOrder(tx, name as ListName, (value as OrderState).ids)
  if (kind === 'featured') return writeFeatured(tx, name as FeaturedKind, (value as OrderState).ids)
  if (kind === 'chapters') {
    const [, classId, subjectId] = subject.split(' ').map(Number)
    const of = { classId: Number(classId), subjectId: Number(subjectId) }
    return restoreChapters(tx, of, value as ChaptersState)
  }
  const list = LISTS.find((each) => ENTRY_KINDS[each] === kind) as ListName
  return writeState(tx, list, Number(name), value as EntryState)
}
