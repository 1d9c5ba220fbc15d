import { describe, expect, test } from 'vitest'
import { listMarks, putMark, removeMark, removeMarks } from '../../../src/contract/marks.ts'
import { payFromWallet } from '../../../src/contract/wallet.ts'
import { MARKS_MAX } from '../../../src/rules/exam.ts'
import { dinars } from '../../../src/rules/money.ts'
import type { Person } from '../../support/people.ts'
import { expectCode } from '../../support/refusals.ts'
import { sharedApp } from '../../support/test.ts'

const app = await sharedApp()

const idOf = (sign: string) => sign.repeat(32)
const SAT_AT = '2026-01-31T09:30:00.000Z'
const A_MARK = { child: '', quarters: 49, exerciseQuarters: null, minutes: 60, satAt: SAT_AT }

type Change = Partial<Omit<typeof A_MARK, 'exerciseQuarters'>> & {
  exerciseQuarters?: number[] | null
}
const give = (as: Person, mark: string, documentId: number, change: Change = {}) =>
  app.call(putMark, {
    as,
    params: { mark: idOf(mark) },
    body: { ...A_MARK, documentId, ...change },
  })
const marksOf = (as: Person) => app.call(listMarks, { as })

describe('marks of exams', () => {
  test('are kept once, however often they are sent, and can be given anew', async () => {
    const student = await app.aCustomer()
    const paper = await app.aDocument({ title: 'فرض مراقبة عدد 1' })
    for (let sent = 0; sent < 2; sent += 1)
      await give(student, 'a', paper.id, { child: ' ياسمين ' })
    await give(student, 'b', paper.id, { satAt: '2026-02-01T09:30:00.000Z' })
    await give(student, 'b', paper.id, { quarters: 56, exerciseQuarters: [24, 32], minutes: 120 })
    expect(await marksOf(student)).toMatchObject([
      { id: idOf('a'), child: 'ياسمين', quarters: 49, exerciseQuarters: null, satAt: SAT_AT },
      { id: idOf('b'), quarters: 56, exerciseQuarters: [24, 32], minutes: 120, satAt: SAT_AT },
    ])
    const [mark] = await marksOf(student)
    expect(mark).toMatchObject({ documentId: paper.id, title: 'فرض مراقبة عدد 1' })
    expect(mark?.matiereName).not.toBe('')
  })

  test('are their account’s alone; another’s of the same id is another mark', async () => {
    const [student, other] = [await app.aCustomer(), await app.aCustomer()]
    const paper = await app.aDocument()
    await give(student, 'a', paper.id, { quarters: 32 })
    await give(other, 'a', paper.id, { quarters: 72 })
    await app.call(removeMarks, { as: other })
    await app.call(removeMark, { as: other, params: { mark: idOf('a') } })
    expect(await marksOf(other)).toEqual([])
    expect(await marksOf(student)).toMatchObject([{ quarters: 32 }])
  })

  test('go singly, twice without an error, and all together', async () => {
    const student = await app.aCustomer()
    const paper = await app.aDocument()
    for (const mark of ['a', 'b', 'c']) await give(student, mark, paper.id)
    const params = { mark: idOf('b') }
    await app.call(removeMark, { as: student, params })
    await app.call(removeMark, { as: student, params })
    expect((await marksOf(student)).map(({ id }) => id)).toEqual([idOf('a'), idOf('c')])
    await app.call(removeMarks, { as: student })
    expect(await marksOf(student)).toEqual([])
  })

  test('are of documents for sale, or bought before they were taken off sale', async () => {
    const student = await app.aCustomer({ balance: dinars(5) })
    const [bought, draft] = [await app.aDocument({ price: dinars(1) }), await app.aDocument()]
    const body = { userId: student.id, documentIds: [bought.id] }
    await app.call(payFromWallet, { as: student, key: 'k', body })
    await app.kysely
      .updateTable('documents')
      .set({ state: 'unpublished' })
      .where('id', 'in', [bought.id, draft.id])
      .execute()
    await give(student, 'a', bought.id)
    await expectCode(give(student, 'b', draft.id), 'document_not_found')
    await expectCode(give(student, 'b', 2 ** 31 - 1), 'document_not_found')
  })

  test('are bounded: quarters of points up to 20, few exercises, no exam to come', async () => {
    const student = await app.aCustomer()
    const { id } = await app.aDocument()
    for (const wrong of [
      ...[{ quarters: 81 }, { quarters: -1 }, { quarters: 49.2 }, { minutes: 4 }, { minutes: 601 }],
      ...[
        { exerciseQuarters: [] },
        { exerciseQuarters: [81] },
        { exerciseQuarters: Array(13).fill(1) },
      ],
      ...[{ child: 'x'.repeat(31) }, { child: 'a\nb' }, { satAt: 'today' }],
    ]) {
      await expectCode(give(student, 'a', id, wrong), 'invalid_input')
    }
    await give(student, 'a', id, { satAt: '2999-01-01T00:00:00Z' })
    const [mark] = await marksOf(student)
    expect(Date.parse(mark?.satAt ?? '')).toBeLessThanOrEqual(app.deps.now())
  })

  test(`are ${MARKS_MAX} of an account at most; a known one can still be given anew`, async () => {
    const student = await app.aCustomer()
    const { id: documentId } = await app.aDocument()
    const rows = Array.from({ length: MARKS_MAX - 1 }, (_, at) => ({
      userId: student.id,
      id: String(at).padStart(32, '0'),
      ...{ documentId, child: '', quarters: 40, exerciseQuarters: null, minutes: 60 },
      satAt: new Date(SAT_AT),
    }))
    await app.kysely.insertInto('examMarks').values(rows).execute()
    const settled = await Promise.allSettled(
      ['a', 'b'].map((mark) => give(student, mark, documentId)),
    )
    expect(settled.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    await expectCode(give(student, 'c', documentId), 'marks_full')
    await give(student, '0', documentId, { quarters: 80 })
    expect(await marksOf(student)).toHaveLength(MARKS_MAX)
  })
})
