import { sql } from 'kysely'
import type { Tx } from '../../database/transaction.ts'
import { type Change, noteChange } from '../history.ts'
import { insertVersion, writeFiles } from '../versions.ts'
import type { ImportState } from './columns.ts'
import type { StoredDocument } from './store-files.ts'
import type { Columns } from './written-columns.ts'

/** A new document of a list, with the columns to write. */
export interface NewDocument {
  readonly document: StoredDocument
  readonly columns: Columns
}

/** The first version and history of a new document, by the state that its list gives it. */
const BEGINNINGS: Readonly<
  Record<
    ImportState,
    {
      readonly version: 'draft' | 'submitted' | 'accepted'
      readonly changes: readonly Pick<Change, 'action' | 'version'>[]
    }
  >
> = {
  draft: { version: 'draft', changes: [{ action: 'create' }] },
  submitted: { version: 'submitted', changes: [{ action: 'create' }, { action: 'submit' }] },
  published: {
    version: 'accepted',
    changes: [{ action: 'create' }, { action: 'publish', version: 1 }],
  },
  unpublished: {
    version: 'accepted',
    changes: [{ action: 'create' }, { action: 'publish', version: 1 }, { action: 'unpublish' }],
  },
}

/** Creates documents in the states that their list gives them; returns their ids by reference. */
export async function createDocuments(
  tx: Tx,
  documents: readonly NewDocument[],
  actor: string,
): Promise<Map<string, number>> {
  if (documents.length === 0) return new Map()
  const fileIds = await writeFiles(
    tx,
    documents.map(({ document }) => document.pdf),
  )
  const rows = documents.map(({ document, columns }) => {
    const { reference, samplePages = null, state, pdf } = document
    const isForSale = BEGINNINGS[state].version === 'accepted'
    const firstPublishedAt = isForSale ? sql<Date>`now()` : null
    const fileId = takeOne(fileIds, pdf.sha256)
    return { ...columns, fileId, samplePages, reference, state, firstPublishedAt }
  })
  const made = await tx
    .insertInto('documents')
    .values(rows)
    .returning(['id', 'reference'])
    .execute()
  const ids = new Map(made.map(({ id, reference }) => [reference, id]))
  const begun = rows.map(({ fileId, reference, state }) => {
    const documentId = ids.get(reference)
    if (documentId === undefined) throw new Error(`${reference} was not written`)
    return { of: { documentId, actor }, fileId, ...BEGINNINGS[state] }
  })
  await insertVersion(
    tx,
    ...begun.map(({ of, fileId, version }) => ({ ...of, fileId, uploadId: null, state: version })),
  )
  await noteChange(
    tx,
    ...begun.flatMap(({ of, changes }) => changes.map((each) => ({ ...of, ...each }))),
  )
  return ids
}

function takeOne(fileIds: Map<string, number[]>, sha256: string): number {
  const id = fileIds.get(sha256)?.pop()
  if (id === undefined) throw new Error(`the file ${sha256} was not written`)
  return id
}
