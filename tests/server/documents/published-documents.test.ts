import { beforeAll, describe, expect, test, vi } from 'vitest'
import { getDocument } from '../../../src/contract/catalogue.ts'
import { downloadDocument } from '../../../src/contract/library.ts'
import * as office from '../../../src/contract/office-documents.ts'
import { payFromWallet } from '../../../src/contract/wallet.ts'
import { dinars } from '../../../src/rules/money.ts'
import { accept, returnToTeacher, unpublish } from '../../../src/server/documents/documents.ts'
import { type TestApp, testApp } from '../../support/app.ts'
import { ACTOR, act, isForSale, read, save, setFile, textOf } from '../../support/own-documents.ts'
import { PATIENCE } from '../../support/patience.ts'
import { aPdf } from '../../support/pdf.ts'
import { aPicture } from '../../support/picture.ts'
import { aDraft } from '../../support/published-documents.ts'
import { upload } from '../../support/uploads.ts'
import { addressOf } from '../http/samples.ts'

let app: TestApp
let teacher: Awaited<ReturnType<TestApp['anOfficeTeacher']>>
let names: { matiereId: number; niveauId: number; categoryId: number }

beforeAll(async () => {
  app = await testApp()
  teacher = await app.anOfficeTeacher({ firstName: 'Leïla', lastName: 'Gharbi' })
  names = {
    matiereId: await app.aMatiere(),
    niveauId: await app.aClass(),
    categoryId: await app.aCategory(),
  }
  return app.stop
})

async function published(title: string, pages = 2) {
  const { id } = await aDraft(app, teacher, names, title, pages)
  await act(app, teacher, office.submitOwnDocument, id)
  await accept(app.deps, { id, actor: ACTOR })
  return id
}

describe('a document', () => {
  test('publishes text changes at once, and a new file after a review', async () => {
    const buyer = await app.aCustomer({ balance: dinars(50) })
    const id = await published('Avant', 2)
    const path = addressOf(downloadDocument, { params: { id, userId: buyer.id } })
    const sizeOf = async () =>
      Number((await app.request('GET', path, { as: buyer })).headers.get('content-length'))
    const body = { userId: buyer.id, documentIds: [id] }
    await app.call(payFromWallet, { as: buyer, key: 'buy', body })
    const { document, versions: sold } = await read(app, teacher, id)
    // The first copies lack their footer if a busy machine has not made it in time.
    const first = await vi.waitFor(async () => {
      const size = await sizeOf()
      expect(size).toBeGreaterThan(sold[0]?.size ?? Number.NaN)
      return size
    }, PATIENCE)

    await expect(save(app, teacher, document, textOf(names, ''))).rejects.toMatchObject({
      code: 'document_incomplete',
    })
    app.published.length = 0
    await save(app, teacher, document, textOf(names, 'Après', { price: 20, priceDiscount: 15 }))
    expect(app.published).toEqual(expect.arrayContaining([`document:${id}`, 'catalogue']))
    const shown = await app.call(getDocument, { params: { id } })
    expect(shown).toMatchObject({ title: 'Après', price: 20, priceDiscount: 15 })

    // The same bytes by another upload are not a new version for owners.
    await expect(setFile(app, teacher, id, 2, 'Rien')).rejects.toMatchObject({
      code: 'file_unchanged',
    })
    expect((await read(app, teacher, id)).versions).toHaveLength(1)
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
    expect((await read(app, teacher, id)).versions[0]).toMatchObject({
      note: 'Trois pages, corrigées',
    })
    const closed = { code: 'document_state_changed' }
    await expect(noteOf(1, 'accepted')).rejects.toMatchObject(closed)
    await expect(noteOf(3, 'none')).rejects.toMatchObject(closed)
    await expect(noteOf(2, 'x'.repeat(301))).rejects.toMatchObject({ code: 'invalid_input' })
    const other = await app.anOfficeTeacher()
    await expect(noteOf(2, 'theirs', other)).rejects.toMatchObject({ code: 'document_not_found' })
    await returnToTeacher(app.deps, { id, actor: ACTOR }, { reason: 'Blurred.', field: 'file' })
    expect((await read(app, teacher, id)).document.returned).toMatchObject({
      reason: 'Blurred.',
      field: 'file',
    })
    await setFile(app, teacher, id, 6)
    await setFile(app, teacher, id, 7)
    await accept(app.deps, { id, actor: ACTOR })
    expect(await sizeOf()).not.toBe(first)
    const { versions } = await read(app, teacher, id)
    expect(versions.map(({ number, state }) => [number, state])).toEqual([
      [4, 'accepted'],
      [3, 'replaced'],
      [2, 'returned'],
      [1, 'accepted'],
    ])

    // Owners keep it, published or not, whoever unpublished it.
    await app.call(office.unpublishOwnDocument, {
      as: teacher,
      params: { id },
      body: { reason: null },
    })
    expect([await isForSale(app, id), (await sizeOf()) > 0]).toEqual([false, true])
    await act(app, teacher, office.publishOwnDocument, id)
    expect(await isForSale(app, id)).toBe(true)
    await unpublish(app.deps, { id, editor: { actor: ACTOR } }, 'Copied from a book.')
    await expect(act(app, teacher, office.publishOwnDocument, id)).rejects.toMatchObject({
      code: 'document_taken_down',
    })
    await act(app, teacher, office.submitOwnDocument, id)
    await act(app, teacher, office.withdrawOwnDocument, id)
    expect((await read(app, teacher, id)).document).toMatchObject({
      state: 'unpublished',
      isTakenDown: true,
    })
    await act(app, teacher, office.submitOwnDocument, id)
    await accept(app.deps, { id, actor: ACTOR })
    expect(await isForSale(app, id)).toBe(true)
    const params = { id }
    await expect(app.call(office.deleteOwnDocument, { as: teacher, params })).rejects.toMatchObject(
      {
        code: 'document_not_deletable',
      },
    )
  })

  test('has a generated cover, or its own, at once', async () => {
    const id = await published('Couvert')
    const { id: uploadId } = await upload(app, teacher, await aPicture('#2b62b8'), {
      purpose: 'cover',
    })
    const set = (cover: string | null) =>
      app.call(office.setDocumentCover, { as: teacher, params: { id }, body: { uploadId: cover } })
    const { document: before } = await read(app, teacher, id)
    const { coverPath, revision } = await set(uploadId)
    expect(revision).toBe(before.revision + 1)
    expect(await set(uploadId)).toMatchObject({ coverPath, revision })
    // The other tab has read an older revision by now, whatever has changed.
    await expect(save(app, teacher, before, textOf(names, 'Another'))).rejects.toMatchObject({
      code: 'document_changed',
    })
    expect((await fetch(app.url + coverPath)).status).toBe(200)
    expect((await app.call(getDocument, { params: { id } })).coverPath).toBe(coverPath)
    expect(await set(null)).toMatchObject({ coverPath: null })
  })

  test('is nobody else’s, for any call', async () => {
    const other = await app.anOfficeTeacher()
    const { id } = await aDraft(app, teacher, names, 'Mine')
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
    await expect(
      save(app, other, { id, revision: 1 }, textOf(names, 'theirs')),
    ).rejects.toMatchObject(unknown)
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
