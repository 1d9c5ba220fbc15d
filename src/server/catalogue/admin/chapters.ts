import { type Kysely, sql } from 'kysely'
import type { ChapterList, SavedChapter } from '../../../contract/office-chapters.ts'
import {
  CHAPTER_ALIASES_MAX,
  CHAPTERS_MAX,
  sharedName,
  type WrittenChapter,
} from '../../../rules/chapters.ts'
import { CATALOGUE_TAG, REFERENCE_TAG } from '../../../rules/page-tags.ts'
import { foldText } from '../../../rules/search-fold.ts'
import type { Schema } from '../../database/schema.ts'
import { lock, type Tx } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { fault } from '../../http/errors.ts'
import { changePages } from '../../publishing/publishing.ts'
import {
  addVersion,
  changeSubject,
  describeDifferences,
  lastChanges,
  latestVersions,
} from '../../versions/versions.ts'

/** The class and the subject whose chapters a list has. */
interface ListOf {
  readonly classId: number
  readonly subjectId: number
}

type Chapter = WrittenChapter & { readonly id: number }

/** The content of a version of a list. */
export interface ChaptersState {
  readonly chapters: readonly Chapter[]
}

const subjectOf = ({ classId, subjectId }: ListOf) => `chapters ${classId} ${subjectId}` as const

/** Pages of documents name their chapters; those of the programme and the shop list them. */
const TAGS = [REFERENCE_TAG, CATALOGUE_TAG]

/** Throws `not_found` for a class or a subject that does not exist. */
export async function readChapters(db: Kysely<Schema>, of: ListOf): Promise<ChapterList> {
  await requireList(db, of)
  const subject = subjectOf(of)
  const [chapters, { rows }, versions] = await Promise.all([
    readList(db, of),
    sql<{ id: number; documents: number }>`
      SELECT chapters.id, count(*)::integer AS documents FROM chapters
      JOIN documents ON chapter_ids @> ARRAY[chapters.id]
      WHERE chapters.niveau_id = ${of.classId} AND chapters.matiere_id = ${of.subjectId}
      GROUP BY chapters.id`.execute(db),
    latestVersions(db, [subject]),
  ])
  const counts = new Map(rows.map(({ id, documents }) => [id, documents]))
  const changes = await lastChanges(db, versions)
  return {
    chapters: chapters.map((each) => ({
      ...each,
      aliases: [...each.aliases],
      documents: counts.get(each.id) ?? 0,
    })),
    ...changes(subject),
  }
}

async function requireList(db: Kysely<Schema>, { classId, subjectId }: ListOf): Promise<void> {
  const { rows } = await sql`
    SELECT FROM niveaux, matieres
    WHERE niveaux.id = ${classId} AND matieres.id = ${subjectId}`.execute(db)
  if (rows.length === 0) throw fault('not_found')
}

async function readList(db: Kysely<Schema>, { classId, subjectId }: ListOf): Promise<Chapter[]> {
  const { rows } = await sql<Chapter>`
    SELECT id, name_ar AS ar, name_fr AS fr, aliases, trimester, is_hidden FROM chapters
    WHERE niveau_id = ${classId} AND matiere_id = ${subjectId} AND merged_into IS NULL
    ORDER BY position, id`.execute(db)
  return rows
}

interface Change {
  readonly of: ListOf
  readonly revision: number
  readonly actor: string
}

/**
 * Replaces a list. Throws `not_found`, `done_before`, `name_taken`, `chapter_in_use`, and
 * `invalid_input` for a chapter without a name or of another list.
 */
export function saveChapters(
  deps: Deps,
  { chapters, ...change }: Change & { chapters: readonly SavedChapter[] },
): Promise<void> {
  return changeList(deps, change, async (tx, before, isOlder) => {
    const own = new Set(before.map(({ id }) => id))
    const ids = chapters.flatMap(({ id }) => id ?? [])
    const isNameless = chapters.some(({ ar, fr }) => ar === '' && fr === '')
    const isStrange = ids.some((id) => !own.has(id))
    if (isStrange && isOlder) throw fault('done_before')
    if (isNameless || new Set(ids).size < ids.length || isStrange) {
      throw fault('invalid_input', { fields: { chapters: 'invalid' } })
    }
    const gone = before.filter(({ id }) => !ids.includes(id)).map(({ id }) => id)
    if ((await usedOf(tx, gone)).size > 0) throw fault('chapter_in_use')
    await writeList(tx, change.of, chapters, gone)
    return null
  })
}

/**
 * Merges a chapter into another, offered one of its list, which gets its names as other names. Throws `not_found`
 * or `done_before`.
 */
export function mergeChapters(
  deps: Deps,
  { from, into, ...change }: Change & { from: number; into: number },
): Promise<void> {
  return changeList(deps, change, async (tx, before, isOlder) => {
    const [merged, kept] = [from, into].map((id) => before.find((each) => each.id === id))
    if (!merged || !kept || kept.isHidden || from === into) {
      throw fault(isOlder ? 'done_before' : 'not_found')
    }
    const known = new Set([kept.ar, kept.fr].map(foldText))
    const aliases = [...kept.aliases, merged.ar, merged.fr, ...merged.aliases]
      .filter((name) => {
        const folded = foldText(name)
        return folded !== '' && !known.has(folded) && known.add(folded)
      })
      .slice(0, CHAPTER_ALIASES_MAX)
    await sql`
      UPDATE chapters SET merged_into = ${into}
      WHERE id = ${from} OR merged_into = ${from}`.execute(tx)
    await tx.updateTable('chapters').set({ aliases }).where('id', '=', into).execute()
    const { numAffectedRows: documents } = await sql`
      UPDATE documents SET revision = revision + 1,
        chapter_ids = array_replace(chapter_ids, ${from}, ${into})
      WHERE chapter_ids @> ARRAY[${from}::integer]`.execute(tx)
    return `${from} → ${into}, documents: ${documents}`
  })
}

/**
 * Moves a chapter to the end of another list, with its documents. Throws `not_found`, `done_before`,
 * `name_taken`, `list_full`.
 */
export function moveChapter(
  deps: Deps,
  { of, to, id, revision, actor }: Change & { to: ListOf; id: number },
): Promise<void> {
  return changePages(deps, async (tx, markStale) => {
    // In one order, so that two opposite moves do not wait for each other.
    for (const subject of [subjectOf(of), subjectOf(to)].sort()) await lock(tx, subject)
    await requireList(tx, to)
    const versions = await latestVersions<string>(tx, [subjectOf(of), subjectOf(to)])
    const lists = [of, to]
    const before = await Promise.all(lists.map((list) => readList(tx, list)))
    const [own = [], others = []] = before
    const chapter = own.find((each) => each.id === id)
    if (revision !== (versions.get(subjectOf(of))?.revision ?? 0)) throw fault('done_before')
    if (!chapter || subjectOf(of) === subjectOf(to)) throw fault('not_found')
    if (others.length >= CHAPTERS_MAX) throw fault('list_full')
    if (sharedName([...others, chapter])) throw fault('name_taken')
    const place = { niveauId: to.classId, matiereId: to.subjectId }
    await tx
      .updateTable('chapters')
      .set({ ...place, position: sql`(SELECT coalesce(max(position), 0) + 1 FROM chapters)` })
      .where((is) => is.or([is('id', '=', id), is('mergedInto', '=', id)]))
      .execute()
    const { numAffectedRows: documents } = await sql`
      UPDATE documents SET niveau_id = ${to.classId}, matiere_id = ${to.subjectId},
        level = (SELECT level FROM niveaux WHERE id = ${to.classId}), revision = revision + 1
      WHERE chapter_ids @> ARRAY[${id}::integer]`.execute(tx)
    const madeAt = new Date(deps.now())
    for (const [at, list] of lists.entries()) {
      const subject = subjectOf(list)
      const was = { chapters: before[at] ?? [] }
      const value = { chapters: await readList(tx, list) }
      const reason = `${id}: ${subjectOf(of)} → ${subjectOf(to)}, documents: ${documents}`
      const next = { value, before: was, reason }
      await addVersion(tx, { subject, actor, madeAt }, { latest: versions.get(subject), next })
    }
    markStale(TAGS)
  })
}

/**
 * Changes a list; `work` returns what the log says of it beside the differences, if anything. It is
 * told whether an older list was read: then what it does not find may have been there.
 */
function changeList(
  deps: Deps,
  { of, revision, actor }: Change,
  work: (tx: Tx, before: readonly Chapter[], isOlder: boolean) => Promise<string | null>,
): Promise<void> {
  const change = { subject: subjectOf(of), revision, actor }
  return changeSubject(deps, change, async (tx, latest) => {
    await requireList(tx, of)
    const before = { chapters: await readList(tx, of) }
    const isOlder = revision !== (latest?.revision ?? 0)
    const noted = await work(tx, before.chapters, isOlder)
    const value = { chapters: await readList(tx, of) }
    const differences = describeDifferences(before, value)
    if (differences === '') return null
    return { value, before, reason: noted ?? differences, tags: TAGS }
  })
}

/**
 * Sets a list to the chapters of a version, and returns the tags of the pages that show them. Those
 * that documents have since got stay, hidden; those that are in another list now stay there.
 */
export async function restoreChapters(
  tx: Tx,
  of: ListOf,
  { chapters }: ChaptersState,
): Promise<string[]> {
  await requireList(tx, of)
  const now = await readList(tx, of)
  const { rows: elsewhere } = await sql<{ id: number }>`
    SELECT id FROM chapters WHERE id = ANY (${chapters.map(({ id }) => id)}::integer[])
      AND (niveau_id, matiere_id) <> (${of.classId}::integer, ${of.subjectId}::integer)`.execute(tx)
  const wanted = chapters.filter(({ id }) => !elsewhere.some((each) => each.id === id))
  const others = now.filter(({ id }) => !wanted.some((each) => each.id === id))
  const used = await usedOf(
    tx,
    others.map(({ id }) => id),
  )
  const kept = others.filter(({ id }) => used.has(id)).map((each) => ({ ...each, isHidden: true }))
  const gone = others.flatMap(({ id }) => (used.has(id) ? [] : id))
  await writeList(tx, of, [...wanted, ...kept], gone)
  return TAGS
}

/** Those of these chapters that documents have, locked so that none gets them meanwhile. */
async function usedOf(tx: Tx, ids: readonly number[]): Promise<Set<number>> {
  await sql`SELECT FROM chapters WHERE id = ANY (${[...ids]}::integer[]) FOR UPDATE`.execute(tx)
  const { rows } = await sql<{ id: number }>`
    SELECT given.id FROM unnest(${[...ids]}::integer[]) AS given (id)
    WHERE EXISTS (SELECT FROM documents WHERE chapter_ids @> ARRAY[given.id])`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

/** Writes the chapters of a list in their order; throws `name_taken`. */
async function writeList(
  tx: Tx,
  { classId, subjectId }: ListOf,
  chapters: readonly (WrittenChapter & { readonly id: number | null })[],
  gone: readonly number[],
): Promise<void> {
  if (sharedName(chapters)) throw fault('name_taken')
  if (gone.length > 0) await tx.deleteFrom('chapters').where('id', 'in', gone).execute()
  const rows = chapters.map(({ id, ar, fr, aliases, trimester, isHidden }, at) => ({
    ...(id !== null && { id }),
    niveauId: classId,
    matiereId: subjectId,
    nameAr: ar,
    nameFr: fr,
    aliases: [...aliases],
    trimester,
    isHidden,
    position: at + 1,
  }))
  const known = rows.filter((row) => 'id' in row)
  const added = rows.filter((row) => !('id' in row))
  if (known.length > 0) {
    await tx
      .insertInto('chapters')
      .values(known)
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet(({ ref }) => ({
          nameAr: ref('excluded.nameAr'),
          nameFr: ref('excluded.nameFr'),
          aliases: ref('excluded.aliases'),
          trimester: ref('excluded.trimester'),
          isHidden: ref('excluded.isHidden'),
          position: ref('excluded.position'),
          mergedInto: null,
        })),
      )
      .execute()
  }
  if (added.length > 0) await tx.insertInto('chapters').values(added).execute()
}
