import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { changeEmail, logIn } from '../../../src/contract/accounts.ts'
import { addToCart, addToWishlist } from '../../../src/contract/carts.ts'
import { openRoom } from '../../../src/contract/chat.ts'
import { addShelf } from '../../../src/contract/library.ts'
import { blockPerson, unblockPerson } from '../../../src/contract/office-people.ts'
import * as own from '../../../src/contract/own-account.ts'
import { addRating } from '../../../src/contract/ratings.ts'
import { keepPlace } from '../../../src/contract/reading.ts'
import { DAY_MS, HOUR_MS } from '../../../src/rules/durations.ts'
import { dinars } from '../../../src/rules/money.ts'
import { DELETION_DAYS, FORMER_TEACHER } from '../../../src/rules/own-data.ts'
import { RETENTION } from '../../../src/rules/retention.ts'
import { cleanUp } from '../../../src/server/jobs/clean-up.ts'
import { DELETED_LIST } from '../../../src/server/own-data/deletions.ts'
import { deleteDue, makeExports } from '../../../src/server/own-data/own-data.ts'
import { KEPT_BY_LAW } from '../../../src/server/own-data/tables.ts'
import { foldPeople } from '../../../src/server/people-search/people-search.ts'
import { listArchive, unpackEntry } from '../../../src/server/uploads/archive.ts'
import type { TestApp } from '../../support/app.ts'
import { sendChat } from '../../support/chat.ts'
import { PASSWORD } from '../../support/factories.ts'
import { bought, expectSoundLedger } from '../../support/payments.ts'
import { expectCode } from '../../support/refusals.ts'
import { actionsOn } from '../../support/staff-log.ts'
import { test } from '../../support/test.ts'

const RIB = '10006035183598478831'
const NO_MONEY = { account: null, givesUpMoney: false }
const GIVEN_UP = { account: null, givesUpMoney: true }

/** A customer with something of every kind; all of it holds words that nobody else uses. */
async function someoneWithEverything(app: TestApp) {
  const person = await app.aCustomer({
    balance: dinars(60),
    email: 'yosra.hamrouni@karras.test',
    phone: '57123987',
    firstName: 'Yosra',
    lastName: 'Hamrouni',
  })
  const administrator = await app.anOfficeAdministrator()
  const [first, second] = await app.documentsAt(8, 12)
  await bought(app, person, [first])
  const item = { userId: person.id, documentId: second.id }
  await app.call(addToWishlist, { as: person, query: item })
  await app.call(addToCart, { as: person, query: item })
  await app.call(addShelf, { as: person, body: { name: 'zarzis-shelf' } })
  await app.call(keepPlace, { as: person, params: { id: first.id }, body: { page: 1 } })
  const rating = { user: { id: person.id }, document: { id: first.id }, rating: 5 }
  await app.call(addRating, { as: person, body: { ...rating, comment: 'zarzis-comment' } })
  const query = { user1Id: person.id, user2Id: administrator.id }
  await app.call(openRoom, { as: person, query })
  await sendChat(app, person, administrator, 'zarzis-message')
  await sendChat(app, administrator, person, 'Hello Yosra, we call 57 123 987. zarzis is not yours')
  await app.call(logIn, { body: { username: person.email, password: PASSWORD } })
  const body = { email: 'zarzis-new@karras.test', password: PASSWORD }
  await app.call(changeEmail, { as: person, body })
  await app.mails()
  await foldPeople(app.deps.database)
  return { person, first }
}

/** Every row of every table that is not kept by law, as text, and every file of `DATA_DIR`. */
async function everything(app: TestApp): Promise<string> {
  const { kysely } = app.deps.database
  const tables = await kysely.introspection.getTables()
  const texts = []
  for (const { name, schema } of [
    ...tables,
    { name: 'job', schema: 'jobs' },
    { name: 'warning', schema: 'jobs' },
  ]) {
    if (name in KEPT_BY_LAW) continue
    const { rows } = await sql<{ row: string }>`
      SELECT t::text AS row FROM ${sql.id(schema ?? 'public', name)} AS t`.execute(kysely)
    texts.push(...rows.map(({ row }) => `${name}: ${row}`))
  }
  const { dataDir } = app.deps.config
  for (const path of await readdir(dataDir, { recursive: true, withFileTypes: true })) {
    if (path.isFile()) texts.push(await readFile(join(path.parentPath, path.name), 'latin1'))
  }
  return texts.join('\n')
}

const WORDS = /yosra|hamrouni|57.?123.?987|zarzis-\w+/gi
const known = async (app: TestApp) => [...new Set((await everything(app)).match(WORDS))]

async function download(app: TestApp, as: { token: string }) {
  const headers = { authorization: `Bearer ${as.token}` }
  const answer = await fetch(`${app.url}/api/account/export/file`, { headers })
  if (!answer.ok) return answer.status
  const path = join(app.deps.config.dataDir, 'taken.zip')
  await writeFile(path, Buffer.from(await answer.arrayBuffer()))
  return path
}

async function readZip(app: TestApp, path: string): Promise<Map<string, string>> {
  const zip = await listArchive({ path })
  if (zip.fault) throw new Error(zip.reason)
  const texts = new Map<string, string>()
  const to = join(app.deps.config.dataDir, 'unpacked')
  for (const file of zip.files) {
    await unpackEntry({ path, file, to, most: file.size })
    texts.set(file.name, await readFile(to, 'utf8'))
  }
  return texts
}

describe('one’s own data', () => {
  test('are taken along, once a day, by their owner alone', async ({ app }) => {
    const { person } = await someoneWithEverything(app)
    const stranger = await app.aCustomer()
    await app.call(own.askForExport, { as: person })
    await expectCode(app.call(own.askForExport, { as: person }), 'too_many_requests')
    expect((await app.call(own.getOwnAccount, { as: person })).export?.state).toBe('making')
    await makeExports(app.deps)
    const { export: ready } = await app.call(own.getOwnAccount, { as: person })
    expect(ready?.state).toBe('ready')
    const [mail] = (await app.mails()).slice(-1)
    expect(mail?.headers).toContain(person.email)

    expect(await download(app, stranger)).toBe(404)
    const path = await download(app, person)
    const zip = await listArchive({ path: String(path) })
    if (zip.fault) throw new Error(zip.reason)
    expect(zip.files.map(({ name }) => name)).not.toContain('sales.json')
    const taken = await readZip(app, String(path))
    expect(taken.get('index.html')).toMatch(/dir="rtl".*Yosra.*zarzis-new@.*zarzis-comment/s)
    expect(JSON.parse(taken.get('wallet.json') ?? '')).toMatchObject([
      { kind: 'adjustment', amount: 60 },
      { kind: 'purchase', amount: -8 },
    ])
    expect(JSON.parse(taken.get('conversations.json') ?? '')).toMatchObject([
      { isMine: true, words: 'zarzis-message' },
      { isMine: false },
    ])

    app.travel(DAY_MS + HOUR_MS)
    const later = await app.call(logIn, { body: { username: person.email, password: PASSWORD } })
    expect(await download(app, { token: later.accessToken })).toBe(404)
    await makeExports(app.deps)
    const names = await readdir(join(app.deps.config.dataDir, 'files'), { recursive: true })
    expect(names.filter((name) => name.endsWith('.zip'))).toEqual([])
  })

  test('are packed and deleted at the counter, by an administrator, in the log', async ({
    app,
  }) => {
    const person = await app.aCustomer()
    const office = await app.anOfficeAdministrator()
    const params = { id: person.id }
    await app.call(own.askForExportOf, { as: office, params })
    await app.call(own.askForDeletionOf, { as: office, params, body: GIVEN_UP })
    expect((await app.call(own.getOwnAccount, { as: person })).deletion).not.toBeNull()
    await app.call(own.keepAccountOf, { as: office, params })
    expect(await actionsOn(app, `user ${person.id}`)).toEqual(
      ['export data', 'ask for deletion', 'keep account'].map((action) => ({
        actor: `user ${office.id}`,
        action,
      })),
    )
    const self = { as: office, params: { id: office.id }, body: GIVEN_UP }
    await expectCode(app.call(own.askForDeletionOf, self), 'forbidden')
  })

  test('are deleted after the days, with every word of theirs', async ({ app }) => {
    const { person, first } = await someoneWithEverything(app)
    const neighbour = await app.aCustomer({ firstName: 'Yasmine' })
    await app.call(own.askForExport, { as: person })
    await makeExports(app.deps)
    await app.mails()
    expect((await known(app)).map((word) => word.toLowerCase()).sort()).toEqual(
      expect.arrayContaining(['57123987', 'hamrouni', 'yosra', 'zarzis-comment', 'zarzis-message']),
    )

    const body = { password: 'wrong', ...NO_MONEY }
    await expectCode(app.call(own.askForDeletion, { as: person, body }), 'wrong_password')
    const right = { ...body, password: PASSWORD }
    await expectCode(app.call(own.askForDeletion, { as: person, body: right }), 'money_in_wallet')
    const asked = { ...right, account: { holder: 'Yosra Hamrouni', rib: RIB } }
    await app.call(own.askForDeletion, { as: person, body: asked })
    // They change their mind, and change it again.
    await app.call(own.keepAccount, { as: person })
    await expectCode(app.call(own.keepAccount, { as: person }), 'not_found')
    await app.call(own.askForDeletion, { as: person, body: asked })
    const account = await app.call(own.getOwnAccount, { as: person })
    expect(account.deletion).toMatchObject({ account: asked.account, givesUpMoney: false })

    // The office returns the money; until then the account waits.
    app.travel(DELETION_DAYS * DAY_MS + HOUR_MS)
    await deleteDue(app.deps)
    expect((await app.row('users', person.id)).deletedAt).toBeNull()
    const office = await app.anOfficeAdministrator()
    const params = { id: person.id }
    const returned = { seen: 52, reference: 'VIR 12', transferredOn: '2026-11-26' }
    const send = (seen: number, key: string) =>
      app.call(own.returnMoney, { as: office, key, params, body: { ...returned, seen } })
    await expectCode(send(50, 'a'), 'setting_changed')
    await send(52, 'b')
    await send(52, 'b')
    expect(await app.balanceOf(person)).toBe(0)

    await app.mails()
    await deleteDue(app.deps)
    await deleteDue(app.deps)
    expect(await app.row('users', person.id)).toMatchObject({ email: null, phone: null })
    expect(await known(app)).toEqual([])
    // The other side's words stay, the order too, and nobody else loses anything.
    const dump = await everything(app)
    expect(dump).toContain('Hello …, we call …. zarzis is not yours')
    expect(dump).toContain(neighbour.email)
    expect(await app.row('documents', first.id)).toMatchObject({ ratingCount: 0, salesCount: 1 })
    await expectSoundLedger(app)
    expect(await readFile(join(app.deps.config.dataDir, DELETED_LIST), 'utf8')).toMatch(
      new RegExp(`^${person.id} [\\d.]+\\n$`),
    )
    const username = person.email
    await expectCode(
      app.call(logIn, { body: { username, password: PASSWORD } }),
      'wrong_credentials',
    )
    const block = { as: office, params, body: { reason: 'x' } }
    await expectCode(app.call(unblockPerson, block), 'account_closed')
  })

  test('of a teacher are gone, and the documents stay with their buyers', async ({ app }) => {
    const teacher = await app.anOfficeTeacher({ firstName: 'Zohra', lastName: 'Mabrouki' })
    const { teacherId } = teacher
    const sold = await app.aDocument({ teacherId, title: 'Fractions', price: dinars(8) })
    const unsold = await app.aDocument({
      teacherId,
      title: 'zarzis-title',
      description: 'zarzis-text',
    })
    const buyer = await app.aCustomer({ balance: dinars(20) })
    await bought(app, buyer, [sold])
    await app.change('teachers', teacherId, { bio: 'zarzis-bio' })
    await app.call(own.askForDeletion, { as: teacher, body: { password: PASSWORD, ...GIVEN_UP } })
    app.travel(DELETION_DAYS * DAY_MS + HOUR_MS)
    await deleteDue(app.deps)
    expect(app.reports).toEqual([])
    expect(await app.row('teachers', teacherId)).toMatchObject({
      firstName: FORMER_TEACHER.arabic,
      bio: '',
    })
    expect(await app.row('documents', sold.id)).toMatchObject({
      title: 'Fractions',
      state: 'unpublished',
    })
    expect(await app.row('documents', unsold.id)).toMatchObject({ title: '', fileId: null })
    const dump = await everything(app)
    expect(dump.match(/zohra|mabrouki|zarzis-\w+/gi)).toBeNull()
    await expectSoundLedger(app)
  })
})

test('messages and the words of the log are deleted once their years are over', async ({ app }) => {
  const customer = await app.aCustomer()
  const office = await app.anOfficeAdministrator()
  const query = { user1Id: customer.id, user2Id: office.id }
  await app.call(openRoom, { as: customer, query })
  await sendChat(app, customer, office, 'long ago')
  await app.call(blockPerson, { as: office, params: { id: customer.id }, body: { reason: 'why' } })
  app.travel(RETENTION.messages - DAY_MS)
  await cleanUp(app.deps)
  expect(await everything(app)).toMatch(/long ago/)
  app.travel(2 * DAY_MS)
  await cleanUp(app.deps)
  const dump = await everything(app)
  expect(dump).not.toMatch(/long ago/)
  expect(dump).not.toMatch(/staff_log.*why/)
  expect(await actionsOn(app, `user ${customer.id}`)).toMatchObject([{ action: 'block' }])
})
