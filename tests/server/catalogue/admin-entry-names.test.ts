import { beforeAll, describe, expect, test } from 'vitest'
import * as shop from '../../../src/contract/catalogue.ts'
import { listPurchased } from '../../../src/contract/library.ts'
import { createOwnDocument, saveOwnDocument } from '../../../src/contract/office-documents.ts'
import * as versions from '../../../src/contract/office-site-versions.ts'
import * as references from '../../../src/contract/references.ts'
import { dinars } from '../../../src/rules/money.ts'
import { CATALOGUE_TAG, REFERENCE_TAG } from '../../../src/rules/page-tags.ts'
import { fillSchoolLists } from '../../../src/server/catalogue/catalogue.ts'
import { transaction } from '../../../src/server/database/transaction.ts'
import { purchase } from '../../../src/server/money/money.ts'
import { add, find, found, idOf, lists, named, rename, retire } from '../../support/admin/lists.ts'
import { type TestApp, testApp } from '../../support/app.ts'
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
  test('is added, renamed everywhere at once, and restored', async () => {
    const { subjects, classes, categories } = await lists(app, admin)
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
    const changed = await rename(app, admin, 'subjects', id, names)
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
    expect(await found(app, 'ذكاء')).toEqual([document.id])
    expect(await found(app, 'الإعلامية')).toEqual([])

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
    expect((await find(app, admin, 'subjects', id)).names.fr).toBe('Informatique')
    expect(await found(app, 'الإعلامية')).toEqual([document.id])
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
    const robotics = await add(app, admin, 'subjects', named('الروبوتيك', 'Robotique', 'Robotics'))
    expect(robotics).toMatchObject({
      code: 'robotics',
      isRetired: false,
      documents: 0,
      revision: 0,
    })
    const schoolClass = await add(app, admin, 'classes', named('السنة التحضيرية'), {
      level: 'primary-school',
    })
    expect(schoolClass).toMatchObject({ level: 'primary-school' })
    const cover = await add(app, admin, 'covers', named('غلاف أزرق'), { color: '#2F57B8' })
    const { entries } = (await lists(app, admin)).subjects
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
      niveauId: schoolClass.id,
      categoryId: null,
    }
    const saved = await app.call(saveOwnDocument, { as: teacher, params: { id: draft.id }, body })
    expect(saved).toMatchObject({
      matiere: { names: robotics.names },
      classe: { level: 'primary-school' },
    })
    await rename(app, admin, 'covers', cover.id, { fr: 'Bleu nuit' })
    const subject = `cover ${cover.id}` as const
    await app.call(versions.restoreSiteVersion, {
      as: admin,
      body: { subject, revision: 1, to: 0 },
    })
    expect(await find(app, admin, 'covers', cover.id)).toMatchObject({
      names: cover.names,
      revision: 2,
    })
  })

  test('has a unique name, in every language and spelling, also among retired ones', async () => {
    const one = await add(app, admin, 'categories', named('ألعاب', 'Jeux', 'Games'))
    const wrong = [
      named('العاب', 'x', 'y'),
      named('a', 'JEUX', 'b'),
      named('jeux', 'a', 'b'),
      named('a', 'b', 'Lessons'),
    ]
    for (const names of wrong) {
      expect(await refused(add(app, admin, 'categories', names))).toMatchObject({
        status: 409,
        code: 'name_taken',
      })
    }
    await retire(app, admin, 'categories', one.id)
    expect(await refused(add(app, admin, 'categories', named('ألعاب')))).toMatchObject({
      code: 'name_taken',
    })
    const two = await add(app, admin, 'categories', named('بطاقات', 'Fiches', 'Cards'))
    expect(await refused(rename(app, admin, 'categories', two.id, { en: 'games' }))).toMatchObject({
      code: 'name_taken',
    })
    // The names of another list are free, and an entry's own name can be spelled differently.
    await add(app, admin, 'subjects', named('ألعاب', 'Jeux', 'Games'))
    await rename(app, admin, 'categories', two.id, { fr: 'FICHES' })
    // Two concurrent additions of the same name: one of them succeeds.
    const both = await Promise.allSettled(
      [admin, other].map((as) => add(app, as, 'categories', named('ملصقات'), {})),
    )
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })
})
