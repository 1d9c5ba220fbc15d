import { describe, expect, test } from 'vitest'
import * as shop from '../../../src/contract/catalogue.ts'
import * as office from '../../../src/contract/office-catalogue.ts'
import * as versions from '../../../src/contract/office-site-versions.ts'
import { FEATURED_MAX } from '../../../src/rules/catalogue-lists.ts'
import { CATALOGUE_TAG } from '../../../src/rules/page-tags.ts'
import { fillSchoolLists } from '../../../src/server/catalogue/catalogue.ts'
import { refused } from '../../support/refusals.ts'
import { logOf } from '../../support/staff-log.ts'
import { sharedApp } from '../../support/test.ts'

const app = await sharedApp()
await fillSchoolLists(app.deps.database)
const admin = await app.anOfficeAdministrator({ firstName: 'Hajer', lastName: 'Mansouri' })
const other = await app.anOfficeAdministrator({ firstName: 'Anis', lastName: 'Kasmi' })

const featured = (kind: 'documents' | 'teachers' = 'documents') =>
  app.call(office.getFeatured, { as: admin, params: { kind } })

async function feature(
  ids: number[],
  given: { kind?: 'documents' | 'teachers'; as?: typeof admin; revision?: number } = {},
) {
  const { kind = 'documents', as = admin } = given
  const { revision = (await featured(kind)).revision } = given
  return await app.call(office.saveFeatured, { as, params: { kind }, body: { revision, ids } })
}

const featurable = (kind: 'documents' | 'teachers', q: string) =>
  app.call(office.findFeaturable, { as: admin, params: { kind }, query: { q } })

describe('featured items', () => {
  const shown = async () => (await app.call(shop.listFeatured, {})).map(({ id }) => id)

  test('are shown in order, without what is not for sale', async () => {
    const one = await app.aDocument({ title: 'الأعداد' })
    const two = await app.aDocument({ title: 'Les fractions' })
    const three = await app.aDocument({ title: 'Verbs' })
    const choices = await featurable('documents', 'اعداد')
    expect(choices).toMatchObject([{ id: one.id, title: 'الأعداد', isShown: true }])
    app.published.length = 0
    await feature([two.id, one.id, three.id])
    expect(await shown()).toEqual([two.id, one.id, three.id])
    expect(app.published).toContain(CATALOGUE_TAG)
    const publish = (state: 'published' | 'unpublished') =>
      app.change('documents', one.id, { state })
    await publish('unpublished')
    expect(await shown()).toEqual([two.id, three.id])
    const { items } = await featured()
    expect(items.map(({ isShown }) => isShown)).toEqual([true, false, true])
    // It may keep its place, but cannot be added again.
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
    expect(await logOf(app, subject)).toHaveLength(4)
  })

  test('changed by two at once, are changed once, and are limited in number', async () => {
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

  test('can be teachers as well', async () => {
    const document = await app.aDocument()
    const another = await app.aDocument()
    const kind = 'teachers'
    await feature([another.teacherId, document.teacherId], { kind })
    const [first, second] = await app.call(shop.listTeachers, {})
    expect([first?.id, second?.id]).toEqual([another.teacherId, document.teacherId])
    const shelf = await app.call(shop.listByFeaturedAuthors, {})
    expect(shelf.map(({ id }) => id)).toEqual([another.id, document.id])
    const choices = await featurable(kind, first?.lastName ?? '')
    expect(choices.map(({ id }) => id)).toContain(another.teacherId)
  })
})
