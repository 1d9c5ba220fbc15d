import { beforeEach, describe, expect, test } from 'vitest'
import { createApi } from '../../src/client/api.ts'
import type { Mark } from '../../src/contract/marks.ts'
import { aToken, emptyBrowser, openPage, storage } from './browser.ts'
import { fakeShop, refusal } from './fake-shop.ts'

const MARK: Mark = {
  ...{ id: 'a'.repeat(32), documentId: 12, title: 'فرض', child: 'ياسمين', quarters: 48 },
  ...{ exerciseQuarters: null, minutes: 60, satAt: '2026-11-29T09:00:00.000Z' },
  ...{ matiereId: 1, matiereName: 'رياضيات', matiereCode: null, matiereNames: null },
}
const OWNER = 7
const markOf = (sign: string): Mark => ({ ...MARK, id: sign.repeat(32) })
const keep = (unsent: readonly unknown[]) => {
  storage[`exams:${OWNER}`] = JSON.stringify({ exam: null, unsent, children: [] })
}

/** A page whose account has room for so many marks; `onPut` runs before a mark is answered. */
async function aPage({ room = 99, isGone = false, onPut = () => {} } = {}) {
  const { backend } = await openPage(fakeShop())
  const sent: { by: string; quarters: number }[] = []
  let left = room
  backend.connectTo(
    createApi(async ({ method, headers, body }) => {
      if (method === 'GET') return { status: 200, body: [] }
      if (method === 'DELETE') left += 1
      else if (left === 0) return refusal('marks_full')
      else if (isGone) return refusal('document_not_found')
      else {
        left -= 1
        sent.push({ by: headers.authorization ?? '', quarters: JSON.parse(body ?? '').quarters })
        onPut()
      }
      return { status: 204, body: undefined }
    }),
  )
  const marks = await import('../../src/stores/library/marks.ts')
  const exams = await import('../../src/stores/user-data/exams.ts')
  const { keepToken } = await import('../../src/stores/shared/token.ts')
  return { marks, sent, keepToken, unsent: () => exams.examsOf(OWNER).unsent, exams }
}

beforeEach(() => {
  emptyBrowser()
  storage.token = aToken({ userId: OWNER })
})

describe('marks that the account does not have yet', () => {
  test('are not sent for another account that logs in meanwhile', async () => {
    keep([markOf('a'), markOf('b')])
    const other = aToken({ userId: OWNER + 1 })
    const page = await aPage({ onPut: () => page.keepToken(other) })
    await page.marks.sendMarks()
    expect(page.sent).toHaveLength(1)
    expect(page.sent[0]?.by).not.toContain(other)
  })

  test('are sent as they were given last, although the first is under way', async () => {
    keep([MARK])
    const given = { ...MARK, quarters: 52 }
    const page = await aPage({
      onPut: () => {
        if (page.sent.length > 1) return
        page.exams.keepExams(OWNER, { unsent: [given] })
        void page.marks.sendMarks()
      },
    })
    await page.marks.sendMarks()
    expect(page.sent.map(({ quarters }) => quarters)).toEqual([48, 52])
    expect(page.unsent()).toEqual([])
  })

  test('wait while it is full, which is said, and are sent once there is room', async () => {
    keep([markOf('a')])
    const page = await aPage({ room: 0 })
    await page.marks.loadMarks()
    expect(page.marks.$areMarksFull.get()).toBe(true)
    expect(page.unsent()).toHaveLength(1)
    expect(await page.marks.removeMark('c'.repeat(32))).toBe(true)
    await page.marks.sendMarks()
    expect(page.unsent()).toEqual([])
    expect(page.marks.$areMarksFull.get()).toBe(false)
  })

  test('are dropped where the account refuses them, which is said until it was read', async () => {
    keep([MARK, markOf('b')])
    const page = await aPage({ isGone: true })
    await page.marks.sendMarks()
    expect(page.unsent()).toEqual([])
    expect(page.marks.$lostMarks.get()).toEqual([MARK.title, MARK.title])
    page.marks.forgetLostMarks()
    expect(page.marks.$lostMarks.get()).toEqual([])
  })

  test('are read only in the form of a mark', async () => {
    const wrong = [
      { satAt: 'soon' },
      { child: 3 },
      { title: null },
      { exerciseQuarters: 'x' },
      { id: 'x' },
    ].map((change) => ({ ...MARK, ...change }))
    keep([null, 3, ...wrong, MARK])
    const page = await aPage()
    expect(page.unsent()).toEqual([MARK])
  })
})
