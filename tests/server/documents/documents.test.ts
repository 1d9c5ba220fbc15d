import { describe, expect, test, vi } from 'vitest'
import { getDocument, searchDocuments } from '../../../src/contract/catalogue.ts'
import { downloadDocument } from '../../../src/contract/library.ts'
import * as office from '../../../src/contract/office-documents.ts'
import { payFromWallet } from '../../../src/contract/wallet.ts'
import { TITLE_MAX_LENGTH } from '../../../src/rules/document-fields.ts'
import { DRAFTS_MAX } from '../../../src/rules/document-life.ts'
import { dinars } from '../../../src/rules/money.ts'
import { accept, returnToTeacher, unpublish } from '../../../src/server/documents/documents.ts'
import {
  ACTOR,
  act,
  create,
  isForSale,
  readOwnDocument,
  save,
  setFile,
  textOfDocument,
} from '../../support/own-documents.ts'
import { PATIENCE } from '../../support/patience.ts'
import { aPdf } from '../../support/pdf.ts'
import type { Person } from '../../support/people.ts'
import { aPicture } from '../../support/picture.ts'
import { expectCode, expectRefused } from '../../support/refusals.ts'
import { sharedApp } from '../../support/test.ts'
import { upload } from '../../support/uploads.ts'
import { addressOf } from '../http/samples.ts'

const app = await sharedApp()
const teacher = await app.anOfficeTeacher({ firstName: 'Leïla', lastName: 'Gharbi' })
const names = {
  matiereId: await app.aMatiere(),
  niveauId: await app.aClass(),
  categoryId: await app.aCategory(),
}

/** A draft with everything that it needs. */
async function aDraft(title: string, pages = 2) {
  const saved = await save(app, teacher, await create(app, teacher), textOfDocument(names, title))
  await setFile(app, teacher, saved.id, pages)
  return saved
}

async function published(title: string, pages = 2) {
  const { id } = await aDraft(title, pages)
  await act(app, teacher, office.submitOwnDocument, id)
  await accept(app.deps, { id, actor: ACTOR })
  return id
}

describe('a document', () => {
  test('goes from draft to the shop, with one id, and reports what is missing', async () => {
    const begun = await create(app, teacher)
    expect(begun).toMatchObject({ state: 'draft', title: '', revision: 0, firstPublishedAt: null })
    expect(begun.missing.map(({ field }) => field)).toEqual([
      'title',
      'matiere',
      'classe',
      'categorie',
      'type',
      'price',
      'file',
    ])
    await expectCode(act(app, teacher, office.submitOwnDocument, begun.id), 'document_incomplete')
    const saved = await save(app, teacher, begun, textOfDocument(names, 'رياضيات: الكسور'))
    expect(saved).toMatchObject({ revision: 1, price: 12.5, classe: { level: 'primary-school' } })
    expect(saved.missing).toEqual([{ field: 'file', reason: 'required' }])
    expect(await setFile(app, teacher, begun.id, 3)).toMatchObject({ missing: [], pageCount: 3 })
    expect(await isForSale(app, begun.id)).toBe(false)

    expect(await act(app, teacher, office.submitOwnDocument, begun.id)).toMatchObject({
      state: 'submitted',
    })
    await expectCode(
      save(app, teacher, saved, textOfDocument(names, 'other')),
      'document_under_review',
    )
    app.published.length = 0
    await returnToTeacher(
      app.deps,
      { id: begun.id, actor: ACTOR },
      { reason: 'The title is too short.', field: 'title' },
    )
    const returned = (await readOwnDocument(app, teacher, begun.id)).document
    expect(returned).toMatchObject({
      state: 'returned',
      returned: { reason: 'The title is too short.', field: 'title' },
    })
    await save(app, teacher, returned, textOfDocument(names, 'رياضيات: الكسور والعمليات'))
    await act(app, teacher, office.submitOwnDocument, begun.id)
    expect(app.published).toEqual([])
    await accept(app.deps, { id: begun.id, actor: ACTOR })
    expect(app.published).toContain(`document:${begun.id}`)
    expect(await isForSale(app, begun.id)).toBe(true)
    const found = await app.call(searchDocuments, { query: { title: 'الكسور والعمليات' } })
    expect(found.content.map(({ id }) => id)).toEqual([begun.id])

    const { history, versions, document } = await readOwnDocument(app, teacher, begun.id)
    expect(document).toMatchObject({ state: 'published', returned: null, waitingVersion: null })
    expect(history.map(({ action, by }) => `${by}: ${action}`)).toEqual([
      'shop: publish',
      'teacher: submit',
      'shop: return',
      'teacher: submit',
      'teacher: create',
    ])
    expect(versions).toMatchObject([{ number: 1, state: 'accepted', pageCount: 3 }])
  })

  test('is created once per key, and saved once per text; two tabs notice each other', async () => {
    const key = 'begun twice'
    const [one, two] = await Promise.all([
      app.call(office.createOwnDocument, { as: teacher, key }),
      app.call(office.createOwnDocument, { as: teacher, key }),
    ])
    expect(one.id).toBe(two.id)
    const saved = await save(app, teacher, one, textOfDocument(names, 'first tab'))
    // The response was lost, and the same is sent again.
    expect(await save(app, teacher, one, textOfDocument(names, 'first tab'))).toEqual(saved)
    await expectCode(
      save(app, teacher, one, textOfDocument(names, 'second tab')),
      'document_changed',
    )
    expect((await readOwnDocument(app, teacher, one.id)).document.title).toBe('first tab')
    await app.call(office.deleteOwnDocument, { as: teacher, params: { id: one.id } })
    await expectCode(readOwnDocument(app, teacher, one.id), 'document_not_found')
  })

  test('keeps nothing of an invalid text, and says what publishing needs', async () => {
    const begun = await create(app, teacher)
    const trySaving = (title: string, more: object) =>
      save(app, teacher, begun, textOfDocument(names, title, more))
    for (const [title, more, fields] of [
      ['x'.repeat(5000), {}, { title: 'maxLength' }],
      ['x', { matiereId: 999_999 }, { matiereId: 'invalid' }],
      ['x', { price: 1.234 }, { price: 'thirdDecimal' }],
    ] as const) {
      await expectRefused(trySaving(title, more), 400, 'invalid_input', { fields })
    }
    expect((await readOwnDocument(app, teacher, begun.id)).document).toEqual(begun)
    const longest = await trySaving('ب'.repeat(TITLE_MAX_LENGTH), { price: 0.2 })
    expect(longest.missing).toContainEqual({ field: 'price', reason: 'min' })
    const dear = textOfDocument(names, 'x', { price: 501, priceDiscount: 501 })
    expect((await save(app, teacher, longest, dear)).missing).toEqual(
      expect.arrayContaining([
        { field: 'price', reason: 'max' },
        { field: 'priceDiscount', reason: 'max' },
      ]),
    )
  })
})

describe('the list', () => {
  test('is paged, sorted, filtered and searched by the server', async () => {
    const me = await app.anOfficeTeacher()
    for (const title of ['Chimie', 'Algèbre', 'Biologie']) {
      await save(app, me, await create(app, me), textOfDocument(names, title))
    }
    const list = async (query: office.OwnDocumentFilters) => {
      const page = await app.call(office.listOwnDocuments, { as: me, query })
      return [page.totalElements, page.totalPages, ...page.content.map(({ title }) => title)]
    }
    expect(await list({ sort: 'title' })).toEqual([3, 1, 'Algèbre', 'Biologie', 'Chimie'])
    expect(await list({ sort: '-title', size: 2, page: 1 })).toEqual([3, 2, 'Algèbre'])
    expect(await list({})).toEqual([3, 1, 'Biologie', 'Algèbre', 'Chimie'])
    expect(await list({ q: 'algebre' })).toEqual([1, 1, 'Algèbre'])
    expect(await list({ state: 'published' })).toEqual([0, 0])
  })

  test('has a limit for drafts', async () => {
    const me = await app.anOfficeTeacher()
    const row = { teacherId: me.teacherId, title: 'x' }
    await app.kysely
      .insertInto('documents')
      .values(Array.from({ length: DRAFTS_MAX - 1 }, () => row))
      .execute()
    const outcomes = await Promise.allSettled([create(app, me), create(app, me), create(app, me)])
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })
})

describe('a published document', () => {
  test('publishes text changes at once, and a new file after a review', async () => {
    const buyer = await app.aCustomer({ balance: dinars(50) })
    const id = await published('Avant', 2)
    const path = addressOf(downloadDocument, { params: { id, userId: buyer.id } })
    const sizeOf = async () =>
      Number((await app.request('GET', path, { as: buyer })).headers.get('content-length'))
    const body = { userId: buyer.id, documentIds: [id] }
    await app.call(payFromWallet, { as: buyer, key: 'buy', body })
    const { document, versions: sold } = await readOwnDocument(app, teacher, id)
    // The first copies lack their footer if a busy machine has not made it in time.
    const first = await vi.waitFor(async () => {
      const size = await sizeOf()
      expect(size).toBeGreaterThan(sold[0]?.size ?? Number.NaN)
      return size
    }, PATIENCE)

    await expectCode(save(app, teacher, document, textOfDocument(names, '')), 'document_incomplete')
    app.published.length = 0
    await save(
      app,
      teacher,
      document,
      textOfDocument(names, 'Après', { price: 20, priceDiscount: 15 }),
    )
    expect(app.published).toEqual(expect.arrayContaining([`document:${id}`, 'catalogue']))
    const shown = await app.call(getDocument, { params: { id } })
    expect(shown).toMatchObject({ title: 'Après', price: 20, priceDiscount: 15 })
    const { history } = await readOwnDocument(app, teacher, id)
    expect(history).toContainEqual(
      expect.objectContaining({
        action: 'change price',
        amounts: expect.objectContaining({ after: 20 }),
      }),
    )

    // The same bytes by another upload are not a new version for owners.
    await expectCode(setFile(app, teacher, id, 2, 'Rien'), 'file_unchanged')
    expect((await readOwnDocument(app, teacher, id)).versions).toHaveLength(1)
    expect(await setFile(app, teacher, id, 5, 'Trois pages de plus')).toMatchObject({
      state: 'published',
      waitingVersion: 2,
      pageCount: 2,
    })
    expect(await sizeOf()).toBe(first)
    // Its note may be written after the file was sent, until a decision on it.
    const noteOf = (number: number, note: string, as = teacher) =>
      app.call(office.setVersionNote, { as, params: { id, number }, body: { note } })
    await noteOf(2, 'Trois pages, corrigées')
    expect((await readOwnDocument(app, teacher, id)).versions[0]).toMatchObject({
      note: 'Trois pages, corrigées',
    })
    await expectCode(noteOf(1, 'accepted'), 'document_state_changed')
    await expectCode(noteOf(3, 'none'), 'document_state_changed')
    await expectCode(noteOf(2, 'x'.repeat(301)), 'invalid_input')
    const other = await app.anOfficeTeacher()
    await expectCode(noteOf(2, 'theirs', other), 'document_not_found')
    await returnToTeacher(app.deps, { id, actor: ACTOR }, { reason: 'Blurred.', field: 'file' })
    expect((await readOwnDocument(app, teacher, id)).document.returned).toMatchObject({
      reason: 'Blurred.',
      field: 'file',
    })
    await setFile(app, teacher, id, 6)
    await setFile(app, teacher, id, 7)
    await accept(app.deps, { id, actor: ACTOR })
    expect(await sizeOf()).not.toBe(first)
    const { versions } = await readOwnDocument(app, teacher, id)
    expect(versions.map(({ number, state }) => [number, state])).toEqual([
      [4, 'accepted'],
      [3, 'replaced'],
      [2, 'returned'],
      [1, 'accepted'],
    ])

    // Owners keep it, published or not, by whichever side it was unpublished.
    await app.call(office.unpublishOwnDocument, {
      as: teacher,
      params: { id },
      body: { reason: null },
    })
    expect([await isForSale(app, id), (await sizeOf()) > 0]).toEqual([false, true])
    await act(app, teacher, office.publishOwnDocument, id)
    expect(await isForSale(app, id)).toBe(true)
    await unpublish(app.deps, { id, editor: { actor: ACTOR } }, 'Copied from a book.')
    await expectCode(act(app, teacher, office.publishOwnDocument, id), 'document_taken_down')
    await act(app, teacher, office.submitOwnDocument, id)
    await act(app, teacher, office.withdrawOwnDocument, id)
    expect((await readOwnDocument(app, teacher, id)).document).toMatchObject({
      state: 'unpublished',
      isTakenDown: true,
    })
    await act(app, teacher, office.submitOwnDocument, id)
    await accept(app.deps, { id, actor: ACTOR })
    expect(await isForSale(app, id)).toBe(true)
    const params = { id }
    await expectCode(
      app.call(office.deleteOwnDocument, { as: teacher, params }),
      'document_not_deletable',
    )
  })

  test('has a generated cover, or its own, at once', async () => {
    const id = await published('Couvert')
    const { id: uploadId } = await upload(app, teacher, await aPicture('#2b62b8'), {
      purpose: 'cover',
    })
    const set = (cover: string | null) =>
      app.call(office.setDocumentCover, { as: teacher, params: { id }, body: { uploadId: cover } })
    const { document: before } = await readOwnDocument(app, teacher, id)
    const { coverPath, revision } = await set(uploadId)
    expect(revision).toBe(before.revision + 1)
    expect(await set(uploadId)).toMatchObject({ coverPath, revision })
    // The other tab has read an older revision by now, whatever has changed.
    await expectCode(
      save(app, teacher, before, textOfDocument(names, 'Another')),
      'document_changed',
    )
    expect((await fetch(app.url + coverPath)).status).toBe(200)
    expect((await app.call(getDocument, { params: { id } })).coverPath).toBe(coverPath)
    expect(await set(null)).toMatchObject({ coverPath: null })
  })

  test('is nobody else’s, for any call', async () => {
    const other = await app.anOfficeTeacher()
    const { id } = await aDraft('Mine')
    const theirs = await upload(app, other, aPdf('theirs', 1))
    const params = { id }
    const body = { uploadId: theirs.id }
    const setTheirs = (as: Person) => app.call(office.setDocumentFile, { as, params, body })
    for (const attempt of [
      () => app.call(office.getOwnDocument, { as: other, params }),
      () => app.call(office.submitOwnDocument, { as: other, params }),
      () => app.call(office.publishOwnDocument, { as: other, params }),
      () => save(app, other, { id, revision: 1 }, textOfDocument(names, 'theirs')),
      () => setTheirs(other),
    ]) {
      await expectCode(attempt(), 'document_not_found')
    }
    await expectCode(setTheirs(teacher), 'upload_not_found')
    const { totalElements } = await app.call(office.listOwnDocuments, { as: other, query: {} })
    expect(totalElements).toBe(0)
    const preview = (as: Person) =>
      app.request('GET', addressOf(office.previewOwnFile, { params }), { as })
    const page = await app.request('GET', `/api${(await preview(teacher)).body}`)
    expect([page.status, String(page.body)]).toEqual([200, expect.stringContaining('Mine')])
    expect((await preview(other)).status).toBe(404)
  })
})
