import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import * as shop from '../../src/contract/catalogue.ts'
import { listPurchased } from '../../src/contract/library.ts'
import * as office from '../../src/contract/office-catalogue.ts'
import { createOwnDocument, saveOwnDocument } from '../../src/contract/office-documents.ts'
import * as versions from '../../src/contract/office-site-versions.ts'
import * as references from '../../src/contract/references.ts'
import { ENTRIES_MAX, FEATURED_MAX, LISTS, type ListName } from '../../src/rules/catalogue-lists.ts'
import { dinars } from '../../src/rules/money.ts'
import { CATALOGUE_TAG, REFERENCE_TAG } from '../../src/rules/page-tags.ts'
import { fillSchoolLists, rewriteStaleSearchTexts } from '../../src/server/catalogue/catalogue.ts'
import { transaction } from '../../src/server/database/transaction.ts'
import { templateOf } from '../../src/server/documents/import/template.ts'
import { purchase } from '../../src/server/money/money.ts'
import { RefusedCall, type TestApp, testApp } from '../support/app.ts'
import { runCommand } from '../support/operator.ts'

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

const lists = () => app.call(office.getLists, { as: admin })
const named = (ar: string, fr = `${ar} fr`, en = `${ar} en`) => ({ ar, fr, en })

async function add(list: ListName, names = named('جديد'), more: object = {}, as = admin) {
  const body = { names, ...more }
  const { entries } = (await app.call(office.addEntry, { as, params: { list }, body }))[list]
  return entries.at(-1) as office.Entry
}

async function find(list: ListName, id: number) {
  const entry = (await lists())[list].entries.find((each) => each.id === id)
  if (!entry) throw new Error(`there is no ${id} in ${list}`)
  return entry
}

async function rename(
  list: ListName,
  id: number,
  names: object,
  { as = admin, revision = -1 } = {},
) {
  const now = await find(list, id)
  const body = {
    revision: revision < 0 ? now.revision : revision,
    names: { ...now.names, ...names },
  }
  return await app.call(office.changeEntry, { as, params: { list, id }, body })
}

async function retire(list: ListName, id: number, isRetired = true) {
  const { revision } = await find(list, id)
  const params = { list, id }
  return await app.call(office.retireEntry, { as: admin, params, body: { revision, isRetired } })
}

const featured = (kind: 'documents' | 'teachers' = 'documents') =>
  app.call(office.getFeatured, { as: admin, params: { kind } })

async function feature(
  ids: number[],
  {
    kind = 'documents',
    as = admin,
    revision = -1,
  }: { kind?: 'documents' | 'teachers'; as?: typeof admin; revision?: number } = {},
) {
  const now = await featured(kind)
  const body = { revision: revision < 0 ? now.revision : revision, ids }
  return await app.call(office.saveFeatured, { as, params: { kind }, body })
}

const refused = (call: Promise<unknown>) =>
  call.then(
    () => expect.unreachable('it was taken'),
    (error: RefusedCall) => {
      expect(error).toBeInstanceOf(RefusedCall)
      const { fields, done } = error.body as { fields?: object; done?: object }
      return { status: error.status, code: error.code, fields, done }
    },
  )

const logOf = (subject: string) =>
  app.deps.database.kysely
    .selectFrom('staffLog')
    .select(['actor', 'action', 'reason'])
    .where('subject', '=', subject)
    .orderBy('id')
    .execute()

const found = async (title: string) =>
  (await app.call(shop.searchDocuments, { query: { title } })).content.map(({ id }) => id)

const commandLine = (...typed: string[]) => runCommand(app, ...typed)

const idOf = (entries: readonly office.Entry[], code: string) =>
  entries.find((each) => each.code === code)?.id ?? 0

describe('an entry of a list', () => {
  test('is added, renamed everywhere at once, and brought back to what it was', async () => {
    const { subjects, classes, categories } = await lists()
    expect(subjects.entries[0]).toMatchObject({
      names: { fr: 'Mathématiques' },
      revision: 0,
      changed: null,
    })
    const id = idOf(subjects.entries, 'computing')
    const niveauId = idOf(classes.entries, 'bac-math')
    const categoryId = idOf(categories.entries, 'exams')
    const document = await app.aDocument({
      matiereId: id,
      niveauId,
      categoryId,
      title: 'خوارزميات',
    })
    const buyer = await app.aCustomer({ balance: dinars(5) })
    await transaction(app.deps.database, (tx) =>
      purchase(tx, { buyerId: buyer.id, documentIds: [document.id] }),
    )
    app.published.length = 0
    const names = named('الذكاء الآلي', 'Informatique et IA', 'Computing and AI')
    const changed = await rename('subjects', id, names)
    expect(changed.subjects.entries.find((each) => each.id === id)).toMatchObject({
      names,
      documents: 1,
      published: 1,
      revision: 1,
      changed: { by: 'Hajer Mansouri' },
    })
    expect(app.published).toEqual(expect.arrayContaining([REFERENCE_TAG, CATALOGUE_TAG]))
    const page = await app.call(shop.getDocument, { params: { id: document.id } })
    expect(page.matiere).toMatchObject({ id, name: names.ar, names })
    const [listed] = (await app.call(references.listMatieres, {})).filter((each) => each.id === id)
    expect(listed).toEqual({ id, name: names.ar, code: 'computing', names })
    const [bought] = await app.call(listPurchased, { as: buyer })
    expect(bought).toMatchObject({ matiereName: names.ar, matiereNames: names })
    expect(await found('ذكاء')).toEqual([document.id])
    expect(await found('الإعلامية')).toEqual([])

    const subject = `subject ${id}` as const
    const [difference] = await app.call(versions.getSiteDifferences, {
      as: admin,
      params: { revision: 1 },
      query: { subject },
    })
    expect(difference?.field).toBe('names.ar')
    await app.call(versions.restoreSiteVersion, {
      as: other,
      body: { subject, revision: 1, to: 0 },
    })
    expect((await find('subjects', id)).names.fr).toBe('Informatique')
    expect(await found('الإعلامية')).toEqual([document.id])
    const { content } = await app.call(versions.listSiteVersions, { as: admin, query: { subject } })
    expect(content).toMatchObject([
      { revision: 2, by: 'Anis Kasmi', restores: 0 },
      { revision: 1, by: 'Hajer Mansouri', restores: null },
    ])
    expect(await logOf(subject)).toMatchObject([
      {
        actor: `user ${admin.id}`,
        action: 'change',
        reason: expect.stringContaining('names.fr: "Informatique" → "Informatique et IA"'),
      },
      { actor: `user ${other.id}`, action: 'restore' },
    ])
  })

  test('that is new comes last, can be given to documents, and can be undone to its first version', async () => {
    const robotics = await add('subjects', named('الروبوتيك', 'Robotique', 'Robotics'))
    expect(robotics).toMatchObject({
      code: 'robotics',
      isRetired: false,
      documents: 0,
      revision: 0,
    })
    const year = await add('classes', named('السنة التحضيرية'), { level: 'primary-school' })
    expect(year).toMatchObject({ level: 'primary-school' })
    const cover = await add('covers', named('غلاف أزرق'), { color: '#2F57B8' })
    const { entries } = (await lists()).subjects
    expect(entries.at(-1)?.id).toBe(robotics.id)
    const draft = await app.call(createOwnDocument, { as: teacher, key: 'robotics' })
    const text = {
      title: 'Robots',
      description: '',
      price: 5,
      priceDiscount: null,
      type: 'Pour Élève',
    } as const
    const body = {
      revision: draft.revision,
      ...text,
      matiereId: robotics.id,
      niveauId: year.id,
      categoryId: null,
    }
    const saved = await app.call(saveOwnDocument, { as: teacher, params: { id: draft.id }, body })
    expect(saved).toMatchObject({
      matiere: { names: robotics.names },
      classe: { level: 'primary-school' },
    })
    await rename('covers', cover.id, { fr: 'Bleu nuit' })
    const subject = `cover ${cover.id}` as const
    await app.call(versions.restoreSiteVersion, {
      as: admin,
      body: { subject, revision: 1, to: 0 },
    })
    expect(await find('covers', cover.id)).toMatchObject({ names: cover.names, revision: 2 })
  })

  test('has a name of its own, in every language and spelling, also beside retired ones', async () => {
    const one = await add('categories', named('ألعاب', 'Jeux', 'Games'))
    const wrong = [
      named('العاب', 'x', 'y'),
      named('a', 'JEUX', 'b'),
      named('jeux', 'a', 'b'),
      named('a', 'b', 'Lessons'),
    ]
    for (const names of wrong) {
      expect(await refused(add('categories', names))).toMatchObject({
        status: 409,
        code: 'name_taken',
      })
    }
    await retire('categories', one.id)
    expect(await refused(add('categories', named('ألعاب')))).toMatchObject({ code: 'name_taken' })
    const two = await add('categories', named('بطاقات', 'Fiches', 'Cards'))
    expect(await refused(rename('categories', two.id, { en: 'games' }))).toMatchObject({
      code: 'name_taken',
    })
    // The names of another list are free, and one's own can be spelled otherwise.
    await add('subjects', named('ألعاب', 'Jeux', 'Games'))
    await rename('categories', two.id, { fr: 'FICHES' })
    // Two who add the same at once: one of them does.
    const both = await Promise.allSettled(
      [admin, other].map((as) => add('categories', named('ملصقات'), {}, as)),
    )
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('that is retired stays with its documents, and is no longer offered', async () => {
    const { categories, subjects } = await lists()
    const id = idOf(categories.entries, 'summaries')
    const matiereId = idOf(subjects.entries, 'french')
    const mine = { teacherId: teacher.teacherId, categoryId: id, matiereId }
    const document = await app.aDocument({ ...mine, title: 'Résumé ancien' })
    await retire('categories', id)
    await retire('subjects', matiereId)
    const listed = async () =>
      (await app.call(references.listCategories, {})).find((each) => each.id === id)?.retired
    expect(await listed()).toBe('in use')
    expect((await app.call(shop.getDocument, { params: { id: document.id } })).categorie.id).toBe(
      id,
    )
    const byFilter = await app.call(shop.searchDocuments, { query: { categoryId: id } })
    expect(byFilter.content.map((each) => each.id)).toEqual([document.id])

    // Its teacher may save it as it is; nothing else gets it any more.
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
    const { classes } = await lists()
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

    // Nor do lists of documents bring it anew.
    expect(await templateOf(app.deps.database)).not.toContain('summaries')
    const folder = await mkdtemp(join(tmpdir(), 'karras-retired-'))
    const columns = 'reference,title,price,subject,class,category,teacher_email,file'
    const row = `R1,Un titre,5,mathematics,bac-math,summaries,${teacher.email},a.pdf`
    await writeFile(join(folder, 'catalogue.csv'), `${columns}\n${row}\n`)
    const { out } = await commandLine('import', folder)
    expect(out).toMatch(/row 2, category: .*summaries/)
    await rm(folder, { recursive: true })

    await app.deps.database.kysely
      .updateTable('documents')
      .set({ state: 'unpublished' })
      .where('id', '=', document.id)
      .execute()
    expect(await listed()).toBe('unused')
    await retire('categories', id, false)
    await retire('subjects', matiereId, false)
    expect(await listed()).toBeUndefined()
    expect((await save({ categoryId: id })).categorie?.id).toBe(id)
    expect((await logOf(`category ${id}`)).map(({ action }) => action)).toEqual([
      'retire',
      'offer again',
    ])
  })

  test('changed by two at once, is changed once, and the second learns who was first', async () => {
    const entry = await add('categories', named('مجلات'))
    const ends = await Promise.allSettled(
      [admin, other].map((as, at) =>
        rename('categories', entry.id, { fr: `Revues ${at}` }, { as, revision: 0 }),
      ),
    )
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const [lost] = ends.flatMap((end) =>
      end.status === 'rejected' ? [end.reason as RefusedCall] : [],
    )
    const first = ends[0]?.status === 'fulfilled' ? 'Hajer Mansouri' : 'Anis Kasmi'
    expect(lost).toMatchObject({ status: 409, code: 'done_before', body: { done: { by: first } } })
    // The same again is no change, whoever has read what.
    const { names, revision } = await find('categories', entry.id)
    await rename('categories', entry.id, names, { revision: 0 })
    expect((await find('categories', entry.id)).revision).toBe(revision)
  })

  test('is ordered with the others, which nobody loses', async () => {
    const { classes } = await lists()
    const ids = classes.entries.map(({ id }) => id)
    const order = [ids[2], ids[0]] as number[]
    const save = (as: typeof admin, revision: number, given = order) =>
      app.call(office.orderList, {
        as,
        params: { list: 'classes' },
        body: { revision, ids: given },
      })
    const added = await add('classes', named('سنة أخرى'), { level: 'high-school' })
    const saved = await save(admin, classes.revision)
    const wanted = [...order, ...ids.filter((id) => !order.includes(id)), added.id]
    expect(saved.classes.entries.map(({ id }) => id)).toEqual(wanted)
    const years = await app.call(references.listSchoolYears, {})
    expect(years.map(({ id }) => id)).toEqual(wanted)
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
    expect((await lists()).classes.entries.map(({ id }) => id)).toEqual([...ids, added.id])
  })

  test('is refused if it is garbage', async () => {
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
      expect(await refused(add(list, names as ReturnType<typeof named>, more))).toMatchObject({
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
    const { entries } = (await lists()).covers
    const color = '#123456'
    const many = Array.from({ length: ENTRIES_MAX - entries.length }, () => ({
      coverPath: null,
      livrePath: null,
      color,
    }))
    await kysely.insertInto('coverMappings').values(many).execute()
    expect(await refused(add('covers', named('أخير'), { color }))).toMatchObject({
      code: 'list_full',
    })
  })

  test('of many documents reaches the search behind the answer', async () => {
    const subject = await add('subjects', named('الفلك', 'Astronomie', 'Astronomy'))
    const documents = [
      await app.aDocument({ matiereId: subject.id }),
      await app.aDocument({ matiereId: subject.id }),
    ]
    const { kysely } = app.deps.database
    await kysely
      .updateTable('matieres')
      .set({ name: 'الكون', isSearchStale: true })
      .where('id', '=', subject.id)
      .execute()
    await rewriteStaleSearchTexts(app.deps, 0)
    expect(await found('الكون')).toEqual([])
    await rewriteStaleSearchTexts(app.deps)
    expect((await found('الكون')).sort()).toEqual(documents.map(({ id }) => id).sort())
  })
})

describe('what is featured', () => {
  const shown = async () => (await app.call(shop.listFeatured, {})).map(({ id }) => id)

  test('is shown in its order, without what is not for sale', async () => {
    const [one, two, three] = [
      await app.aDocument({ title: 'الأعداد' }),
      await app.aDocument({ title: 'Les fractions' }),
      await app.aDocument({ title: 'Verbs' }),
    ]
    const choices = await app.call(office.findFeaturable, {
      as: admin,
      params: { kind: 'documents' },
      query: { q: 'اعداد' },
    })
    expect(choices).toMatchObject([{ id: one.id, title: 'الأعداد', isShown: true }])
    app.published.length = 0
    await feature([two.id, one.id, three.id])
    expect(await shown()).toEqual([two.id, one.id, three.id])
    expect(app.published).toContain(CATALOGUE_TAG)
    const { kysely } = app.deps.database
    const publish = (state: 'published' | 'unpublished') =>
      kysely.updateTable('documents').set({ state }).where('id', '=', one.id).execute()
    await publish('unpublished')
    expect(await shown()).toEqual([two.id, three.id])
    const { items } = await featured()
    expect(items.map(({ isShown }) => isShown)).toEqual([true, false, true])
    // It may stay in its place, and cannot be added anew.
    await feature([three.id, one.id])
    await feature([three.id])
    expect(await refused(feature([three.id, one.id]))).toMatchObject({ fields: { ids: 'invalid' } })
    await publish('published')
    const subject = 'featured documents' as const
    const { revision } = await featured()
    await app.call(versions.restoreSiteVersion, { as: other, body: { subject, revision, to: 1 } })
    expect(await shown()).toEqual([two.id, one.id, three.id])
    const [difference] = await app.call(versions.getSiteDifferences, {
      as: admin,
      params: { revision: 1 },
      query: { subject },
    })
    expect(difference).toMatchObject({ field: 'lines', parts: [{ kind: 'added' }] })
    expect(await logOf(subject)).toHaveLength(4)
  })

  test('changed by two at once, is changed once, and is bounded', async () => {
    const { items, revision } = await featured()
    const [a, b, c] = items.map(({ id }) => id) as [number, number, number]
    const ends = await Promise.allSettled([
      feature([a], { revision }),
      feature([b, c], { as: other, revision }),
    ])
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const [lost] = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))
    expect(lost).toMatchObject({ code: 'done_before' })
    for (const ids of [[999_999], [a, a], Array(FEATURED_MAX + 1).fill(a)]) {
      expect(await refused(feature(ids))).toMatchObject({ status: 400 })
    }
    await feature([])
    expect(await shown()).toEqual([])
  })

  test('are teachers as well', async () => {
    const document = await app.aDocument()
    const another = await app.aDocument()
    const kind = 'teachers'
    await feature([another.teacherId, document.teacherId], { kind })
    const [first, second] = await app.call(shop.listTeachers, {})
    expect([first?.id, second?.id]).toEqual([another.teacherId, document.teacherId])
    const shelf = await app.call(shop.listByFeaturedAuthors, {})
    expect(shelf.map(({ id }) => id)).toEqual([another.id, document.id])
    const q = first?.lastName ?? ''
    const choices = await app.call(office.findFeaturable, {
      as: admin,
      params: { kind },
      query: { q },
    })
    expect(choices.map(({ id }) => id)).toContain(another.teacherId)
  })
})

test('the command line does the same on the same functions', async () => {
  const added = await commandLine(
    'subjects',
    'add',
    '--ar',
    'المسرح',
    '--fr',
    'Théâtre',
    '--en',
    'Drama',
    '--json',
  )
  const entry = JSON.parse(added.out).entries.at(-1)
  expect(entry).toMatchObject({ names: { fr: 'Théâtre' } })
  expect((await commandLine('subjects', 'add', '--ar', 'المسرح')).exit).toBe(2)
  expect((await commandLine('classes', 'add', '--ar', 'a', '--fr', 'b', '--en', 'c')).exit).toBe(1)
  const id = String(entry.id)
  expect((await commandLine('subjects', 'rename', id, '--fr', 'Arts')).exit).toBe(0)
  expect((await commandLine('subjects', 'retire', id)).out).toContain('Arts')
  expect((await commandLine('subjects', 'retire', '999999')).exit).toBe(1)
  const ordered = await commandLine('subjects', 'order', id, '--json')
  expect(JSON.parse(ordered.out).entries[0]).toMatchObject({ id: entry.id, isRetired: true })
  expect((await commandLine('site', 'undo', 'subject', id)).exit).toBe(0)
  expect(await find('subjects', entry.id)).toMatchObject({
    isRetired: false,
    names: { fr: 'Arts' },
  })
  const document = await app.aDocument({ title: 'À la une' })
  const color = '#204060'
  const { id: cover } = await app.deps.database.kysely
    .insertInto('coverMappings')
    .values({ coverPath: null, livrePath: null, color })
    .returning('id')
    .executeTakeFirstOrThrow()
  const dressed = await commandLine('document', String(document.id), 'set', `cover=${cover}`)
  expect(dressed.exit).toBe(0)
  const page = await app.call(shop.getDocument, { params: { id: document.id } })
  expect(page.coverMapping).toMatchObject({ color })
  await retire('covers', cover)
  const another = await app.aDocument()
  const undressed = await commandLine('document', String(another.id), 'set', `cover=${cover}`)
  expect(undressed.exit).toBe(1)
  const shown = await commandLine('featured', 'documents', 'add', String(document.id))
  expect(shown.out).toContain('À la une')
  const removed = await commandLine(
    'featured',
    'documents',
    'remove',
    String(document.id),
    '--json',
  )
  expect(JSON.parse(removed.out).items).toEqual([])
})
