import { beforeAll, describe, expect, test } from 'vitest'
import { searchDocuments } from '../../../src/contract/catalogue.ts'
import * as office from '../../../src/contract/office-documents.ts'
import { TITLE_MAX_LENGTH } from '../../../src/rules/document-fields.ts'
import { DRAFTS_MAX } from '../../../src/rules/document-life.ts'
import { accept, returnToTeacher } from '../../../src/server/documents/documents.ts'
import { type TestApp, testApp } from '../../support/app.ts'
import {
  ACTOR,
  act,
  create,
  isForSale,
  read,
  save,
  setFile,
  textOf,
} from '../../support/own-documents.ts'

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
    await expect(act(app, teacher, office.submitOwnDocument, begun.id)).rejects.toMatchObject({
      code: 'document_incomplete',
    })
    const saved = await save(app, teacher, begun, textOf(names, 'رياضيات: الكسور'))
    expect(saved).toMatchObject({ revision: 1, price: 12.5, classe: { level: 'primary-school' } })
    expect(saved.missing).toEqual([{ field: 'file', reason: 'required' }])
    expect(await setFile(app, teacher, begun.id, 3)).toMatchObject({ missing: [], pageCount: 3 })
    expect(await isForSale(app, begun.id)).toBe(false)

    expect(await act(app, teacher, office.submitOwnDocument, begun.id)).toMatchObject({
      state: 'submitted',
    })
    await expect(save(app, teacher, saved, textOf(names, 'other'))).rejects.toMatchObject({
      code: 'document_under_review',
    })
    app.published.length = 0
    await returnToTeacher(
      app.deps,
      { id: begun.id, actor: ACTOR },
      { reason: 'The title is too short.', field: 'title' },
    )
    const returned = (await read(app, teacher, begun.id)).document
    expect(returned).toMatchObject({
      state: 'returned',
      returned: { reason: 'The title is too short.', field: 'title' },
    })
    await save(app, teacher, returned, textOf(names, 'رياضيات: الكسور والعمليات'))
    await act(app, teacher, office.submitOwnDocument, begun.id)
    expect(app.published).toEqual([])
    await accept(app.deps, { id: begun.id, actor: ACTOR })
    expect(app.published).toContain(`document:${begun.id}`)
    expect(await isForSale(app, begun.id)).toBe(true)
    const found = await app.call(searchDocuments, { query: { title: 'الكسور والعمليات' } })
    expect(found.content.map(({ id }) => id)).toEqual([begun.id])

    const { history, versions, document } = await read(app, teacher, begun.id)
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
    const saved = await save(app, teacher, one, textOf(names, 'first tab'))
    // The response was lost, and the same is sent again.
    expect(await save(app, teacher, one, textOf(names, 'first tab'))).toEqual(saved)
    await expect(save(app, teacher, one, textOf(names, 'second tab'))).rejects.toMatchObject({
      code: 'document_changed',
    })
    expect((await read(app, teacher, one.id)).document.title).toBe('first tab')
    await app.call(office.deleteOwnDocument, { as: teacher, params: { id: one.id } })
    await expect(read(app, teacher, one.id)).rejects.toMatchObject({ code: 'document_not_found' })
  })

  test('refuses files that cannot be documents, and stores nothing of them', async () => {
    const begun = await create(app, teacher)
    const refused = (code: string, fields?: object) =>
      expect.objectContaining({
        body: expect.objectContaining({ error: code, ...(fields && { fields }) }),
      })
    await expect(save(app, teacher, begun, textOf(names, 'x'.repeat(5000)))).rejects.toEqual(
      refused('invalid_input', { title: 'maxLength' }),
    )
    await expect(
      save(app, teacher, begun, textOf(names, 'x', { matiereId: 999_999 })),
    ).rejects.toEqual(refused('invalid_input', { matiereId: 'invalid' }))
    await expect(save(app, teacher, begun, textOf(names, 'x', { price: 1.234 }))).rejects.toEqual(
      refused('invalid_input', { price: 'thirdDecimal' }),
    )
    expect((await read(app, teacher, begun.id)).document).toEqual(begun)
    const longest = await save(
      app,
      teacher,
      begun,
      textOf(names, 'ب'.repeat(TITLE_MAX_LENGTH), { price: 0.2 }),
    )
    expect(longest.missing).toContainEqual({ field: 'price', reason: 'min' })
    const dear = await save(
      app,
      teacher,
      longest,
      textOf(names, 'x', { price: 501, priceDiscount: 501 }),
    )
    expect(dear.missing).toEqual(
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
      await save(app, me, await create(app, me), textOf(names, title))
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
    await app.deps.database.kysely
      .insertInto('documents')
      .values(Array.from({ length: DRAFTS_MAX - 1 }, () => row))
      .execute()
    const outcomes = await Promise.allSettled([create(app, me), create(app, me), create(app, me)])
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })
})
