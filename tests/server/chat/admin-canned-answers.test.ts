import { beforeAll, describe, expect, test } from 'vitest'
import * as canned from '../../../src/contract/office-canned-answers.ts'
import { inEachLanguage } from '../../../src/rules/languages.ts'
import { doneBefore } from '../../support/admin/inbox.ts'
import { type TestApp, testApp } from '../../support/app.ts'
import { bothAtOnce } from '../../support/operator.ts'
import type { Person } from '../../support/people.ts'
import { actionsOn } from '../../support/staff-log.ts'

let app: TestApp
let admin: Person
let other: Person
beforeAll(async () => {
  app = await testApp()
  admin = await app.anOfficeAdministrator({ firstName: 'Nadia', lastName: 'Gharbi' })
  other = await app.anOfficeAdministrator({ firstName: 'Sami', lastName: 'Trabelsi' })
  return app.stop
})

describe('canned answers', () => {
  const unwritten = inEachLanguage(() => '')
  const form = {
    name: { ...unwritten, ar: 'الأسعار', fr: 'Les prix' },
    text: {
      ...unwritten,
      ar: 'مرحبا {{name}}، الأسعار على صفحة كلّ وثيقة.',
      fr: 'Bonjour {{name}}.',
    },
  }

  test('are added, changed once by two concurrent edits, retired and restored', async () => {
    const made = await app.call(canned.addCannedAnswer, { as: admin, body: form })
    expect(made).toMatchObject({ ...form, revision: 1, isRetired: false })
    const params = { id: made.id }
    const change = (as: Person, isRetired: boolean, revision: number) =>
      app.call(canned.changeCannedAnswer, { as, params, body: { ...form, isRetired, revision } })
    const { done, refusals } = await bothAtOnce([admin, other], (as) => change(as, true, 1))
    expect(done).toBe(1)
    expect(refusals).toMatchObject([doneBefore(expect.stringMatching(/Gharbi|Trabelsi/))])
    await change(other, false, 2)
    const all = await app.call(canned.listCannedAnswers, { as: other })
    expect(all).toEqual([{ ...made, revision: 3 }])
    expect((await actionsOn(app, `canned answer ${made.id}`)).map(({ action }) => action)).toEqual([
      'add canned answer',
      'retire canned answer',
      'restore canned answer',
    ])
    const none = app.call(canned.changeCannedAnswer, {
      as: admin,
      params: { id: 999_999 },
      body: { ...form, isRetired: false, revision: 1 },
    })
    await expect(none).rejects.toMatchObject({ code: 'canned_answer_not_found' })
  })

  test('require Arabic, and allow no placeholder but the name', async () => {
    const wrong = [
      { ...form, name: { ...form.name, ar: '' } },
      { ...form, text: { ...form.text, fr: 'Bonjour {{nom}}' } },
      { ...form, text: { ...form.text, en: 'x'.repeat(1001) } },
    ]
    for (const body of wrong) {
      const refused = app.call(canned.addCannedAnswer, { as: admin, body })
      await expect(refused).rejects.toMatchObject({ status: 400 })
    }
  })
})
