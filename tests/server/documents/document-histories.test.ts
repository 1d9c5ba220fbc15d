import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as office from '../../../src/contract/office-documents.ts'
import type { DocumentState } from '../../../src/rules/document-life.ts'
import { accept, returnToTeacher, unpublish } from '../../../src/server/documents/documents.ts'
import { ApiFault } from '../../../src/server/http/errors.ts'
import { amount } from '../../support/amount.ts'
import { RefusedCall, type TestApp } from '../../support/app.ts'
import { insert } from '../../support/database.ts'
import { ACTOR, textOfDocument } from '../../support/own-documents.ts'
import { sharedApp } from '../../support/test.ts'

const STEPS = [
  'fill',
  'empty',
  'file',
  'submit',
  'withdraw',
  'return',
  'accept',
  'unpublish',
  'publish',
  'take down',
  'delete',
] as const
type Step = (typeof STEPS)[number]

const app = await sharedApp()
const names = {
  matiereId: await app.aMatiere(),
  niveauId: await app.aClass(),
  categoryId: await app.aCategory(),
}
let teacher: Awaited<ReturnType<TestApp['anOfficeTeacher']>>

/** The state of a document; `inForce` and `waiting` are page counts, which identify files. */
interface Model {
  state: DocumentState | 'deleted'
  isFilled: boolean
  wasPublished: boolean
  isTakenDown: boolean
  inForce: number | null
  waiting: number | null
}

const initial: Model = {
  state: 'draft',
  isFilled: false,
  wasPublished: false,
  isTakenDown: false,
  inForce: null,
  waiting: null,
}

/** The result of a step on a document; a string is the error code of a refusal. */
function next(model: Model, step: Step, pages: number): Model | string {
  const { state, isFilled, wasPublished, isTakenDown, inForce, waiting } = model
  const isComplete = isFilled && inForce !== null
  if (state === 'deleted') return 'document_not_found'
  if (step === 'fill' || step === 'empty') {
    if (isFilled === (step === 'fill')) return model
    if (state === 'submitted') return 'document_under_review'
    if (wasPublished && step === 'empty') return 'document_incomplete'
    return { ...model, isFilled: step === 'fill' }
  }
  if (step === 'file') {
    if (state === 'submitted') return 'document_under_review'
    return wasPublished ? { ...model, waiting: pages } : { ...model, inForce: pages }
  }
  if (step === 'submit') {
    if (state === 'submitted') return model
    const mayBe =
      state === 'draft' || state === 'returned' || (state === 'unpublished' && isTakenDown)
    if (!mayBe) return 'document_state_changed'
    return isComplete ? { ...model, state: 'submitted' } : 'document_incomplete'
  }
  if (step === 'withdraw') {
    if (state === 'submitted') return { ...model, state: wasPublished ? 'unpublished' : 'draft' }
    return waiting === null ? 'document_state_changed' : { ...model, waiting: null }
  }
  if (step === 'return' || step === 'accept') {
    if (state !== 'submitted' && waiting === null) return 'review_not_waiting'
    if (step === 'return') {
      return { ...model, state: state === 'submitted' ? 'returned' : state, waiting: null }
    }
    const accepted = { ...model, inForce: waiting ?? inForce, waiting: null }
    if (state !== 'submitted') return accepted
    return { ...accepted, state: 'published', wasPublished: true, isTakenDown: false }
  }
  if (step === 'unpublish' || step === 'take down') {
    const byShop = step === 'take down'
    if (state === 'unpublished') return { ...model, isTakenDown: isTakenDown || byShop }
    if (state !== 'published') return 'document_state_changed'
    return { ...model, state: 'unpublished', isTakenDown: byShop }
  }
  if (step === 'publish') {
    if (state === 'published') return model
    if (state !== 'unpublished') return 'document_state_changed'
    return isTakenDown ? 'document_taken_down' : { ...model, state: 'published' }
  }
  if (wasPublished) return 'document_not_deletable'
  return state === 'submitted' ? 'document_under_review' : { ...model, state: 'deleted' }
}

async function act(id: number, step: Step, pages: number): Promise<unknown> {
  const params = { id }
  const as = teacher
  const of = { id, actor: ACTOR }
  switch (step) {
    case 'fill':
    case 'empty': {
      const revision = (await app.row('documents', id).catch(() => null))?.revision ?? 0
      const body = { revision, ...textOfDocument(names, step === 'fill' ? 'Un titre' : '') }
      return await app.call(office.saveOwnDocument, { as, params, body })
    }
    case 'file': {
      const uploadId = await aCheckedUpload(pages)
      return await app.call(office.setDocumentFile, { as, params, body: { uploadId } })
    }
    case 'submit':
      return await app.call(office.submitOwnDocument, { as, params })
    case 'withdraw':
      return await app.call(office.withdrawOwnDocument, { as, params })
    case 'return':
      return await returnToTeacher(app.deps, of, { reason: 'x', field: null })
    case 'accept':
      return await accept(app.deps, of)
    case 'unpublish':
      return await app.call(office.unpublishOwnDocument, { as, params, body: { reason: null } })
    case 'publish':
      return await app.call(office.publishOwnDocument, { as, params })
    case 'take down':
      return await unpublish(app.deps, { id, editor: { actor: ACTOR } }, 'x')
    case 'delete':
      return await app.call(office.deleteOwnDocument, { as, params })
  }
}

/** Inserts what a check leaves behind; nobody opens the file here. */
async function aCheckedUpload(pageCount: number): Promise<string> {
  const id = randomUUID()
  const sha256 = id.replaceAll('-', '').padEnd(64, '0')
  const upload = { id, userId: teacher.id, purpose: 'document', name: 'x', size: 1 } as const
  const storageKey = `${sha256.slice(0, 2)}/${sha256}.pdf`
  const checked = { pageCount, storageKey, sha256, storedSize: 1, checkedAt: new Date() }
  await insert(app.kysely, 'uploads', { ...upload, ...checked })
  return id
}

async function outcomeOf(done: Promise<unknown>): Promise<string | null> {
  try {
    await done
    return null
  } catch (error) {
    if (error instanceof RefusedCall) return String(error.code)
    // `admin-review.test.ts` tests which of the two it is.
    if (error instanceof ApiFault) return error.code.replace('done_before', 'review_not_waiting')
    throw error
  }
}

async function stored(id: number): Promise<Model> {
  const { rows } = await app.deps.database.pool.query(
    `SELECT d.state, d.title <> '' AS filled, d.first_published_at IS NOT NULL AS published,
       d.is_taken_down, f.page_count,
       (SELECT vf.page_count FROM document_versions v JOIN files vf ON vf.id = v.file_id
         WHERE v.document_id = d.id AND v.state = 'submitted' AND d.file_id <> v.file_id) AS waiting
     FROM documents d LEFT JOIN files f ON f.id = d.file_id WHERE d.id = $1`,
    [id],
  )
  const [row] = rows
  if (!row) return { ...initial, state: 'deleted' }
  return {
    state: row.state,
    isFilled: row.filled,
    wasPublished: row.published,
    isTakenDown: row.is_taken_down,
    inForce: row.page_count,
    waiting: row.waiting,
  }
}

test('any history of a document matches the rules', {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...STEPS), { minLength: 5, maxLength: 25 }),
      async (steps) => {
        teacher = await app.anOfficeTeacher()
        const { id } = await app.call(office.createOwnDocument, { as: teacher, key: randomUUID() })
        let model: Model = initial
        for (const [at, step] of steps.entries()) {
          const expected = next(model, step, at + 1)
          const code = await outcomeOf(act(id, step, at + 1))
          expect([step, code]).toEqual([step, typeof expected === 'string' ? expected : null])
          if (typeof expected !== 'string') model = expected
          const known = model.state === 'deleted' ? { ...initial, state: 'deleted' } : model
          expect(await stored(id)).toEqual(known)
        }
      },
    ),
    {
      numRuns: amount('DOCUMENT_HISTORIES', { usual: 15, long: 40 }),
      examples: [
        [['fill', 'file', 'submit', 'accept', 'file', 'file', 'accept', 'take down', 'submit']],
        [['fill', 'file', 'submit', 'return', 'file', 'submit', 'accept', 'unpublish', 'publish']],
      ],
    },
  )
  // No file row is left that nothing references.
  const { rows } = await app.deps.database.pool.query(
    `SELECT id FROM files f WHERE NOT EXISTS (SELECT FROM documents WHERE file_id = f.id)
       AND NOT EXISTS (SELECT FROM document_versions WHERE file_id = f.id)`,
  )
  expect(rows).toEqual([])
})
