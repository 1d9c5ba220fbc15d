import { beforeAll, describe, expect, test, vi } from 'vitest'
import { getDocument, searchDocuments } from '../../src/contract/catalogue.ts'
import { downloadDocument } from '../../src/contract/library.ts'
import * as office from '../../src/contract/office-documents.ts'
import { payFromWallet } from '../../src/contract/wallet.ts'
import { DRAFTS_MAX, TITLE_MAX_LENGTH } from '../../src/rules/document-life.ts'
import { dinars } from '../../src/rules/money.ts'
import { accept, returnToTeacher, unpublish } from '../../src/server/documents/documents.ts'
import { runOffice } from '../../src/server/office/run.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { PATIENCE } from '../support/patience.ts'
import { aPdf } from '../support/pdf.ts'
import { aPicture } from '../support/picture.ts'
import { upload } from '../support/uploads.ts'
import { addressOf } from './http/samples.ts'

const ACTOR = 'command line'

let app: TestApp
let teacher: Awaited<ReturnType<TestApp['anOfficeTeacher']>>
let names: { matiereId: number; niveauId: number; categoryId: number }
let count = 0

beforeAll(async () => {
  app = await testApp()
  teacher = await app.anOfficeTeacher({ firstName: 'Leïla', lastName: 'Gharbi' })
  names = {
    matiereId: await app.aMatiere(),
    niveauId: await app.aNiveau(),
    categoryId: await app.aCategory(),
  }
  return app.stop
})

const textOf = (title: string, more: Partial<office.DocumentText> = {}) => ({
  title,
  description: '',
  // On the wire: dinars.
  price: 12.5,
  priceDiscount: null,
  ...names,
  type: 'Pour Élève' as const,
  ...more,
})

const create = (as = teacher) => app.call(office.createOwnDocument, { as, key: `k${++count}` })

async function save(
  document: { id: number; revision: number },
  text: ReturnType<typeof textOf>,
  as = teacher,
) {
  const body = { revision: document.revision, ...text }
  return await app.call(office.saveOwnDocument, { as, params: { id: document.id }, body })
}

/** A draft with all that it needs. */
async function aDraft(title: string, pages = 2) {
  const begun = await create()
  const saved = await save(begun, textOf(title))
  await setFile(saved.id, pages)
  return saved
}

async function setFile(id: number, pages: number, note = '') {
  const { id: uploadId } = await upload(app, teacher, aPdf(`${id} ${pages}`, pages))
  const body = { uploadId, note }
  return await app.call(office.setDocumentFile, { as: teacher, params: { id }, body })
}

const act = (call: typeof office.submitOwnDocument, id: number, as = teacher) =>
  app.call(call, { as, params: { id } })
const read = (id: number) => app.call(office.getOwnDocument, { as: teacher, params: { id } })

const isForSale = async (id: number) =>
  (await app.request('GET', addressOf(getDocument, { params: { id } }))).status === 200

async function published(title: string, pages = 2) {
  const { id } = await aDraft(title, pages)
  await act(office.submitOwnDocument, id)
  await accept(app.deps, { id, actor: ACTOR })
  return id
}

describe('a document', () => {
  test('lives from its draft to the shop, with one id, and says what is missing', async () => {
    const begun = await create()
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
    await expect(act(office.submitOwnDocument, begun.id)).rejects.toMatchObject({
      code: 'document_incomplete',
    })
    const saved = await save(begun, textOf('رياضيات: الكسور'))
    expect(saved).toMatchObject({ revision: 1, price: 12.5, classe: { level: 'primary-school' } })
    expect(saved.missing).toEqual([{ field: 'file', reason: 'required' }])
    expect(await setFile(begun.id, 3)).toMatchObject({ missing: [], pageCount: 3 })
    expect(await isForSale(begun.id)).toBe(false)

    expect(await act(office.submitOwnDocument, begun.id)).toMatchObject({ state: 'submitted' })
    await expect(save(saved, textOf('other'))).rejects.toMatchObject({
      code: 'document_under_review',
    })
    app.published.length = 0
    await returnToTeacher(
      app.deps,
      { id: begun.id, actor: ACTOR },
      { reason: 'The title is too short.', field: 'title' },
    )
    const returned = (await read(begun.id)).document
    expect(returned).toMatchObject({
      state: 'returned',
      returned: { reason: 'The title is too short.', field: 'title' },
    })
    await save(returned, textOf('رياضيات: الكسور والعمليات'))
    await act(office.submitOwnDocument, begun.id)
    expect(app.published).toEqual([])
    await accept(app.deps, { id: begun.id, actor: ACTOR })
    expect(app.published).toContain(`document:${begun.id}`)
    expect(await isForSale(begun.id)).toBe(true)
    const found = await app.call(searchDocuments, { query: { title: 'الكسور والعمليات' } })
    expect(found.content.map(({ id }) => id)).toEqual([begun.id])

    const { history, versions, document } = await read(begun.id)
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

  test('is begun once for a key, and saved once for a text; two tabs notice each other', async () => {
    const key = 'begun twice'
    const [one, two] = await Promise.all([
      app.call(office.createOwnDocument, { as: teacher, key }),
      app.call(office.createOwnDocument, { as: teacher, key }),
    ])
    expect(one.id).toBe(two.id)
    const saved = await save(one, textOf('first tab'))
    // The answer was lost, and the same is sent again.
    expect(await save(one, textOf('first tab'))).toEqual(saved)
    await expect(save(one, textOf('second tab'))).rejects.toMatchObject({
      code: 'document_changed',
    })
    expect((await read(one.id)).document.title).toBe('first tab')
    await app.call(office.deleteOwnDocument, { as: teacher, params: { id: one.id } })
    await expect(read(one.id)).rejects.toMatchObject({ code: 'document_not_found' })
  })

  test('refuses files that cannot be documents, and stores nothing of them', async () => {
    const begun = await create()
    const refused = (code: string, fields?: object) =>
      expect.objectContaining({
        body: expect.objectContaining({ error: code, ...(fields && { fields }) }),
      })
    await expect(save(begun, textOf('x'.repeat(5000)))).rejects.toEqual(
      refused('invalid_input', { title: 'maxLength' }),
    )
    await expect(save(begun, textOf('x', { matiereId: 999_999 }))).rejects.toEqual(
      refused('invalid_input', { matiereId: 'invalid' }),
    )
    await expect(save(begun, textOf('x', { price: 1.234 }))).rejects.toEqual(
      refused('invalid_input', { price: 'pattern' }),
    )
    expect((await read(begun.id)).document).toEqual(begun)
    const longest = await save(begun, textOf('ب'.repeat(TITLE_MAX_LENGTH), { price: 0.2 }))
    expect(longest.missing).toContainEqual({ field: 'price', reason: 'min' })
    const dear = await save(longest, textOf('x', { price: 501, priceDiscount: 501 }))
    expect(dear.missing).toEqual(
      expect.arrayContaining([
        { field: 'price', reason: 'max' },
        { field: 'priceDiscount', reason: 'max' },
      ]),
    )
  })

  test('changes its text at once when it is published, and its file after a review', async () => {
    const buyer = await app.aCustomer({ balance: dinars(50) })
    const id = await published('Avant', 2)
    const path = addressOf(downloadDocument, { params: { id, userId: buyer.id } })
    const sizeOf = async () =>
      Number((await app.request('GET', path, { as: buyer })).headers.get('content-length'))
    const body = { userId: buyer.id, documentIds: [id] }
    await app.call(payFromWallet, { as: buyer, key: 'buy', body })
    const { document, versions: sold } = await read(id)
    // The first copies go without their footer where a busy machine has not made it in time.
    const first = await vi.waitFor(async () => {
      const size = await sizeOf()
      expect(size).toBeGreaterThan(sold[0]?.size ?? Number.NaN)
      return size
    }, PATIENCE)

    await expect(save(document, textOf(''))).rejects.toMatchObject({ code: 'document_incomplete' })
    app.published.length = 0
    await save(document, textOf('Après', { price: 20, priceDiscount: 15 }))
    expect(app.published).toEqual(expect.arrayContaining([`document:${id}`, 'catalogue']))
    const shown = await app.call(getDocument, { params: { id } })
    expect(shown).toMatchObject({ title: 'Après', price: 20, priceDiscount: 15 })

    // The same bytes by another upload are no news for owners.
    await expect(setFile(id, 2, 'Rien')).rejects.toMatchObject({ code: 'file_unchanged' })
    expect((await read(id)).versions).toHaveLength(1)
    expect(await setFile(id, 5, 'Trois pages de plus')).toMatchObject({
      state: 'published',
      waitingVersion: 2,
      pageCount: 2,
    })
    expect(await sizeOf()).toBe(first)
    // Its note may be written after the file was sent, until somebody has decided about it.
    const noteOf = (number: number, note: string, as = teacher) =>
      app.call(office.setVersionNote, { as, params: { id, number }, body: { note } })
    await noteOf(2, 'Trois pages, corrigées')
    expect((await read(id)).versions[0]).toMatchObject({ note: 'Trois pages, corrigées' })
    const closed = { code: 'document_state_changed' }
    await expect(noteOf(1, 'accepted')).rejects.toMatchObject(closed)
    await expect(noteOf(3, 'none')).rejects.toMatchObject(closed)
    await expect(noteOf(2, 'x'.repeat(301))).rejects.toMatchObject({ code: 'invalid_input' })
    const other = await app.anOfficeTeacher()
    await expect(noteOf(2, 'theirs', other)).rejects.toMatchObject({ code: 'document_not_found' })
    await returnToTeacher(app.deps, { id, actor: ACTOR }, { reason: 'Blurred.', field: 'file' })
    expect((await read(id)).document.returned).toMatchObject({ reason: 'Blurred.', field: 'file' })
    await setFile(id, 6)
    await setFile(id, 7)
    await accept(app.deps, { id, actor: ACTOR })
    expect(await sizeOf()).not.toBe(first)
    const { versions } = await read(id)
    expect(versions.map(({ number, state }) => [number, state])).toEqual([
      [4, 'accepted'],
      [3, 'replaced'],
      [2, 'returned'],
      [1, 'accepted'],
    ])

    // Owners keep it, published or not, whoever took it from the shop.
    await app.call(office.unpublishOwnDocument, {
      as: teacher,
      params: { id },
      body: { reason: null },
    })
    expect([await isForSale(id), (await sizeOf()) > 0]).toEqual([false, true])
    await act(office.publishOwnDocument, id)
    expect(await isForSale(id)).toBe(true)
    await unpublish(app.deps, { id, editor: { actor: ACTOR } }, 'Copied from a book.')
    await expect(act(office.publishOwnDocument, id)).rejects.toMatchObject({
      code: 'document_taken_down',
    })
    await act(office.submitOwnDocument, id)
    await act(office.withdrawOwnDocument, id)
    expect((await read(id)).document).toMatchObject({ state: 'unpublished', isTakenDown: true })
    await act(office.submitOwnDocument, id)
    await accept(app.deps, { id, actor: ACTOR })
    expect(await isForSale(id)).toBe(true)
    const params = { id }
    await expect(app.call(office.deleteOwnDocument, { as: teacher, params })).rejects.toMatchObject(
      {
        code: 'document_not_deletable',
      },
    )
  })

  test('has the cover that the shop draws, or its own, at once', async () => {
    const id = await published('Couvert')
    const { id: uploadId } = await upload(app, teacher, await aPicture('#2b62b8'), {
      purpose: 'cover',
    })
    const set = (cover: string | null) =>
      app.call(office.setDocumentCover, { as: teacher, params: { id }, body: { uploadId: cover } })
    const { document: before } = await read(id)
    const { coverPath, revision } = await set(uploadId)
    expect(revision).toBe(before.revision + 1)
    expect(await set(uploadId)).toMatchObject({ coverPath, revision })
    // What another tab had read is an older revision, whatever has changed since.
    await expect(save(before, textOf('Another'))).rejects.toMatchObject({
      code: 'document_changed',
    })
    expect((await fetch(app.url + coverPath)).status).toBe(200)
    expect((await app.call(getDocument, { params: { id } })).coverPath).toBe(coverPath)
    expect(await set(null)).toMatchObject({ coverPath: null })
  })

  test('is nobody else’s, whatever the call', async () => {
    const other = await app.anOfficeTeacher()
    const { id } = await aDraft('Mine')
    const theirs = await upload(app, other, aPdf('theirs', 1))
    const params = { id }
    const unknown = { code: 'document_not_found' }
    for (const call of [
      office.getOwnDocument,
      office.submitOwnDocument,
      office.publishOwnDocument,
    ]) {
      await expect(app.call(call, { as: other, params })).rejects.toMatchObject(unknown)
    }
    await expect(save({ id, revision: 1 }, textOf('theirs'), other)).rejects.toMatchObject(unknown)
    const body = { uploadId: theirs.id }
    await expect(
      app.call(office.setDocumentFile, { as: other, params, body }),
    ).rejects.toMatchObject(unknown)
    await expect(
      app.call(office.setDocumentFile, { as: teacher, params, body }),
    ).rejects.toMatchObject({ code: 'upload_not_found' })
    expect((await app.call(office.listOwnDocuments, { as: other, query: {} })).totalElements).toBe(
      0,
    )
    const preview = await app.request('GET', addressOf(office.previewOwnFile, { params }), {
      as: teacher,
    })
    const page = await app.request('GET', `/api${preview.body}`)
    expect([page.status, String(page.body)]).toEqual([200, expect.stringContaining('Mine')])
    const refused = await app.request('GET', addressOf(office.previewOwnFile, { params }), {
      as: other,
    })
    expect(refused.status).toBe(404)
  })
})

describe('the list', () => {
  test('is paged, sorted, filtered and searched by the server', async () => {
    const me = await app.anOfficeTeacher()
    for (const title of ['Chimie', 'Algèbre', 'Biologie']) {
      await save(await create(me), textOf(title), me)
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

  test('of drafts has an end', async () => {
    const me = await app.anOfficeTeacher()
    const row = { teacherId: me.teacherId, title: 'x' }
    await app.deps.database.kysely
      .insertInto('documents')
      .values(Array.from({ length: DRAFTS_MAX - 1 }, () => row))
      .execute()
    const outcomes = await Promise.allSettled([create(me), create(me), create(me)])
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })
})

describe('the command line', () => {
  async function run(...typed: string[]) {
    let out = ''
    let err = ''
    const env = {
      DATA_DIR: app.deps.config.dataDir,
      DATABASE_URL: app.databaseUrl,
      JWT_SECRET: 's'.repeat(32),
    }
    const exit = await runOffice(typed, env, {
      out: (line) => (out += `${line}\n`),
      err: (line) => (err += `${line}\n`),
    })
    return { exit, out, err }
  }

  test('lists, changes, reviews and unpublishes documents', async () => {
    const { id } = await aDraft('من سطر الأوامر')
    await act(office.submitOwnDocument, id)
    expect((await run('review')).out).toContain('من سطر الأوامر')
    expect(await run('review', String(id), 'return')).toMatchObject({ exit: 2 })
    expect(
      await run('review', String(id), 'return', '--reason', 'Short.', '--field', 'title'),
    ).toMatchObject({ exit: 0, err: '' })
    expect((await read(id)).document.returned).toMatchObject({ reason: 'Short.', field: 'title' })
    expect(await run('review', String(id), 'accept')).toMatchObject({ exit: 1 })
    await act(office.submitOwnDocument, id)
    expect(await run('review', String(id), 'accept')).toMatchObject({ exit: 0, err: '' })
    expect(await isForSale(id)).toBe(true)
    expect(await run('document', String(id), 'set', 'price=7.5', 'title=جديد')).toMatchObject({
      exit: 0,
    })
    expect(await app.call(getDocument, { params: { id } })).toMatchObject({
      price: 7.5,
      title: 'جديد',
    })
    expect(await run('document', String(id), 'set', 'price=900')).toMatchObject({ exit: 1 })
    expect(await run('document', String(id), 'set', 'owner=1')).toMatchObject({ exit: 2 })
    expect(await run('unpublish', String(id))).toMatchObject({ exit: 2 })
    expect(await run('unpublish', String(id), '--reason', 'Copied.')).toMatchObject({ exit: 0 })
    expect(await isForSale(id)).toBe(false)
    const listed = await run('documents', '--state', 'unpublished', '--json')
    expect(JSON.parse(listed.out).documents).toContainEqual(expect.objectContaining({ id }))
    const log = await app.deps.database.kysely
      .selectFrom('staffLog')
      .select(['actor', 'action', 'reason'])
      .where('subject', '=', `document ${id}`)
      .execute()
    expect(log).toContainEqual({
      actor: 'command line',
      action: 'document: unpublish',
      reason: 'Copied.',
    })
  })
})
