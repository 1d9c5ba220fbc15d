import { parseArgs } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import * as ratings from '../../src/contract/ratings.ts'
import { payFromWallet } from '../../src/contract/wallet.ts'
import { dinars } from '../../src/rules/money.ts'
import { ratingCommands } from '../../src/server/office/ratings.ts'
import { type TestApp, testApp } from '../support/app.ts'
import type { Person } from '../support/people.ts'
import { SILENT } from '../support/silent.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
  return app.stop
})

function office(name: string, ...typed: string[]) {
  const options = { reason: { type: 'string' } } as const
  const { values, positionals } = parseArgs({ args: typed, options, allowPositionals: true })
  const command = ratingCommands.find((one) => one.name === name)
  if (!command) throw new Error('there is no command')
  return command.run(app.deps, { args: positionals, options: values }, SILENT)
}
async function aRating(as: Person, subject: object, comment: string): Promise<string> {
  const body = { user: { id: as.id }, rating: 2, comment, ...subject }
  return String((await app.call(ratings.addRating, { as, body })).id)
}

describe('office ratings', () => {
  test('lists the newest, hides one with its reason, and shows it again', async () => {
    expect((await office('ratings')).lines).toEqual(['There are no such ratings.'])
    const document = await app.aDocument()
    const buyer = await app.aCustomer({ balance: dinars(10) })
    await app.call(payFromWallet, {
      as: buyer,
      key: 'k',
      body: { userId: buyer.id, documentIds: [document.id] },
    })
    const bought = await aRating(buyer, { document: { id: document.id } }, 'سطر\nوسطر')
    const guest = await app.aCustomer()
    const shown = await aRating(guest, { teacher: { id: document.teacherId } }, 'x'.repeat(300))
    const unconfirmed = await app.aCustomer({ isConfirmed: false })
    const waiting = await aRating(unconfirmed, { document: { id: document.id } }, '')

    const all = await office('ratings')
    expect(all.json).toMatchObject([
      { id: Number(waiting), state: 'waits' },
      { id: Number(shown), state: 'shown', of: { kind: 'teacher', id: document.teacherId } },
      { id: Number(bought), state: 'counts', author: { email: buyer.email } },
    ])
    expect(all.lines).toHaveLength(4)
    for (const line of all.lines) expect(line.length).toBeLessThan(200)
    expect(all.lines[3]).toContain('سطر وسطر')
    expect((await office('ratings', 'teacher')).json).toMatchObject([{ id: Number(shown) }])
    expect((await office('ratings', 'document')).json).toHaveLength(2)

    const hidden = await office('rating', bought, 'hide', '--reason', ' Insulte ')
    expect(hidden.lines.join('\n')).toContain('hidden')
    expect(hidden.json).toMatchObject({ state: 'hidden', hiddenReason: 'Insulte' })
    expect((await office('rating', `#${bought}`)).lines.join('\n')).toContain('Insulte')
    expect(await app.call(ratings.getDocumentAverage, { params: { id: document.id } })).toBe(0)
    expect((await office('rating', bought, 'unhide')).json).toMatchObject({ state: 'counts' })
    expect(await app.call(ratings.getDocumentAverage, { params: { id: document.id } })).toBe(2)
    expect((await office('rating', shown)).lines.join('\n')).toContain('x'.repeat(300))
    const log = await app.deps.database.kysely
      .selectFrom('staffLog')
      .select(['actor', 'action', 'reason'])
      .where('subject', '=', `rating ${bought}`)
      .orderBy('id')
      .execute()
    expect(log).toEqual([
      { actor: 'command line', action: 'hide', reason: 'Insulte' },
      { actor: 'command line', action: 'unhide', reason: null },
    ])
  })

  test('explains errors, with exit code 1 or 2', async () => {
    const id = await aRating(await app.aCustomer(), { teacher: await app.aTeacher() }, '')
    const wrong: [number, string[]][] = [
      [2, ['ratings', 'book']],
      [2, ['rating', 'x']],
      [2, ['rating', id, 'hide']],
      [2, ['rating', id, 'hide', '--reason', '  ']],
      [2, ['rating', id, 'hide', '--reason', 'x'.repeat(501)]],
      [2, ['rating', id, 'burn']],
      [1, ['rating', '999999']],
      [1, ['rating', '999999', 'hide', '--reason', 'x']],
      [1, ['rating', '999999', 'unhide']],
    ]
    for (const [exit, [name = '', ...typed]] of wrong) {
      await expect(office(name, ...typed), typed.join(' ')).rejects.toMatchObject({ exit })
    }
  })

  test('check recounts, and finds a wrong sum', async () => {
    const { id } = await app.aDocument()
    expect(await office('ratings check')).toMatchObject({ exit: 0, json: { sound: true } })
    const { kysely } = app.deps.database
    const set = (sum: number) =>
      kysely.updateTable('documents').set({ ratingSum: sum }).where('id', '=', id).execute()
    await set(5)
    const found = await office('ratings check')
    expect(found).toMatchObject({ exit: 1, json: { wrong: [{ kind: 'document', id }] } })
    expect(found.lines[0]).toContain(`document ${id}`)
    await set(0)
  })
})
