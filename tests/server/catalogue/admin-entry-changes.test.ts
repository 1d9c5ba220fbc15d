import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import * as shop from '../../../src/contract/catalogue.ts'
import * as office from '../../../src/contract/office-catalogue.ts'
import { createOwnDocument, saveOwnDocument } from '../../../src/contract/office-documents.ts'
import * as versions from '../../../src/contract/office-site-versions.ts'
import * as references from '../../../src/contract/references.ts'
import { ENTRIES_MAX, LISTS, type ListName } from '../../../src/rules/catalogue-lists.ts'
import { fillSchoolLists } from '../../../src/server/catalogue/catalogue.ts'
import { templateOf } from '../../../src/server/documents/import/export.ts'
import { add, find, idOf, lists, named, rename, retire } from '../../support/admin/lists.ts'
import { type RefusedCall, type TestApp, testApp } from '../../support/app.ts'
import { runCommand } from '../../support/operator.ts'
import { refused } from '../../support/refusals.ts'
import { logOf } from '../../support/staff-log.ts'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['anOfficeAdministrator']>>
let other: typeof admin
let teacher: Awaited<ReturnType<TestApp['anOfficeTeacher']>>

beforeAll(async () => {
  app = await testApp()
  await fillSchoolLists(app.deps.database)
  admin = await app.anOfficeAdministrator({ firstName: 'Hajer', lastName: 'Mansouri' })
  other = await app.anOfficeAdministrator({ firstName: 'Anis', lastName: 'Kasmi' })
  teacher = await app.anOfficeTeacher()
  return app.stop
})

describe('an entry of a list', () => {
  test('that is retired stays on its documents, and is no longer offered', async () => {
    const { categories, subjects } = await lists(app, admin)
    const id = idOf(categories.entries, 'summaries')
    const matiereId = idOf(subjects.entries, 'french')
    const mine = { teacherId: teacher.teacherId, categoryId: id, matiereId }
    const document = await app.aDocument({ ...mine, title: 'Résumé ancien' })
    await retire(app, admin, 'categories', id)
    await retire(app, admin, 'subjects', matiereId)
    const listed = async () =>
      (await app.call(references.listCategories, {})).find((each) => each.id === id)?.retired
    expect(await listed()).toBe('in use')
    expect((await app.call(shop.getDocument, { params: { id: document.id } })).categorie.id).toBe(
      id,
    )
    const byFilter = await app.call(shop.searchDocuments, { query: { categoryId: id } })
    expect(byFilter.content.map((each) => each.id)).toEqual([document.id])

    // Its teacher may save the document unchanged; no other document can use it.
    const { revision } = await app.deps.database.kysely
      .selectFrom('documents')
      .select('revision')
      .where('id', '=', document.id)
      .executeTakeFirstOrThrow()
    const text = {
      title: 'Résumé',
      description: '',
      price: 5,
      priceDiscount: null,
      type: 'Pour Élève',
    } as const
    const { classes } = await lists(app, admin)
    const niveauId = classes.entries[0]?.id ?? null
    await app.call(saveOwnDocument, {
      as: teacher,
      params: { id: document.id },
      body: { revision, ...text, matiereId, niveauId, categoryId: id },
    })
    const draft = await app.call(createOwnDocument, { as: teacher, key: 'retired' })
    const save = (given: object) =>
      app.call(saveOwnDocument, {
        as: teacher,
        params: { id: draft.id },
        body: {
          revision: draft.revision,
          ...text,
          matiereId: null,
          niveauId,
          categoryId: null,
          ...given,
        },
      })
    expect(await refused(save({ categoryId: id }))).toMatchObject({
      fields: { categoryId: 'invalid' },
    })
    expect(await refused(save({ matiereId }))).toMatchObject({ fields: { matiereId: 'invalid' } })

    // Imports do not recreate it either.
    expect(await templateOf(app.deps.database)).not.toContain('summaries')
    const folder = await mkdtemp(join(tmpdir(), 'karras-retired-'))
    const columns = 'reference,title,price,subject,class,category,teacher_email,file'
    const row = `R1,Un titre,5,mathematics,bac-math,summaries,${teacher.email},a.pdf`
    await writeFile(join(folder, 'catalogue.csv'), `${columns}\n${row}\n`)
    const { out } = await runCommand(app, 'import', folder)
    expect(out).toMatch(/row 2, category: .*summaries/)
    await rm(folder, { recursive: true })

    await app.deps.database.kysely
      .updateTable('documents')
      .set({ state: 'unpublished' })
      .where('id', '=', document.id)
      .execute()
    expect(await listed()).toBe('unused')
    await retire(app, admin, 'categories', id, false)
    await retire(app, admin, 'subjects', matiereId, false)
    expect(await listed()).toBeUndefined()
    expect((await save({ categoryId: id })).categorie?.id).toBe(id)
    expect((await logOf(app, `category ${id}`)).map(({ action }) => action)).toEqual([
      'retire',
      'offer again',
    ])
  })

  test('changed by two at once, is changed once, and the second learns who was first', async () => {
    const entry = await add(app, admin, 'categories', named('مجلات'))
    const ends = await Promise.allSettled(
      [admin, other].map((as, at) =>
        rename(app, admin, 'categories', entry.id, { fr: `Revues ${at}` }, { as, revision: 0 }),
      ),
    )
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const [lost] = ends.flatMap((end) =>
      end.status === 'rejected' ? [end.reason as RefusedCall] : [],
    )
    const first = ends[0]?.status === 'fulfilled' ? 'Hajer Mansouri' : 'Anis Kasmi'
    expect(lost).toMatchObject({ status: 409, code: 'done_before', body: { done: { by: first } } })
    // Saving the same values is no change, whatever revision was read.
    const { names, revision } = await find(app, admin, 'categories', entry.id)
    await rename(app, admin, 'categories', entry.id, names, { revision: 0 })
    expect((await find(app, admin, 'categories', entry.id)).revision).toBe(revision)
  })

  test('is ordered with the others, and no concurrent addition is lost', async () => {
    const { classes } = await lists(app, admin)
    const ids = classes.entries.map(({ id }) => id)
    const order = [ids[2], ids[0]] as number[]
    const save = (as: typeof admin, revision: number, given = order) =>
      app.call(office.orderList, {
        as,
        params: { list: 'classes' },
        body: { revision, ids: given },
      })
    const added = await add(app, admin, 'classes', named('سنة أخرى'), { level: 'high-school' })
    const saved = await save(admin, classes.revision)
    const wanted = [...order, ...ids.filter((id) => !order.includes(id)), added.id]
    expect(saved.classes.entries.map(({ id }) => id)).toEqual(wanted)
    const listed = await app.call(references.listClasses, {})
    expect(listed.map(({ id }) => id)).toEqual(wanted)
    expect(await refused(save(other, classes.revision, ids))).toMatchObject({
      code: 'done_before',
      done: { by: 'Hajer Mansouri' },
    })
    expect(await refused(save(admin, 1, [999_999]))).toMatchObject({ fields: { ids: 'invalid' } })
    const subject = 'list classes' as const
    await app.call(versions.restoreSiteVersion, {
      as: other,
      body: { subject, revision: 1, to: 0 },
    })
    expect((await lists(app, admin)).classes.entries.map(({ id }) => id)).toEqual([
      ...ids,
      added.id,
    ])
  })

  test('is refused if it is invalid', async () => {
    const missing = { ...named('a'), fr: ' ' }
    const wrong: [ListName, object, object?][] = [
      ['subjects', missing],
      ['subjects', { ...named('a'), en: '<b>' }],
      ['subjects', { ...named('a'), ar: 'x'.repeat(81) }],
      ['classes', named('بلا مرحلة')],
      ['classes', named('a'), { level: 'university' }],
      ['covers', named('بلا لون')],
      ['covers', named('a'), { color: 'url(x)' }],
    ]
    for (const [list, names, more] of wrong) {
      expect(
        await refused(add(app, admin, list, names as ReturnType<typeof named>, more)),
      ).toMatchObject({
        status: 400,
      })
    }
    const body = { revision: 0, names: named('b') }
    for (const list of LISTS) {
      const call = app.call(office.changeEntry, { as: admin, params: { list, id: 999_999 }, body })
      expect(await refused(call)).toMatchObject({ status: 404 })
    }
    const nobody = { subject: 'subject 999999' as const, revision: 0, to: 1 }
    expect(
      await refused(app.call(versions.restoreSiteVersion, { as: admin, body: nobody })),
    ).toMatchObject({ status: 404 })
    const { kysely } = app.deps.database
    const { entries } = (await lists(app, admin)).covers
    const color = '#123456'
    const many = Array.from({ length: ENTRIES_MAX - entries.length }, () => ({
      coverPath: null,
      livrePath: null,
      color,
    }))
    await kysely.insertInto('coverMappings').values(many).execute()
    expect(await refused(add(app, admin, 'covers', named('أخير'), { color }))).toMatchObject({
      code: 'list_full',
    })
  })
})
