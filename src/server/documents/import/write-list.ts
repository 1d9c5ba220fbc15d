import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { isReviewed } from '../../../rules/document-life.ts'
import { CATALOGUE_TAG, documentTag, TEACHERS_TAG, teacherTag } from '../../../rules/page-tags.ts'
import type { Tx } from '../../database/transaction.ts'
import { draftsProblem, knownProblem } from './known-problems.ts'
import { readKnown } from './known-shop.ts'
import type { ListOwner } from './owner.ts'
import { ImportRefused } from './problems.ts'
import type { StoredDocument } from './store-files.ts'
import { changeListed } from './write-listed.ts'
import { createDocuments, type NewDocument } from './write-new.ts'
import { changeOwn } from './write-own.ts'
import { writeTeachers } from './write-teachers.ts'
import { columnsOf } from './written-columns.ts'

export interface Imported {
  readonly created: number
  readonly changed: number
  readonly unchanged: number
  /** The tags of the pages that show the changes. */
  readonly tags: readonly string[]
}

/** The advisory lock that an import holds while it writes; no other code uses this number. */
export const IMPORTING = 7_201_958

/** How many documents are written without a pause. */
const BATCH = 50

/**
 * Writes all documents of a list, or none: creates new ones, and changes what differs in others.
 */
export async function writeList(
  tx: Tx,
  documents: readonly StoredDocument[],
  owner: ListOwner,
): Promise<Imported> {
  const change = owner.teacher ? changeOwn : changeListed
  // Imports write one after the other, so that the second finds the documents of the first.
  await sql`SELECT pg_advisory_xact_lock(${IMPORTING})`.execute(tx)
  const known = await readKnown(
    tx,
    documents.map(({ reference }) => reference),
  )
  const problems = documents.flatMap((each) => {
    const { sha256 } = each.pdf
    const file = { sha256, coverPath: each.coverPath }
    return knownProblem(each, known.get(each.reference), owner, file) ?? []
  })
  const drafts = await draftsProblem(tx, documents.length - known.size, owner)
  if (drafts) problems.push(drafts)
  if (problems.length > 0) throw new ImportRefused(problems)

  const own = owner.teacher && {
    id: owner.teacher.id,
    names: owner.teacher.names,
  }
  const teachers = own ? new Map() : await writeTeachers(tx, documents)
  const counts = { created: 0, changed: 0, unchanged: 0 }
  const tags = new Set<string>()
  const listed = documents.map((document): NewDocument => {
    const teacher = own ?? teachers.get(document.teacher.email)
    if (!teacher) throw new Error(`${document.teacher.email} is no teacher`)
    return { document, columns: columnsOf(document, teacher) }
  })
  for (let at = 0; at < listed.length; at += BATCH) {
    const startedAt = performance.now()
    const batch = listed.slice(at, at + BATCH)
    const fresh = batch.filter(({ document }) => !known.has(document.reference))
    const created = await createDocuments(tx, fresh, owner.actor)
    for (const { document, columns } of batch) {
      const before = known.get(document.reference)
      const id = before
        ? await change(tx, before, document, columns, owner.actor)
        : (created.get(document.reference) ?? null)
      counts[before ? (id === null ? 'unchanged' : 'changed') : 'created'] += 1
      // Documents that were never for sale are on no page.
      if (id === null || !(before?.firstPublishedAt || isReviewed(document.state))) continue
      for (const tag of [documentTag(id), teacherTag(columns.teacherId)]) tags.add(tag)
    }
    // Pauses for as long as the batch took, to leave the database to visitors.
    await wait(performance.now() - startedAt)
  }
  if (tags.size > 0) tags.add(CATALOGUE_TAG).add(TEACHERS_TAG)
  return { ...counts, tags: [...tags] }
}
