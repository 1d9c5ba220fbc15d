// @one-database: it is about output.

import fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { dinars } from '../../../src/rules/money.ts'
import { runCommandLine } from '../../../src/server/command-line/run.ts'
import { logOptions } from '../../../src/server/http/logging.ts'
import { printable, printableJson, printableText } from '../../../src/server/terminal.ts'
import { freshDatabase, insert } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { bought } from '../../support/payments.ts'

/** Clears the screen, renames the window, moves up a line, reverses the text direction. */
const HOSTILE = 'Amal\u001b[2J\u001b]0;mine\u0007\u009b1A\u202egnp\u2066x\u2069\u2028y\r\u0008'
const UNSAFE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

test('control characters are shown as one mark each; everything else stays', () => {
  expect(printable(HOSTILE)).not.toMatch(UNSAFE)
  expect([...printable(HOSTILE)]).toHaveLength([...HOSTILE].length)
  const fine = 'كرّاس‏ · Élève 12.50 TND — «ok» 👩‍🏫 a\u200eb'
  expect(printable(fine)).toBe(fine)
  expect(printableText('Error: x\n\tat y\u001b[1A')).toBe('Error: x\n  at y\ufffd[1A')
  const json = JSON.stringify({ name: HOSTILE, lines: 'a\nb' })
  expect(printableJson(json)).not.toMatch(UNSAFE)
  expect(JSON.parse(printableJson(json))).toEqual({ name: HOSTILE, lines: 'a\nb' })
})

test('no office command prints control characters from a name, a title or a message', async () => {
  const { database, url, drop } = await freshDatabase()
  onTestFinished(drop)
  const dataDir = '/tmp'
  const made = factories({ database, dataDir, secret: new Uint8Array(32), now: Date.now })
  const names = { firstName: HOSTILE, lastName: 'B\norder 7' }
  const buyer = await made.aCustomer({ ...names, balance: dinars(9) })
  const administrator = await made.anAdministrator()
  const document = await made.aDocument({ title: `Title ${HOSTILE}`, price: dinars(2) })
  const id = await bought({ deps: { database } }, buyer, [document])
  const room = `room_${buyer.id}_${administrator.id}`
  const content = `first ${HOSTILE}\nsecond \u001b[2J`
  const members = { customerId: buyer.id, administratorId: administrator.id }
  await insert(database.kysely, 'chatRooms', { id: room, ...members, lastMessageId: 1 })
  const message = { id: 1, roomId: room, senderId: buyer.id, receiverId: administrator.id }
  await insert(database.kysely, 'chatMessages', { ...message, content, clientId: null })

  const lines = async (...typed: string[]) => {
    const said: string[] = []
    const say = (line: string) => void said.push(line)
    await runCommandLine(typed, { DATABASE_URL: url, DATA_DIR: dataDir }, { out: say, err: say })
    return said
  }
  const as = `--as=${administrator.email}`
  const messages = ['call', 'listConversationMessages', `roomId=${room}`, as]
  for (const typed of [
    ['call', 'listShopOrders'],
    ['call', 'getShopOrder', `id=${id}`],
    ['call', 'listConversations'],
    messages,
    ['call', 'listShopOrders', '--json'],
    [...messages, '--json'],
    ['confirm', HOSTILE],
    [HOSTILE],
  ]) {
    const said = await lines(...typed)
    expect(said.length, typed.join(' ')).toBeGreaterThan(0)
    for (const line of said) expect(line, typed.join(' ')).not.toMatch(UNSAFE)
  }
  // The names of the columns, one order in one line whatever its names are, and an empty line.
  expect((await lines('call', 'listShopOrders')).indexOf('')).toBe(2)
  const [json = ''] = await lines(...messages, '--json')
  expect(JSON.parse(json)[0].content).toBe(content)
})

test('the server’s log is clean as well, and its parsed values are unchanged', async () => {
  const written: string[] = []
  const app = fastify(logOptions({ write: (line) => void written.push(line) }))
  app.log.warn({ name: HOSTILE }, `a title ${HOSTILE}`)
  await app.close()
  expect(written).toHaveLength(1)
  expect(written[0]?.trimEnd()).not.toMatch(UNSAFE)
  expect(written[0]).toMatch(/\}\n$/)
  expect(JSON.parse(written[0] ?? '')).toMatchObject({ name: HOSTILE, msg: `a title ${HOSTILE}` })
})
