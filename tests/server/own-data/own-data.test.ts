import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, onTestFinished, vi } from 'vitest'
import { logIn } from '../../../src/contract/accounts.ts'
import { addToCart, addToWishlist } from '../../../src/contract/carts.ts'
import { openRoom } from '../../../src/contract/chat.ts'
import { follow } from '../../../src/contract/following.ts'
import { requestInvoice } from '../../../src/contract/invoices.ts'
import { addShelf } from '../../../src/contract/library.ts'
import { putMark } from '../../../src/contract/marks.ts'
import { getWaiting } from '../../../src/contract/office-desk.ts'
import { getOfficeFacts, saveLegal } from '../../../src/contract/office-facts.ts'
import { blockPerson, unblockPerson } from '../../../src/contract/office-people.ts'
import { answerRating, listReceivedRatings } from '../../../src/contract/office-ratings.ts'
import { answerReports, closeCase, listCases } from '../../../src/contract/office-reports.ts'
import { answerBundle, offerBundle } from '../../../src/contract/office-shared-bundles.ts'
import { refuseTransfer } from '../../../src/contract/office-transfers.ts'
import { adjustWallet } from '../../../src/contract/office-wallets.ts'
import * as own from '../../../src/contract/own-account.ts'
import { setBankAccount } from '../../../src/contract/payouts.ts'
import { addRating } from '../../../src/contract/ratings.ts'
import { keepPlace } from '../../../src/contract/reading.ts'
import { reportDocument } from '../../../src/contract/reports.ts'
import { TEXTS } from '../../../src/i18n/texts.ts'
import { DOCUMENT_STATES } from '../../../src/rules/document-life.ts'
import { DAY_MS, HOUR_MS } from '../../../src/rules/durations.ts'
import { INVOICE_KINDS } from '../../../src/rules/invoices.ts'
import { LANGUAGES } from '../../../src/rules/languages.ts'
import { MOVEMENT_KINDS } from '../../../src/rules/ledger.ts'
import { dinars } from '../../../src/rules/money.ts'
import {
  DELETION_DAYS,
  DELETION_REMINDER_DAYS,
  FORMER_TEACHER,
} from '../../../src/rules/own-data.ts'
import { PAYMENT_METHODS, PAYMENT_PURPOSES } from '../../../src/rules/payment-methods.ts'
import { ORDER_STATUSES, PAYMENT_STATES } from '../../../src/rules/payment-states.ts'
import { PAYOUT_STATES } from '../../../src/rules/payouts.ts'
import { REPORT_REASONS } from '../../../src/rules/reports.ts'
import { RETENTION } from '../../../src/rules/retention.ts'
import { GENDERS } from '../../../src/rules/roles.ts'
import { makeCode } from '../../../src/server/accounts/phone-codes.ts'
import { cleanUp } from '../../../src/server/jobs/clean-up.ts'
import { DELETED_LIST } from '../../../src/server/own-data/deletions.ts'
import { deleteDue, makeExports } from '../../../src/server/own-data/own-data.ts'
import { KEPT_BY_LAW } from '../../../src/server/own-data/tables.ts'
import { foldPeople } from '../../../src/server/people-search/people-search.ts'
import { listArchive, unpackEntry } from '../../../src/server/uploads/archive.ts'
import { aTransfer, decide } from '../../support/admin/payments.ts'
import { type TestApp, testApp } from '../../support/app.ts'
import { sendChat } from '../../support/chat.ts'
import { PASSWORD } from '../../support/factories.ts'
import { smtpServer } from '../../support/mail.ts'
import { bought, expectSoundLedger } from '../../support/payments.ts'
import type { Person } from '../../support/people.ts'
import { aPicture } from '../../support/picture.ts'
import { addReceipt } from '../../support/receipt-photos.ts'
import { expectCode } from '../../support/refusals.ts'
import { smsGateway } from '../../support/sms.ts'
import { actionsOn } from '../../support/staff-log.ts'
import { test } from '../../support/test.ts'

const RIB = '10006035183598478831'
const A_MARK = {
  quarters: 49,
  exerciseQuarters: [24, 25],
  minutes: 60,
  satAt: '2026-01-31T09:30:00Z',
}

const NO_MONEY = { account: null, givesUpMoney: false }
const GIVEN_UP = { account: null, givesUpMoney: true }

/** What the database writes and no person reads. */
const CODES = [
  ...[...GENDERS, ...LANGUAGES, ...ORDER_STATUSES, ...PAYMENT_STATES, ...PAYMENT_PURPOSES],
  ...[...PAYMENT_METHODS, ...MOVEMENT_KINDS, ...DOCUMENT_STATES, ...PAYOUT_STATES],
  ...[...INVOICE_KINDS, ...REPORT_REASONS, 'true', 'false'],
]

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
  const orderId = await bought(app, person, [first])
  const { teacherId } = await app.anOfficeTeacher()
  const link = { name: 'own-link', teacherId, chosenAt: new Date(0) }
  await app.kysely.insertInto('teacherLinks').values(link).execute()
  await app.kysely.insertInto('orderLinks').values({ orderId, name: link.name }).execute()
  const item = { userId: person.id, documentId: second.id }
  await app.call(addToWishlist, { as: person, query: item })
  await app.call(addToCart, { as: person, query: item })
  await app.call(addShelf, { as: person, body: { name: 'zarzis-shelf' } })
  await app.kysely
    .insertInto('correctionWaits')
    .values({ userId: person.id, documentId: first.id })
    .execute()
  await app.kysely
    .insertInto('toldCorrections')
    .values({ userId: person.id, documentId: second.id })
    .execute()
  await app.call(follow, { as: person, params: { followed: `t${second.teacherId}` } })
  await app.call(putMark, {
    as: person,
    params: { mark: '5'.repeat(32) },
    body: { ...A_MARK, documentId: first.id, child: 'zarzis-child' },
  })
  await app.call(keepPlace, { as: person, params: { id: first.id }, body: { page: 1 } })
  const legal = {
    name: 'Karras SARL',
    taxNumber: '1282182W/A/M/000',
    register: '',
    vatRate: '19',
    exemption: { ar: '', fr: '', en: '' },
    stamp: '1.00',
  }
  const { groups } = await app.call(getOfficeFacts, { as: administrator })
  const facts = { revision: groups.legal.revision, value: legal }
  await app.call(saveLegal, { as: administrator, body: facts })
  const printed = await app.call(requestInvoice, {
    as: person,
    params: { id: orderId },
    body: { name: 'Yosra Hamrouni', address: 'zarzis-street', taxNumber: '', locale: 'fr' },
  })
  const report = { reason: 'wrong' as const, words: 'zarzis-report' }
  await app.call(reportDocument, { as: person, params: { id: second.id }, body: report })
  const codeOf = { userId: person.id, phone: '20000000', purpose: 'account' } as const
  await makeCode(app.kysely, app.deps, codeOf)
  const { number } = await app.kysely
    .insertInto('termsVersions')
    .values({ revision: 1, publishedAt: new Date(), actor: 'command line' })
    .returning('number')
    .executeTakeFirstOrThrow()
  const accepted = { userId: person.id, version: number, acceptedAt: new Date() }
  await app.kysely.insertInto('termsAcceptances').values(accepted).execute()
  const rating = { user: { id: person.id }, document: { id: first.id }, rating: 5 }
  await app.call(addRating, { as: person, body: { ...rating, comment: 'zarzis-comment' } })
  const query = { user1Id: person.id, user2Id: administrator.id }
  await app.call(openRoom, { as: person, query })
  await sendChat(app, person, administrator, 'zarzis-message')
  await sendChat(app, administrator, person, 'Hello Yosra, we call 57 123 987. zarzis is not yours')
  await app.call(logIn, { body: { username: person.email, password: PASSWORD } })
  const body = { email: 'zarzis-new@karras.test', password: PASSWORD }
  await app.call(own.changeEmail, { as: person, body })
  await app.mails()
  await foldPeople(app.deps.database)
  return { person, first, printed }
}

/** Every row of every table that is not kept by law, as text, and every file of `DATA_DIR`. */
async function everything(app: TestApp): Promise<string> {
  const tables = await app.kysely.introspection.getTables()
  const texts = []
  for (const { name, schema } of [
    ...tables,
    { name: 'job', schema: 'jobs' },
    { name: 'warning', schema: 'jobs' },
  ]) {
    if (name in KEPT_BY_LAW) continue
    const { rows } = await sql<{ row: string }>`
      SELECT t::text AS row FROM ${sql.id(schema ?? 'public', name)} AS t`.execute(app.kysely)
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

/** The money of wallets that waits for the office. */
async function returnsOf(app: TestApp, as: Person): Promise<unknown> {
  const { groups } = await app.call(getWaiting, { as })
  const { items = [] } = groups.find(({ kind }) => kind === 'returns') ?? {}
  return items.map(({ id, amount }) => `${id} ${amount}`)
}

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
    const { person, printed } = await someoneWithEverything(app)
    const waiting = await aTransfer(app, person)
    const receipt = await addReceipt(app, person, waiting, await aPicture('#fff'))
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
    const page = taken.get('index.html') ?? ''
    // An invoice as it is printed; a payment that waits; every fact in the words of the language.
    const [invoice] = JSON.parse(taken.get('invoices.json') ?? '')
    expect(page).toMatch(new RegExp(`<td dir="auto" data-name="[^"]+">${printed.number}</td>`))
    expect(invoice).toMatchObject({ number: printed.number, amount: 8, address: 'zarzis-street' })
    expect(JSON.parse(taken.get('payments.json') ?? '')).toMatchObject([
      { reference: waiting, kind: 'top_up', amount: 30, status: 'pending' },
    ])
    const file = `receipt-photos/${receipt.id}.webp`
    expect(JSON.parse(taken.get('receiptPhotos.json') ?? '')).toMatchObject([
      { reference: waiting, file },
    ])
    expect(taken.get(file)).toMatch(/^RIFF.*WEBP/s)
    expect(page).toMatch(/<h2>الدفعات<[\s\S]*في الانتظار/)
    expect(page.match(/<th>[a-z]\w*<\/th>/gi)).toBeNull()
    for (const code of CODES) expect(page, code).not.toContain(`">${code}</td>`)
    expect(page).not.toMatch(/<td [^>]*>\{|\d: \d{4}-\d\d/)
    expect(page).toMatch(/dir="rtl".*Yosra.*zarzis-new@.*zarzis-comment/s)
    expect(JSON.parse(taken.get('wallet.json') ?? '')).toMatchObject([
      { kind: 'adjustment', amount: 60 },
      { kind: 'purchase', amount: -8 },
    ])
    expect(JSON.parse(taken.get('conversations.json') ?? '')).toMatchObject([
      { isMine: true, words: 'zarzis-message' },
      { isMine: false },
    ])

    expect(JSON.parse(taken.get('invoices.json') ?? '')).toMatchObject([{ kind: 'invoice' }])
    expect(taken.get('reports.json')).toContain('zarzis-report')
    expect(taken.get('orders.json')).toContain('own-link')
    expect(taken.get('consents.json')).toContain('1: ')

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
    await app.call(own.askForDeletionOf, { as: office, key: 'a', params, body: GIVEN_UP })
    expect((await app.call(own.getOwnAccount, { as: person })).deletion).not.toBeNull()
    await app.call(own.keepAccountOf, { as: office, params })
    expect(await actionsOn(app, `user ${person.id}`)).toEqual(
      ['export data', 'ask for deletion', 'keep account'].map((action) => ({
        actor: `user ${office.id}`,
        action,
      })),
    )
    const self = { as: office, key: 'b', params: { id: office.id }, body: GIVEN_UP }
    await expectCode(app.call(own.askForDeletionOf, self), 'forbidden')
  })

  test('are deleted after the days, with every word of theirs', async ({ app }) => {
    const { person, first } = await someoneWithEverything(app)
    const neighbour = await app.aCustomer({ firstName: 'Yasmine' })
    await app.call(own.askForExport, { as: person })
    await makeExports(app.deps)
    await app.mails()
    expect((await known(app)).map((word) => word.toLowerCase()).sort()).toEqual(
      expect.arrayContaining([
        '57123987',
        'hamrouni',
        'yosra',
        'zarzis-comment',
        'zarzis-message',
        'zarzis-new',
        'zarzis-report',
      ]),
    )

    const sent = await aTransfer(app, person)
    await addReceipt(app, person, sent, await aPicture('#fff'))
    await decide(app, await app.anOfficeAdministrator(), sent, refuseTransfer)

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
    expect(await returnsOf(app, office)).toEqual([`${person.id} 52`])
    const returned = { seen: 52, reference: 'VIR 12', transferredOn: '2026-11-26', reason: 'asked' }
    const send = (seen: number, key: string) =>
      app.call(own.returnMoney, { as: office, key, params, body: { ...returned, seen } })
    await expectCode(send(50, 'a'), 'setting_changed')
    await send(52, 'b')
    await send(52, 'b')
    expect(await app.balanceOf(person)).toBe(0)
    expect(await returnsOf(app, office)).toEqual([])

    const photos = () => app.kysely.selectFrom('receiptPhotos').select('id').execute()
    expect(await photos()).toHaveLength(1)
    await app.mails()
    await deleteDue(app.deps)
    await deleteDue(app.deps)
    expect(await photos()).toEqual([])
    expect(await app.row('users', person.id)).toMatchObject({ email: null, phone: null })
    expect(await known(app)).toEqual([])
    expect(await app.kysely.selectFrom('orderLinks').selectAll().execute()).toEqual([])
    // The law has the shop keep to whom an invoice was made out.
    const invoices = await app.kysely.selectFrom('invoices').select('buyer').execute()
    expect(JSON.stringify(invoices)).toContain('Yosra Hamrouni')
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

  test('are told about by text messages to people without e-mail, and once more before the end', async () => {
    const gateway = await smsGateway()
    const server = await smtpServer()
    onTestFinished(() => {
      gateway.close()
      server.close()
    })
    const app = await testApp({ env: { ...gateway.env, SMTP_URL: server.url } })
    const byPhone = await app.aCustomer({ phone: '57123987' })
    const byMail = await app.aCustomer({ email: 'by.mail@karras.test' })
    await app.change('users', byPhone.id, { email: null })
    await app.call(own.askForExport, { as: byPhone })
    await makeExports(app.deps)
    const body = { password: PASSWORD, ...NO_MONEY }
    for (const as of [byPhone, byMail]) await app.call(own.askForDeletion, { as, body })
    await app.runJobs()
    const turn = async (after: number) => {
      app.travel(after)
      await Promise.all([deleteDue(app.deps), deleteDue(app.deps)])
      await app.runJobs()
      return gateway.texts.length
    }
    expect(await turn((DELETION_DAYS - DELETION_REMINDER_DAYS) * DAY_MS - HOUR_MS)).toBe(2)
    expect(await turn(2 * HOUR_MS)).toBe(3)
    expect(await turn(HOUR_MS)).toBe(3)
    expect(await turn(DELETION_REMINDER_DAYS * DAY_MS)).toBe(4)
    expect(await turn(HOUR_MS)).toBe(4)
    const { dataReady, deletion, deleted } = TEXTS.ar.sms
    const texts = gateway.texts.map(({ text }) => text)
    const [start = ''] = deletion.split('{{date}}')
    expect(texts.filter((text) => text.includes(start))).toHaveLength(2)
    expect(texts.filter((text) => text.includes(dataReady))).toHaveLength(1)
    expect(texts.at(-1)).toContain(deleted)
    const heads = server.mails.map(({ headers }) => headers)
    expect(heads.filter((head) => head.includes('by.mail@karras.test'))).toHaveLength(3)
    expect(app.reports).toEqual([])
    expect(await everything(app)).not.toMatch(/57123987|by\.mail@/)
  })

  test('stay until the office is told where money goes that came since', async ({ app }) => {
    const person = await app.aCustomer()
    const office = await app.anOfficeAdministrator()
    const params = { id: person.id }
    await app.call(own.askForDeletionOf, { as: office, key: 'c', params, body: NO_MONEY })
    const body = { userId: person.id, amount: 20, reason: 'x' }
    await app.call(adjustWallet, { as: office, key: 'a', body })
    expect(await returnsOf(app, office)).toEqual([])
    app.travel(DELETION_DAYS * DAY_MS + HOUR_MS)
    await deleteDue(app.deps)
    const later = await app.anOfficeAdministrator()
    expect(await returnsOf(app, later)).toEqual([`${person.id} 20`])
    const said = { ...GIVEN_UP, reason: 'on the phone' }
    await app.call(own.askForDeletionOf, { as: later, key: 'd', params, body: said })
    // Its days begin again, so that its owner can say where the money goes instead.
    await deleteDue(app.deps)
    expect(await app.row('users', person.id)).toMatchObject({ deletedAt: null })
    app.travel(DELETION_DAYS * DAY_MS + HOUR_MS)
    await deleteDue(app.deps)
    expect(await app.row('users', person.id)).toMatchObject({ phone: null })
    expect(await returnsOf(app, await app.anOfficeAdministrator())).toEqual([])
    await expectSoundLedger(app)
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
    const account = { holder: 'Zohra Mabrouki', rib: RIB }
    await app.call(setBankAccount, { as: teacher, body: { ...account, password: PASSWORD } })
    const params = { id: sold.id }
    const report = { reason: 'wrong' as const, words: 'Page 3' }
    await app.call(reportDocument, { as: buyer, params, body: report })
    await app.call(answerReports, { as: teacher, params, body: { answer: 'zarzis-answer' } })
    const rating = { user: { id: buyer.id }, document: { id: sold.id }, rating: 5, comment: 'ok' }
    await app.call(addRating, { as: buyer, body: rating })
    const { content } = await app.call(listReceivedRatings, { as: teacher, query: {} })
    const [{ id, ratedAt } = { id: 0, ratedAt: '' }] = content
    const answer = { text: 'zarzis-reply', ratedAt, answeredAt: null }
    await app.call(answerRating, { as: teacher, params: { id }, body: answer })
    const other = await app.anOfficeTeacher()
    const theirs = await app.aDocument({ teacherId: other.teacherId, price: dinars(5) })
    const { id: bundleId } = await app.call(offerBundle, {
      as: await app.anOfficeAdministrator(),
      body: { documentIds: [sold.id, theirs.id], price: 10 },
    })
    const agreed = { params: { id: bundleId }, body: { revision: 1, answer: 'agreed' as const } }
    for (const as of [teacher, other]) await app.call(answerBundle, { as, ...agreed })
    expect(await everything(app)).toMatch(
      /zarzis-answer.*zarzis-reply|zarzis-reply.*zarzis-answer/s,
    )
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
    expect((await app.row('bundles', bundleId)).endedAt).not.toBeNull()
    const dump = await everything(app)
    expect(dump.match(/zohra|mabrouki|zarzis-\w+/gi)).toBeNull()
    await expectSoundLedger(app)
  })
})

test('old messages are found by their age, without reading all others', async ({ app }) => {
  const customer = await app.aCustomer()
  const office = await app.anOfficeAdministrator()
  const query = { user1Id: customer.id, user2Id: office.id }
  const { roomId } = await app.call(openRoom, { as: customer, query })
  await sql`
    INSERT INTO chat_messages (room_id, sender_id, receiver_id, content, created_at)
    SELECT ${roomId}, ${customer.id}, ${office.id}, 'x', now() - (n - 0.5) * interval '1 hour'
    FROM generate_series(1, 30000) AS n`.execute(app.kysely)
  await sql`ANALYZE chat_messages`.execute(app.kysely)
  const spy = vi.spyOn(pg.Client.prototype, 'query')
  await cleanUp(app.deps)
  const sent = spy.mock.calls.map(([query]) => query as unknown as pg.QueryConfig)
  spy.mockRestore()
  const clearing = sent.find(({ text = '' }) => text.includes('DELETE FROM chat_messages'))
  const [before] = clearing?.values ?? []
  const statement = clearing?.text.replace('$1', pg.escapeLiteral(before.toISOString()))
  const { rows } = await app.deps.database.pool.query(`EXPLAIN ${statement}`)
  const plan = JSON.stringify(rows)
  expect(plan).toContain('chat_messages_age')
  expect(plan).not.toContain('Seq Scan on chat_messages')
  const left = await app.kysely
    .selectFrom('chatMessages')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirst()
  expect(Number(left?.count)).toBe(RETENTION.messages / HOUR_MS)
})

test('reports are forgotten a year after they were closed, mails as files after a month', async ({
  app,
}) => {
  const teacher = await app.anOfficeTeacher()
  const office = await app.anOfficeAdministrator()
  const { id } = await app.aDocument({ teacherId: teacher.teacherId })
  const report = (words: string) =>
    app.call(reportDocument, {
      params: { id },
      body: { reason: 'wrong', words, email: 'zarzis@karras.test' },
    })
  await report('zarzis-closed')
  const { content } = await app.call(listCases, { as: office, query: {} })
  const reply = { params: { id: content[0]?.id ?? 0 }, body: { reply: 'zarzis-reply' } }
  await app.call(closeCase, { as: office, ...reply })
  await report('zarzis-open')
  expect((await app.mails()).length).toBeGreaterThan(0)
  const wordsAfter = async (days: number) => {
    app.travel(days * DAY_MS)
    await cleanUp(app.deps)
    // The log of what staff do has a period of its own.
    const words = (await everything(app)).replace(/^staff_log:.*$/gm, '')
    return ['zarzis-closed', 'zarzis-reply', 'zarzis-open'].filter((each) => words.includes(each))
  }
  expect(await wordsAfter(RETENTION.outbox / DAY_MS - 1)).toHaveLength(3)
  expect((await app.mails()).length).toBeGreaterThan(0)
  expect(await wordsAfter(2)).toHaveLength(3)
  expect(await app.mails()).toEqual([])
  expect(await wordsAfter(RETENTION.closedReports / DAY_MS)).toEqual(['zarzis-open'])
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
