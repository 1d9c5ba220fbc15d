import { describe, expect, test } from 'vitest'
import * as moderation from '../../../src/contract/office-ratings.ts'
import * as ratings from '../../../src/contract/ratings.ts'
import { dinars } from '../../../src/rules/money.ts'
import { checkRatings } from '../../../src/server/ratings/ratings.ts'
import { bothAtOnce } from '../../support/operator.ts'
import { buy, rate } from '../../support/ratings.ts'
import { expectCode } from '../../support/refusals.ts'
import { logOf } from '../../support/staff-log.ts'
import { sharedApp } from '../../support/test.ts'

const app = await sharedApp()
const named = { firstName: 'Nadia', lastName: 'Gharbi' }
const admin = await app.anOfficeAdministrator(named)
const other = await app.anOfficeAdministrator()

describe('ratings', () => {
  const all = (query: moderation.ShopRatingFilters) =>
    app.call(moderation.listAllRatings, { as: admin, query })
  const hide = (id: number, as = admin, reason = 'شتيمة') =>
    app.call(moderation.hideRating, { as, params: { id }, body: { reason } })
  const show = (id: number, as = admin) => app.call(moderation.showRating, { as, params: { id } })

  async function aRating(stars = 1, comment = 'هزيل') {
    const names = { firstName: 'Rached', lastName: 'Ouertani' }
    const author = await app.aCustomer({ balance: dinars(20), ...names })
    const document = await app.aDocument({ price: dinars(5), title: 'جذاذة القسمة' })
    await buy(app, author, document.id)
    const { id } = await rate(app, author, document.id, stars, comment)
    return { id, author, document }
  }

  test('are hidden with a reason that the author reads, and leave the average at once', async () => {
    const { id, author, document } = await aRating()
    const average = () => app.call(ratings.getDocumentAverage, { params: { id: document.id } })
    expect(await average()).toBe(1)
    app.published.length = 0
    expect(await hide(id)).toMatchObject({ state: 'hidden', hidden: { reason: 'شتيمة' } })
    expect(await average()).toBe(0)
    expect(app.published).toContain(`document:${document.id}`)
    const params = { userId: author.id, documentId: document.id }
    const own = await app.call(ratings.getDocumentRatingOf, { as: author, params })
    expect(own).toMatchObject({ hiddenReason: 'شتيمة' })
    expect(await app.call(ratings.listDocumentRatings, { params: { id: document.id } })).toEqual([])
    expect(await show(id)).toMatchObject({ state: 'counts', hidden: null })
    expect(await average()).toBe(1)
    const actor = `user ${admin.id}`
    expect(await logOf(app, `rating ${id}`)).toEqual([
      { actor, action: 'hide', reason: 'شتيمة' },
      { actor, action: 'unhide', reason: null },
    ])
    expect(await checkRatings(app.kysely)).toEqual([])
  })

  test('are hidden once: the second administrator is told who was first', async () => {
    const { id } = await aRating()
    const { done, refusals } = await bothAtOnce([admin, other], (as) => hide(id, as))
    expect(done).toBe(1)
    expect(refusals).toMatchObject([{ code: 'done_before' }])
    expect(await bothAtOnce([admin, other], (as) => show(id, as))).toMatchObject({
      done: 1,
      refusals: [{ code: 'done_before' }],
    })
    const fresh = await aRating(5, '')
    await expectCode(show(fresh.id), 'rating_not_hidden')
    await expectCode(hide(2_000_000_000), 'not_found')
    await expectCode(hide(fresh.id, admin, ' '), 'invalid_input')
  })

  test('are found by stars, state, words, person and document', async () => {
    const { id } = await aRating(2, 'عاديّ')
    const silent = await aRating(3, '')
    const ids = async (query: moderation.ShopRatingFilters) =>
      (await all({ size: 100, ...query })).content.map((rating) => rating.id)
    expect(await ids({ stars: 2 })).toEqual([id])
    expect(await ids({ q: 'ouertani', stars: 3 })).toEqual([silent.id])
    expect(await ids({ q: 'قسمه', stars: 2 })).toEqual([id])
    expect(await ids({ q: 'لا أحد', stars: 2 })).toEqual([])
    expect(await ids({ words: 'written' })).not.toContain(silent.id)
    expect(await ids({ words: 'unanswered', stars: 2 })).toEqual([id])
    expect(await ids({ of: 'teacher' })).toEqual([])
    await hide(id)
    expect(await ids({ state: 'hidden' })).toEqual([id])
    expect(await ids({ state: 'counts' })).not.toContain(id)
    expect((await ids({}))[0]).toBe(silent.id)
    await expectCode(all({ stars: 6 }), 'invalid_input')
  })
})
