import { describe, expect, test } from 'vitest'
import * as commissions from '../../../src/contract/office-commissions.ts'
import { expectOneSucceeds } from '../../support/admin/payments.ts'
import type { Person } from '../../support/factories.ts'
import { expectCode, expectRefused } from '../../support/refusals.ts'
import { logOf } from '../../support/staff-log.ts'
import { sharedApp } from '../../support/test.ts'

const app = await sharedApp()
const admin = await app.anOfficeAdministrator({ firstName: 'Leïla', lastName: 'Mansour' })
const other = await app.anOfficeAdministrator({ firstName: 'Karim', lastName: 'Jaziri' })

describe('commission', () => {
  const overview = () => app.call(commissions.getCommissions, { as: admin })
  const set = (body: Partial<Parameters<typeof change>[0]>, as = admin) =>
    change({ teacherId: null, percent: 65, reason: 'test', seen: null, ...body }, as)
  const change = (
    body: { teacherId: number | null; percent: number | null; reason: string; seen: number | null },
    as: Person,
  ) => app.call(commissions.setCommission, { as, body })
  const listed = (q: string) =>
    app.call(commissions.listTeacherShares, { as: admin, query: { q, size: 100 } })

  test('is the shop’s or a teacher’s own, from now on, with a history and log entries', async () => {
    const { id: teacherId } = await app.aTeacher({ firstName: 'آمنة', lastName: 'الزواري' })
    const first = await overview()
    expect(first.shop).toMatchObject({ percent: 70, isSet: false })
    const { shop, history } = await set({ seen: first.shop.seen, reason: 'اتفاق جديد' })
    expect(shop).toMatchObject({ percent: 65, isSet: true, seen: history[0]?.id })
    const noted = { teacher: null, percent: 65, reason: 'اتفاق جديد', by: 'Leïla Mansour' }
    expect(history[0]).toMatchObject(noted)
    expect((await listed('امنه زوار')).content).toEqual([
      { teacherId, name: 'آمنة الزواري', percent: 65, isSet: false, seen: null },
    ])
    await set({ teacherId, percent: 80 })
    const [own] = (await listed('الزوارى')).content
    expect(own).toMatchObject({ percent: 80, isSet: true })
    await set({ teacherId, percent: null, seen: own?.seen ?? null })
    expect((await listed('زواري')).content).toMatchObject([{ percent: 65, isSet: false }])
    await set({ percent: null, seen: shop.seen })
    expect((await overview()).shop).toMatchObject({ percent: 70, isSet: false })
    const log = await logOf(app, `teacher ${teacherId}`)
    const change = { actor: `user ${admin.id}`, action: 'change setting' }
    expect(log).toEqual([
      { ...change, reason: 'share_percent = 80: test' },
      { ...change, reason: 'share_percent = the default: test' },
    ])
  })

  test('is changed once by two concurrent edits, and refuses invalid input', async () => {
    const { id: teacherId } = await app.aTeacher()
    await expectOneSucceeds([
      set({ teacherId, percent: 75 }),
      set({ teacherId, percent: 60 }, other),
    ])
    await expectCode(set({ teacherId: 999_999 }), 'teacher_not_found')
    for (const wrong of [
      { percent: 101 },
      { percent: -1 },
      { percent: 12.5 },
      { reason: ' ' },
      { reason: 'x'.repeat(301) },
      { percent: '٧٠' as never },
    ]) {
      await expectRefused(set({ teacherId, ...wrong }), 400)
    }
  })
})
