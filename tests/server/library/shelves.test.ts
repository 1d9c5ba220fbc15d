import { describe, expect, test } from 'vitest'
import {
  addShelf,
  arrangeShelf,
  listShelves,
  removeShelf,
  renameShelf,
} from '../../../src/contract/library.ts'
import { payFromWallet } from '../../../src/contract/wallet.ts'
import { SHELF_NAME_MAX_LENGTH, SHELVES_MAX } from '../../../src/rules/library-list.ts'
import { dinars } from '../../../src/rules/money.ts'
import type { Person } from '../../support/people.ts'
import { expectCode } from '../../support/refusals.ts'
import { sharedApp } from '../../support/test.ts'

const app = await sharedApp()

const put = (as: Person, name: string) => app.call(addShelf, { as, body: { name } })
const shelvesOf = (as: Person) => app.call(listShelves, { as })
const arrange = (as: Person, id: number, change: { put?: number[]; take?: number[] }) =>
  app.call(arrangeShelf, { as, params: { id }, body: { put: [], take: [], ...change } })

/** A customer who owns so many documents, and their ids. */
async function anOwner(count: number) {
  const owner = await app.aCustomer({ balance: dinars(10) })
  const documents = []
  for (let at = 0; at < count; at += 1) documents.push(await app.aDocument({ price: dinars(1) }))
  const documentIds = documents.map(({ id }) => id)
  await app.call(payFromWallet, { as: owner, key: 'k', body: { userId: owner.id, documentIds } })
  return { owner, documentIds }
}

describe('a family’s shelves', () => {
  test('have names as people write them; a document may be on several', async () => {
    const { owner, documentIds } = await anOwner(3)
    const [one = 0, two = 0, three = 0] = documentIds
    expect(await shelvesOf(owner)).toEqual([])
    const yasmine = await put(owner, '  ياسمين  ')
    const sami = await put(owner, 'Sami et “Léa” 👩‍👧')
    expect(yasmine).toEqual({ id: yasmine.id, name: 'ياسمين', documentIds: [] })

    await arrange(owner, yasmine.id, { put: [one, two, two] })
    // Adding twice is adding once, and removing a missing document is no error.
    const arranged = await arrange(owner, yasmine.id, { put: [two], take: [three] })
    expect(arranged.documentIds.sort()).toEqual([one, two].sort())
    await arrange(owner, sami.id, { put: [two, three] })
    await arrange(owner, yasmine.id, { put: [three], take: [one] })
    expect(
      (await shelvesOf(owner)).map(({ name, documentIds: on }) => [name, on.toSorted()]),
    ).toEqual([
      ['ياسمين', [two, three].toSorted()],
      ['Sami et “Léa” 👩‍👧', [two, three].toSorted()],
    ])

    const renamed = { as: owner, params: { id: yasmine.id }, body: { name: 'ياسمينة' } }
    expect(await app.call(renameShelf, renamed)).toMatchObject({ id: yasmine.id, name: 'ياسمينة' })
    await app.call(renameShelf, renamed)
    await app.call(removeShelf, { as: owner, params: { id: sami.id } })
    expect((await shelvesOf(owner)).map(({ name }) => name)).toEqual(['ياسمينة'])
  })

  test('are nobody else’s, and contain only owned documents', async () => {
    const { owner, documentIds } = await anOwner(1)
    const { owner: other, documentIds: others } = await anOwner(1)
    const { id } = await put(owner, 'مريم')
    await arrange(owner, id, { put: documentIds })
    const params = { id }
    await expectCode(arrange(other, id, { put: others }), 'shelf_not_found')
    const rename = app.call(renameShelf, { as: other, params, body: { name: 'x' } })
    await expectCode(rename, 'shelf_not_found')
    await expectCode(app.call(removeShelf, { as: other, params }), 'shelf_not_found')
    await expectCode(arrange(owner, id, { put: others }), 'document_not_found')
    await expectCode(arrange(owner, id, { put: [2 ** 31 - 1] }), 'document_not_found')
    expect(await shelvesOf(other)).toEqual([])
    expect(await shelvesOf(owner)).toEqual([{ id, name: 'مريم', documentIds }])
  })

  test('have unique names, and are limited in number, even under concurrent requests', async () => {
    const owner = await app.aCustomer()
    const settled = await Promise.allSettled(
      ['أحمد', 'احمد', 'أحمد'].map((name) => put(owner, name)),
    )
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await expectCode(put(owner, 'أَحْمد'), 'shelf_name_taken')
    const names = Array.from({ length: SHELVES_MAX + 2 }, (_, at) => `طفل ${at}`)
    await Promise.allSettled(names.map((name) => put(owner, name)))
    const shelves = await shelvesOf(owner)
    expect(shelves).toHaveLength(SHELVES_MAX)
    await expectCode(put(owner, 'آخر'), 'shelves_full')
    const [first, second] = shelves
    const params = { id: first?.id ?? 0 }
    const renamed = app.call(renameShelf, { as: owner, params, body: { name: second?.name ?? '' } })
    await expectCode(renamed, 'shelf_name_taken')
  })

  test('refuse invalid names and lists', async () => {
    const owner = await app.aCustomer()
    const longest = 'é'.repeat(SHELF_NAME_MAX_LENGTH)
    const { id } = await put(owner, longest.normalize('NFD'))
    for (const [name, reason] of [
      ['', 'required'],
      ['   ', 'required'],
      ['\u200d\u200f', 'required'],
      ['a\nb', 'pattern'],
      ['abc\u2028d', 'pattern'],
      [`${longest}e`, 'maxLength'],
      [`e${'\u0301'.repeat(500)}`, 'maxLength'],
      [7, undefined],
    ] as const) {
      const answer = await app.request('POST', '/api/library/shelves', {
        as: owner,
        body: { name },
      })
      expect([name, answer.status]).toEqual([name, 400])
      if (reason) expect(answer.body).toMatchObject({ fields: { name: reason } })
    }
    for (const body of [
      {},
      { put: 'all', take: [] },
      { put: [0], take: [] },
      { put: Array.from({ length: 501 }, (_, at) => at + 1), take: [] },
    ]) {
      const path = `/api/library/shelves/${id}/documents`
      expect((await app.request('PUT', path, { as: owner, body })).status).toBe(400)
    }
  })
})
