import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import * as shop from '../../../src/contract/catalogue.ts'
import { listPurchased } from '../../../src/contract/library.ts'
import * as office from '../../../src/contract/office-catalogue.ts'
import {
  createOwnDocument,
  getOwnDocument,
  saveOwnDocument,
} from '../../../src/contract/office-documents.ts'
import * as versions from '../../../src/contract/office-site-versions.ts'
import * as references from '../../../src/contract/references.ts'
import { ENTRIES_MAX, LISTS, type ListName } from '../../../src/rules/catalogue-lists.ts'
import { inEachLanguage, type Language } from '../../../src/rules/languages.ts'
import { dinars } from '../../../src/rules/money.ts'
import { CATALOGUE_TAG, REFERENCE_TAG } from '../../../src/rules/page-tags.ts'
import type { Level } from '../../../src/rules/price-bands.ts'
import { fillSchoolLists } from '../../../src/server/catalogue/catalogue.ts'
import { transaction } from '../../../src/server/database/transaction.ts'
import { templateOf } from '../../../src/server/documents/import/export.ts'
import { purchase } from '../../../src/server/money/money.ts'
import type { RefusedCall } from '../../support/app.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { runCommand } from '../../support/operator.ts'
import { save, textOfDocument } from '../../support/own-documents.ts'
import type { Person } from '../../support/people.ts'
import { expectCode, expectRefused, refused } from '../../support/refusals.ts'
import { logOf } from '../../support/staff-log.ts'
import { sharedApp } from '../../support/test.ts'

// Calls of administrators that read and change the lists of the catalogue.

const app = await sharedApp()
await fillSchoolLists(app.deps.database)
const admin = await app.anOfficeAdministrator({ firstName: 'Hajer', lastName: 'Mansouri' })
const other = await app.anOfficeAdministrator({ firstName: 'Anis', lastName: 'Kasmi' })
const teacher = await app.anOfficeTeacher()

const lists = () => app.call(office.getLists, { as: admin })

/** A name in each language; those that are not given are made from the Arabic one. */
function named(ar: string, fr?: string, en?: string) {
  const given: { [L in Language]?: string | undefined } = { ar, fr, en }
  return inEachLanguage((each) => given[each] ?? `${ar} ${each}`)
}

async function add(
  list: ListName,
  names = named('جديد'),
  { as = admin, ...more }: { as?: Person; level?: Level; color?: string } = {},
) {
  const body = { names, ...more }
  const { entries } = (await app.call(office.addEntry, { as, params: { list }, body }))[list]
  return entries.at(-1) as office.Entry
}

async function find(list: ListName, id: number) {
  const entry = (await lists())[list].entries.find((each) => each.id === id)
  return entry ?? expect.unreachable(`there is no ${id} in ${list}`)
}

async function rename(
  list: ListName,
  id: number,
  names: object,
  given: { as?: Person; revision?: number } = {},
) {
  const now = await find(list, id)
  const { as = admin, revision = now.revision } = given
  const body = { revision, names: { ...now.names, ...names } }
  return await app.call(office.changeEntry, { as, params: { list, id }, body })
}

async function retire(list: ListName, id: number, isRetired = true) {
  const { revision } = await find(list, id)
  const params = { list, id }
  return await app.call(office.retireEntry, { as: admin, params, body: { revision, isRetired } })
}

const restore = (subject: versions.SiteSubject, as = admin) =>
  app.call(versions.restoreSiteVersion, { as, body: { subject, revision: 1, to: 0 } })

const found = async (title: string) =>
  (await app.call(shop.searchDocuments, { query: { title } })).content.map(({ id }) => id)

const idOf = (entries: readonly office.Entry[], code: string) =>
  entries.find((each) => each.code === code)?.id ?? 0

describe('an entry of a list', () => {
  test('that is a class has the subjects of the programme, or those chosen for it', async () => {
    const { classes, subjects } = await lists()
    const id = idOf(classes.entries, 'bac-economics')
    const [economics, music] = ['economics', 'music'].map((code) => idOf(subjects.entries, code))
    const subjectsOf = async (classId: number) =>
      (await app.call(references.listClasses, {})).find((each) => each.id === classId)?.subjectIds
    expect(await subjectsOf(id)).toContain(economics)
    expect(await subjectsOf(id)).not.toContain(music)
    expect(await subjectsOf(idOf(classes.entries, 'prep-mp-1'))).toBeUndefined()
    expect(subjects.entries.at(-1)?.code).toBe('other')

    const { names, revision, subjectIds } = await find('classes', id)
    const choose = (chosen: number[], from = revision) => {
      const body = { revision: from, names, subjectIds: chosen }
      return app.call(office.changeEntry, { as: admin, params: { list: 'classes', id }, body })
    }
    await expectCode(choose([999_999]), 'invalid_input')
    await choose([music ?? 0])
    expect(await subjectsOf(id)).toEqual([music])
    await retire('classes', id)
    await retire('classes', id, false)
    expect(await subjectsOf(id)).toEqual([music])
    await choose([], 3)
    expect(await subjectsOf(id)).toBeUndefined()
    const subject = `class ${id}` as const
    const query = { subject }
    const differences = await app.call(versions.getSiteDifferences, {
      as: admin,
      params: { revision: 4 },
      query,
    })
    expect(differences).toMatchObject([{ field: `subjects.${music}` }])
    const body = { subject, revision: 4, to: 0 }
    await app.call(versions.restoreSiteVersion, { as: admin, body })
    expect((await find('classes', id)).subjectIds).toEqual(subjectIds)
  })

  test('is added, renamed everywhere at once, and restored', async () => {
    const { subjects, classes, categories } = await lists()
    expect(subjects.entries[0]).toMatchObject({
      names: { fr: 'Mathématiques' },
      revision: 0,
      changed: null,
    })
    const id = idOf(subjects.entries, 'computing')
    const niveauId = idOf(classes.entries, 'bac-math')
    const categoryId = idOf(categories.entries, 'exams')
    const title = 'خوارزميات'
    const document = await app.aDocument({ matiereId: id, niveauId, categoryId, title })
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
    await restore(subject, other)
    expect((await find('subjects', id)).names.fr).toBe('Informatique')
    expect(await found('الإعلامية')).toEqual([document.id])
    const { content } = await app.call(versions.listSiteVersions, { as: admin, query: { subject } })
    expect(content).toMatchObject([
      { revision: 2, by: 'Anis Kasmi', restores: 0 },
      { revision: 1, by: 'Hajer Mansouri', restores: null },
    ])
    expect(await logOf(app, subject)).toMatchObject([
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
    expect(robotics).toMatchObject({ code: 'robotics', isRetired: false, revision: 0 })
    const level: Level = 'primary-school'
    const schoolClass = await add('classes', named('السنة التحضيرية'), { level })
    expect(schoolClass).toMatchObject({ level })
    const cover = await add('covers', named('غلاف أزرق'), { color: '#2F57B8' })
    const { entries } = (await lists()).subjects
    expect(entries.at(-1)?.id).toBe(robotics.id)
    const draft = await app.call(createOwnDocument, { as: teacher, key: 'robotics' })
    const chosen = { matiereId: robotics.id, niveauId: schoolClass.id, categoryId: 0 }
    const text = { ...textOfDocument(chosen, 'Robots'), categoryId: null }
    const body = { revision: draft.revision, ...text }
    const saved = await app.call(saveOwnDocument, { as: teacher, params: { id: draft.id }, body })
    expect(saved).toMatchObject({ matiere: { names: robotics.names }, classe: { level } })
    await rename('covers', cover.id, { fr: 'Bleu nuit' })
    const subject = `cover ${cover.id}` as const
    await restore(subject)
    expect(await find('covers', cover.id)).toMatchObject({
      names: cover.names,
      revision: 2,
    })
  })

  test('has a unique name, in every language and spelling, also among retired ones', async () => {
    const one = await add('categories', named('ألعاب', 'Jeux', 'Games'))
    const wrong = [
      named('العاب', 'x', 'y'),
      named('a', 'JEUX', 'b'),
      named('jeux', 'a', 'b'),
      named('a', 'b', 'Lessons'),
    ]
    for (const names of wrong) await expectCode(add('categories', names), 'name_taken')
    await retire('categories', one.id)
    await expectCode(add('categories', named('ألعاب')), 'name_taken')
    const two = await add('categories', named('بطاقات', 'Fiches', 'Cards'))
    await expectCode(rename('categories', two.id, { en: 'games' }), 'name_taken')
    // The names of another list are free, and an entry's own name can be spelled differently.
    await add('subjects', named('ألعاب', 'Jeux', 'Games'))
    await rename('categories', two.id, { fr: 'FICHES' })
    // Two concurrent additions of the same name: one of them succeeds.
    const both = await Promise.allSettled(
      [admin, other].map((as) => add('categories', named('ملصقات'), { as })),
    )
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('that is retired stays on its documents, and is no longer offered', async () => {
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

    // Its teacher may save the document unchanged; no other document can use it.
    const { classes } = await lists()
    const niveauId = classes.entries[0]?.id ?? 0
    const { document: own } = await app.call(getOwnDocument, {
      as: teacher,
      params: { id: document.id },
    })
    await save(app, teacher, own, textOfDocument({ matiereId, niveauId, categoryId: id }, 'Résumé'))
    const draft = await app.call(createOwnDocument, { as: teacher, key: 'retired' })
    const saveDraft = (given: object) => {
      const text = { ...textOfDocument({ matiereId, niveauId, categoryId: id }, 'Autre'), ...given }
      return save(app, teacher, draft, text)
    }
    const invalid = (field: string) => ({ fields: { [field]: 'invalid' } })
    expect(await refused(saveDraft({ matiereId: null }))).toMatchObject(invalid('categoryId'))
    expect(await refused(saveDraft({ categoryId: null }))).toMatchObject(invalid('matiereId'))

    // Imports do not recreate it either.
    expect(await templateOf(app.deps.database)).not.toContain('summaries')
    const folder = temporaryDirectory()
    const columns = 'reference,title,price,subject,class,category,teacher_email,file'
    const row = `R1,Un titre,5,mathematics,bac-math,summaries,${teacher.email},a.pdf`
    await writeFile(join(folder, 'catalogue.csv'), `${columns}\n${row}\n`)
    const { out } = await runCommand(app, 'import', folder)
    expect(out).toMatch(/row 2, category: .*summaries/)

    await app.change('documents', document.id, { state: 'unpublished' })
    expect(await listed()).toBe('unused')
    await retire('categories', id, false)
    await retire('subjects', matiereId, false)
    expect(await listed()).toBeUndefined()
    expect((await saveDraft({})).categorie?.id).toBe(id)
    expect((await logOf(app, `category ${id}`)).map(({ action }) => action)).toEqual([
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
    const lost = ends.find((end) => end.status === 'rejected')?.reason as RefusedCall
    const first = ends[0]?.status === 'fulfilled' ? 'Hajer Mansouri' : 'Anis Kasmi'
    expect(lost).toMatchObject({ status: 409, code: 'done_before', body: { done: { by: first } } })
    // Saving the same values is no change, whatever revision was read.
    const { names, revision } = await find('categories', entry.id)
    await rename('categories', entry.id, names, { revision: 0 })
    expect((await find('categories', entry.id)).revision).toBe(revision)
  })

  test('is ordered with the others, and no concurrent addition is lost', async () => {
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
    const listed = await app.call(references.listClasses, {})
    expect(listed.map(({ id }) => id)).toEqual(wanted)
    expect(await refused(save(other, classes.revision, ids))).toMatchObject({
      code: 'done_before',
      done: { by: 'Hajer Mansouri' },
    })
    expect(await refused(save(admin, 1, [999_999]))).toMatchObject({ fields: { ids: 'invalid' } })
    const subject = 'list classes' as const
    await restore(subject, other)
    expect((await lists()).classes.entries.map(({ id }) => id)).toEqual([...ids, added.id])
  })

  test('is refused if it is invalid', async () => {
    const missing = { ...named('a'), fr: ' ' }
    const wrong: [ListName, object, { level?: Level; color?: string }?][] = [
      ['subjects', missing],
      ['subjects', { ...named('a'), en: '<b>' }],
      ['subjects', { ...named('a'), ar: 'x'.repeat(81) }],
      ['classes', named('بلا مرحلة')],
      ['classes', named('a'), { level: 'university' as Level }],
      ['covers', named('بلا لون')],
      ['covers', named('a'), { color: 'url(x)' }],
    ]
    for (const [list, names, more] of wrong) {
      await expectRefused(add(list, names as ReturnType<typeof named>, more), 400)
    }
    const body = { revision: 0, names: named('b') }
    for (const list of LISTS) {
      const params = { list, id: 999_999 }
      await expectRefused(app.call(office.changeEntry, { as: admin, params, body }), 404)
    }
    const nobody = { subject: 'subject 999999' as const, revision: 0, to: 1 }
    await expectRefused(app.call(versions.restoreSiteVersion, { as: admin, body: nobody }), 404)
    const { entries } = (await lists()).covers
    const color = '#123456'
    const many = ENTRIES_MAX - entries.length
    const covers = Array(many).fill({ coverPath: null, livrePath: null, color })
    await app.kysely.insertInto('coverMappings').values(covers).execute()
    await expectCode(add('covers', named('أخير'), { color }), 'list_full')
  })
})
