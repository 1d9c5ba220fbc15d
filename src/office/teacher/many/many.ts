import { atom, readonlyType } from 'nanostores'
import type { AlikeDraft } from '../../../contract/office-documents.ts'
import * as officeDocuments from '../../../contract/office-documents.ts'
import type { OwnDocument } from '../../../contract/own-document.ts'
import * as references from '../../../contract/references.ts'
import type { Reason } from '../../../contract/values.ts'
import { ALIKE_ASKED_EVERY_MS } from '../../../rules/likeness.ts'
import { MANY_FILES_MAX, titleOfFile } from '../../../rules/many-files.ts'
import type { Mistakes } from '../../../stores/shared/form.ts'
import { logOnly, type Problem, problemOf } from '../../../stores/shared/problem.ts'
import { createQueue } from '../../../stores/shared/queue.ts'
import { ask } from '../../kit/backend.ts'
import { createUpload, type UploadStore } from '../../kit/forms/upload.ts'
import { forgetKept, keep, kept } from '../../kit/kept.ts'
import { resourceBy } from '../../kit/loader.ts'
import { categoryOf, type References } from '../documents/own.ts'
import { openProposals, readProposed } from '../documents/proposed.ts'
import {
  documentText,
  isSameValue,
  mistakesIn,
  type TextField,
  type TextValues,
  valuesOf,
} from '../documents/text.ts'
import type { NamedFile } from '../imports/chosen-files.ts'
import { papersIn, type Refused } from './chosen-papers.ts'

// The drafts of a teacher as one table: each row is a draft of the shop, so that an interrupted work
// goes on from what the shop has. A cell is saved when it is left.

/** A draft in the table. */
export interface Row {
  readonly document: OwnDocument
  /** What was typed over the document and is not saved yet. */
  readonly typed: Readonly<Partial<TextValues>>
  readonly upload: UploadStore
  /** Its calls that raise the revision, one at a time: each save names the one that it replaces. */
  readonly inTurn: ReturnType<typeof createQueue>
  /** Why it could not be saved or sent. */
  readonly problem: Problem | null
}

type Cells = ReadonlyMap<number, Readonly<Partial<TextValues>>>

const $list = atom<readonly Row[]>([])
export const $rows = readonlyType($list)

/** The lists that the cells choose from; the rows are in `$rows`. */
export const many = resourceBy('drafts', async (): Promise<References> => {
  const [drafts, matieres, classes, categories] = await Promise.all([
    ask(officeDocuments.listOwnDocuments, { query: { state: 'draft', size: DRAFTS_SHOWN } }),
    ask(references.listMatieres, {}),
    ask(references.listClasses, {}),
    ask(references.listCategories, {}),
  ])
  // The list is in the order of the last change: by their ids, rows do not move while they change.
  $list.set(drafts.content.map(rowOf).sort((one, other) => one.document.id - other.document.id))
  if (drafts.content.some(({ fileType }) => fileType !== null)) void lookForAlike()
  return { matieres, classes, categories }
})

const DRAFTS_SHOWN = 100

function rowOf(document: OwnDocument): Row {
  const { id } = document
  const upload = createUpload({
    purpose: 'document',
    keepAs: `document-${id}-file`,
    onDone: (uploadId) => takeFile(id, uploadId),
  })
  return { document, typed: {}, upload, inTurn: createQueue(), problem: null }
}

/** The values of a row, with the decimal mark of those who see them. */
export function valuesIn({ document, typed }: Row, decimal: '.' | ',' = '.'): TextValues {
  return { ...valuesOf(document, decimal), ...typed }
}

export const mistakesOf = (row: Row): Mistakes<TextField, Reason> =>
  mistakesIn(valuesIn(row), row.document.pageCount)

const rowWith = (id: number): Row | undefined =>
  $list.get().find(({ document }) => document.id === id)

function change(id: number, next: (row: Row) => Partial<Row>): void {
  $list.set($list.get().map((row) => (row.document.id === id ? { ...row, ...next(row) } : row)))
}

/** Writes into cells; `saveRows` saves them. */
export function write(cells: Cells): void {
  for (const [id, values] of cells) change(id, ({ typed }) => ({ typed: { ...typed, ...values } }))
}

export async function saveRows(ids: Iterable<number>): Promise<void> {
  for (const id of ids) await rowWith(id)?.inTurn(() => save(id))
}

/** Saves what was typed into a row; what cannot be saved stays typed. */
async function save(id: number): Promise<void> {
  const row = rowWith(id)
  if (!row || Object.keys(row.typed).length === 0) return
  const mistakes = mistakesOf(row)
  const sent = Object.fromEntries(
    Object.entries(row.typed).filter(([field]) => !(field in mistakes)),
  ) as Partial<TextValues>
  const values = { ...valuesOf(row.document, '.'), ...sent }
  try {
    const { revision } = row.document
    const body = { revision, ...documentText(values) }
    showSaved(await ask(officeDocuments.saveOwnDocument, { params: { id }, body }), sent)
  } catch (error) {
    const problem = problemOf(error)
    logOnly('draft')(error)
    change(id, () => ({ problem }))
    // Changed elsewhere meanwhile, such as by its file: what is typed here goes over what is there.
    if (problem.code !== 'document_changed') return
    const { document } = await ask(officeDocuments.getOwnDocument, { params: { id } })
    const isNewer = document.revision > row.document.revision
    change(id, () => ({ document, problem: isNewer ? null : problem }))
    if (isNewer) await save(id)
  }
}

/** Shows a document that a call returned; what was typed meanwhile stays typed. */
function showSaved(document: OwnDocument, sent: Readonly<Partial<TextValues>> = {}): void {
  change(document.id, (row) => {
    if (row.document.revision > document.revision) return {}
    const typed = Object.entries(row.typed).filter(([field, value]) => {
      const saved = sent[field as TextField]
      return saved === undefined || !isSameValue(field as TextField, saved, value)
    })
    return { document, typed: Object.fromEntries(typed), problem: null }
  })
}

async function takeFile(id: number, uploadId: string): Promise<void> {
  const input = { params: { id }, body: { uploadId } }
  // It raises the revision too.
  await rowWith(id)?.inTurn(async () =>
    showSaved(await ask(officeDocuments.setDocumentFile, input)),
  )
  void lookForAlike()
  await fillIn(id, true)
}

/** Fills in what the title states, and the first page of the file, where nothing is written yet. */
async function fillIn(id: number, hasFile: boolean): Promise<void> {
  const row = rowWith(id)
  if (!row) return
  const written = valuesIn(row).title.trim()
  const query = { ...(written && { written }), ...(hasFile && { document: id }) }
  // An aid: without it the cells are as they were.
  const proposed = await readProposed(query).catch(logOnly('proposals'))
  const [now, lists] = [rowWith(id), many.value()]
  if (!proposed || !now || !lists) return
  const values = valuesIn(now)
  const category = categoryOf(lists, {
    ...values,
    categoryId: values.categoryId || (proposed.categoryId ?? ''),
  })
  const open = openProposals(values, proposed, category)
  write(new Map([[id, Object.fromEntries(open.map(({ field, value }) => [field, value]))]]))
  await saveRows([id])
}

const $found = atom<ReadonlyMap<number, AlikeDraft['alike']>>(new Map())
/** The documents that drafts are like, by the drafts. */
export const $alike = readonlyType($found)

let isAsking = false
let hasNew = false
let next: ReturnType<typeof setTimeout> | undefined

/** Asks which drafts are alike, at once and then until the files that have arrived are compared. */
async function lookForAlike(): Promise<void> {
  hasNew = true
  if (isAsking) return
  isAsking = true
  clearTimeout(next)
  try {
    while (hasNew) {
      hasNew = false
      const { drafts, waiting } = await ask(officeDocuments.listAlikeDrafts, {})
      $found.set(new Map(drafts.map(({ document, alike }) => [document, alike])))
      if (waiting > 0) next = setTimeout(lookForAlike, ALIKE_ASKED_EVERY_MS)
    }
  } catch (error) {
    // An aid: the next file asks again, and the review looks for itself.
    logOnly('alike drafts')(error)
  } finally {
    isAsking = false
  }
}

/** Two files at a time: more share the same line, and none arrives. */
const lanes = [createQueue(), createQueue()]
let lane = 0

/** Sends a file once it is its turn, and resolves when it has arrived or its sending has stopped. */
function send({ upload }: Row, file: File): void {
  const queue = lanes[lane++ % lanes.length] ?? createQueue()
  void queue(
    () =>
      new Promise<void>((resolve) => {
        upload.choose(file)
        const stop = upload.$state.listen(({ phase }) => {
          if (phase === 'sending' || phase === 'waiting' || phase === 'checking') return
          stop()
          resolve()
        })
      }),
  )
}

/** The name and size of the file that a draft began with, by which the same file finds it again. */
const nameOf = ({ name, file }: NamedFile): string => `${name} ${file.size}`
const keptAs = (id: number): string => `draft-of-file-${id}`

/** What became of dropped files. */
export interface Dropped {
  readonly begun: number
  /** How many are among the drafts already. */
  readonly known: number
  readonly refused: readonly Refused[]
  /** How many were left out, because they are too many at once. */
  readonly left: number
}

/**
 * Begins a draft for each PDF among the files, with a title from its name, and sends the files. A
 * file that a draft waits for, since its sending was interrupted, goes to that draft.
 */
export async function drop(
  chosen: readonly NamedFile[],
  onBegun: (count: number, of: number) => void,
): Promise<Dropped> {
  const { papers, refused } = await papersIn(chosen)
  const drafts = new Map($list.get().map((row) => [kept(keptAs(row.document.id)), row]))
  const first = papers.slice(0, MANY_FILES_MAX)
  let begun = 0
  let known = 0
  for (const paper of first) {
    const draft = drafts.get(nameOf(paper))
    if (!draft) {
      await begin(paper)
      begun++
    } else if (draft.document.fileType === null) {
      send(draft, paper.file)
      begun++
    } else known++
    onBegun(begun + known, first.length)
  }
  return { begun, known, refused, left: papers.length - first.length }
}

async function begin(paper: NamedFile): Promise<void> {
  const idempotencyKey = crypto.randomUUID()
  const document = await ask(officeDocuments.createOwnDocument, {}, { idempotencyKey })
  const { id } = document
  keep(keptAs(id), nameOf(paper))
  const row = rowOf(document)
  $list.set([...$list.get(), row])
  write(new Map([[id, { title: titleOfFile(paper.name) }]]))
  send(row, paper.file)
  await saveRows([id])
  await fillIn(id, false)
}

/** Drafts that can be sent for review as they are. */
export const isComplete = ({ document, typed }: Row): boolean =>
  document.missing.length === 0 && Object.keys(typed).length === 0

/**
 * Sends rows for review, one after the other; resolves to how many were sent. Those that are refused
 * say why; where no more may be sent today, it stops.
 */
export async function submit(ids: readonly number[]): Promise<number> {
  let sent = 0
  for (const id of ids) {
    try {
      await ask(officeDocuments.submitOwnDocument, { params: { id } })
      sent++
      leave(id)
    } catch (error) {
      const problem = problemOf(error)
      change(id, () => ({ problem }))
      if (problem.code === 'too_many_submissions' || problem.status === 0) break
    }
  }
  return sent
}

export async function remove(id: number): Promise<void> {
  const row = rowWith(id)
  if (row && row.document.fileType === null) await row.upload.cancel()
  await ask(officeDocuments.deleteOwnDocument, { params: { id } })
  leave(id)
}

function leave(id: number): void {
  forgetKept(keptAs(id))
  $list.set($list.get().filter(({ document }) => document.id !== id))
}
