import { sql } from 'kysely'
import { textsIn } from '../../../i18n/texts.ts'
import { ENTRIES_MAX, entryCode, type ListName } from '../../../rules/catalogue-lists.ts'
import { type InEachLanguage, LANGUAGES } from '../../../rules/languages.ts'
import { CATALOGUE_TAG, REFERENCE_TAG } from '../../../rules/page-tags.ts'
import { PAPER_KINDS } from '../../../rules/papers.ts'
import type { Level } from '../../../rules/price-bands.ts'
import { foldText } from '../../../rules/search-fold.ts'
import { lock, type Tx } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { fault } from '../../http/errors.ts'
import { changePages } from '../../publishing/publishing.ts'
import { describeChanges, logStaff } from '../../staff-log/staff-log.ts'
import {
  changeSubject,
  describeDifferences,
  keepFirst,
  loggedSubject,
} from '../../versions/versions.ts'
import { idsOf, type SubjectsOfClass } from '../names.ts'
import { type EntryRow, entrySubject, namesOf, readEntries, TABLES } from './lists.ts'

export interface EntryState {
  readonly names: InEachLanguage
  readonly isRetired: boolean
  /** Only covers have one. */
  readonly color?: string | null
  /** Only classes have them: the names of their subjects by id, none where a class has all. */
  readonly subjects?: SubjectsOfClass
}

function stateOf(list: ListName, row: EntryRow): EntryState {
  const { isRetired, color = null, subjects } = row
  return {
    names: namesOf(list, row),
    isRetired,
    ...(list === 'covers' && { color }),
    ...(list === 'classes' && { subjects: subjects ?? {} }),
  }
}

export interface NewEntry {
  readonly names: InEachLanguage
  /** Only classes have one. */
  readonly level?: Level | undefined
  /** Only covers have one. */
  readonly color?: string | undefined
  /** Only classes have them; none: all. */
  readonly subjectIds?: readonly number[] | undefined
}

/**
 * Adds an entry at the end of a list and returns its id. Throws `name_taken`, `list_full`, or
 * `invalid_input` for a class without a level or a cover without a colour.
 */
export async function addEntry(
  deps: Deps,
  list: ListName,
  { names, level, color, subjectIds = [], actor }: NewEntry & { actor: string },
): Promise<number> {
  if (list === 'classes' && !level) throw fault('invalid_input', { fields: { level: 'required' } })
  if (list === 'covers' && !color) throw fault('invalid_input', { fields: { color: 'required' } })
  return await changePages(deps, async (tx, markStale) => {
    const rows = await lockNames(tx, list)
    if (rows.length >= ENTRIES_MAX) throw fault('list_full')
    refuseTaken(list, rows, names)
    const added = await insert(tx, list, rows, { names, level, color })
    const subjects = list === 'classes' ? await subjectsNamed(tx, subjectIds) : undefined
    if (subjects) await writeSubjects(tx, added.id, subjects)
    const subject = entrySubject(list, added.id)
    const value = stateOf(list, { ...added, ...(subjects && { subjects }) })
    await keepFirst(tx, { subject, value, actor, madeAt: new Date(deps.now()) })
    const reason = describeChanges(LANGUAGES.map((each) => [each, names[each]]))
    await logStaff(tx, { actor, action: 'add', subject: loggedSubject(subject), reason })
    markStale([CATALOGUE_TAG])
    return added.id
  })
}

async function insert(
  tx: Tx,
  list: ListName,
  rows: readonly EntryRow[],
  { names, level, color }: NewEntry,
): Promise<EntryRow> {
  const codes = new Set([...PAPER_KINDS, ...rows.flatMap(({ code }) => code ?? [])])
  const position = Math.max(0, ...rows.map((row) => row.position)) + 1
  const values = {
    name: names.ar,
    names: JSON.stringify(names),
    position,
    ...(list !== 'covers' && { code: entryCode(names.en, codes) }),
    ...(list === 'classes' && { level }),
    ...(list === 'covers' && { color }),
  }
  const columns = Object.keys(values).map((column) => sql.ref(column))
  const { rows: added } = await sql<EntryRow>`
    INSERT INTO ${sql.table(TABLES[list].table)} (${sql.join(columns)})
    VALUES (${sql.join(Object.values(values))}) RETURNING *`.execute(tx)
  return added[0] as EntryRow
}

/** The entries of a list, locked so that nobody else can name any of them. */
async function lockNames(tx: Tx, list: ListName): Promise<EntryRow[]> {
  await lock(tx, `names of ${list}`)
  return await readEntries(tx, list)
}

/** The names of the kinds that every shop has. */
const SHIPPED_KINDS = LANGUAGES.flatMap((language) => {
  const texts: Readonly<Record<string, string>> = textsIn(language, 'office-documents:details')
  return PAPER_KINDS.map((kind) => texts[`paperKind_${kind}`] ?? kind)
})

/**
 * Throws `name_taken` if another entry of the list has one of the names, in any language or
 * spelling.
 */
function refuseTaken(
  list: ListName,
  rows: readonly EntryRow[],
  names: InEachLanguage,
  own?: EntryRow,
) {
  const before = own && namesOf(list, own)
  const wanted = LANGUAGES.filter((each) => names[each] !== before?.[each]).map((each) =>
    foldText(names[each]),
  )
  const taken = new Set(
    rows
      .filter(({ id }) => id !== own?.id)
      .flatMap((row) => [...Object.values(namesOf(list, row)), row.code ?? ''])
      .concat(list === 'kinds' ? SHIPPED_KINDS : [])
      .map(foldText),
  )
  if (wanted.some((name) => name !== '' && taken.has(name))) throw fault('name_taken')
}

interface EntryChange {
  readonly list: ListName
  readonly id: number
  /** The revision that the change was made from. */
  readonly revision: number
  readonly actor: string
}

/**
 * Renames an entry, or changes the colour of a cover or the subjects of a class; an identical state
 * changes nothing. The new name is public immediately, also beside the documents of the entry. Throws
 * `not_found`, `done_before` or `name_taken`, and `invalid_input` for an unknown subject.
 */
export function changeEntry(
  deps: Deps,
  change: EntryChange,
  { names, color, subjectIds }: Pick<NewEntry, 'names' | 'color' | 'subjectIds'>,
): Promise<void> {
  const { list } = change
  return changeState(deps, change, async (before, tx) => ({
    ...before,
    names,
    ...(list === 'covers' && color !== undefined && { color: color.toLowerCase() }),
    ...(list === 'classes' && subjectIds && { subjects: await subjectsNamed(tx, subjectIds) }),
  }))
}

/** The names of subjects by id; throws `invalid_input` for one that does not exist. */
async function subjectsNamed(tx: Tx, ids: readonly number[]): Promise<SubjectsOfClass> {
  const rows = await readEntries(tx, 'subjects')
  const named = rows.filter(({ id }) => ids.includes(id)).sort((a, b) => a.id - b.id)
  if (named.length < new Set(ids).size) {
    throw fault('invalid_input', { fields: { subjectIds: 'invalid' } })
  }
  return Object.fromEntries(named.map(({ id, name }) => [id, name]))
}

async function writeSubjects(tx: Tx, niveauId: number, subjects: SubjectsOfClass): Promise<void> {
  await tx.deleteFrom('classSubjects').where('niveauId', '=', niveauId).execute()
  const rows = idsOf(subjects).map((matiereId) => ({ niveauId, matiereId }))
  if (rows.length > 0) await tx.insertInto('classSubjects').values(rows).execute()
}

/**
 * Retires an entry, so that it is no longer offered, or offers it again; the documents that have it
 * keep it. Throws `not_found` or `done_before`.
 */
export function retireEntry(deps: Deps, change: EntryChange, isRetired: boolean): Promise<void> {
  return changeState(deps, change, async (before) => ({ ...before, isRetired }))
}

async function changeState(
  deps: Deps,
  { list, id, revision, actor }: EntryChange,
  next: (before: EntryState, tx: Tx) => Promise<EntryState>,
): Promise<void> {
  const subject = entrySubject(list, id)
  await changeSubject(deps, { subject, revision, actor }, async (tx) => {
    const row = (await lockNames(tx, list)).find((each) => each.id === id)
    if (!row) throw fault('not_found')
    const before = stateOf(list, row)
    const value = await next(before, tx)
    const reason = describeDifferences(before, value)
    if (reason === '') return null
    const isNamed = LANGUAGES.some((each) => before.names[each] !== value.names[each])
    const retired = value.isRetired ? 'retire' : 'offer again'
    const isStanding = before.isRetired !== value.isRetired
    const tags = await writeState(tx, list, id, value)
    return { value, before, reason, tags, ...(isStanding && !isNamed && { action: retired }) }
  })
}

/**
 * Sets an entry to the state of a version, and returns the tags of the pages that show it. Throws
 * `not_found` or `name_taken`.
 */
export async function writeState(
  tx: Tx,
  list: ListName,
  id: number,
  { names, isRetired, color, subjects }: EntryState,
): Promise<string[]> {
  const rows = await lockNames(tx, list)
  const row = rows.find((each) => each.id === id)
  if (!row) throw fault('not_found')
  const before = stateOf(list, row)
  const isNamed = LANGUAGES.some((each) => before.names[each] !== names[each])
  const isPainted = list === 'covers' && before.color !== color
  if (isNamed) refuseTaken(list, rows, names, row)
  const values = {
    isRetired,
    // An entry that was never renamed keeps the name from the interface's texts.
    ...(isNamed && { name: names.ar, names: JSON.stringify(names) }),
    ...(isPainted && { color: color ?? null }),
  }
  if (subjects) await writeSubjects(tx, id, subjects)
  const set = Object.entries(values).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
  await sql`
    UPDATE ${sql.table(TABLES[list].table)} SET ${sql.join(set)} WHERE id = ${id}`.execute(tx)
  return isNamed || isPainted ? [REFERENCE_TAG, CATALOGUE_TAG] : [CATALOGUE_TAG]
}
