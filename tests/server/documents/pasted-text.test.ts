import { hash } from '@node-rs/argon2'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Registration, register } from '../../../src/contract/accounts.ts'
import { openRoom } from '../../../src/contract/chat.ts'
import { listShopOrders } from '../../../src/contract/office-orders.ts'
import { listPeople } from '../../../src/contract/office-people.ts'
import * as transfers from '../../../src/contract/office-transfers.ts'
import { dinars } from '../../../src/rules/money.ts'
import { readableReference } from '../../../src/rules/typed-numbers.ts'
import { fillSchoolLists } from '../../../src/server/catalogue/catalogue.ts'
import { aTransfer } from '../../support/admin/payments.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { PASSWORD } from '../../support/factories.ts'
import {
  codeNow,
  logInToOffice,
  officeTokenOf,
  STEP_MS,
  setUp,
} from '../../support/office-access.ts'
import { importIt, list, office, put } from '../../support/office-import.ts'
import { callByCommand } from '../../support/operator.ts'
import { anOrder } from '../../support/payments.ts'
import { aPdf } from '../../support/pdf.ts'
import { sharedApp } from '../../support/test.ts'

const app = await sharedApp()
await fillSchoolLists(app.deps.database)
const admin = await app.anOfficeAdministrator({ firstName: 'Leïla' })

let phones = 98_000_000
const aForm = (given: Partial<Registration>): Registration => ({
  username: 'amal',
  firstName: 'أمل',
  lastName: 'بن صالح',
  phone: String(++phones),
  gender: 'female',
  email: `amal${phones}@karras.test`,
  password: 'abcdef',
  ...given,
})

const logInStatus = async (username: string, password = PASSWORD) =>
  (await app.request('POST', '/api/auth/login', { body: { username, password } })).status

// `tests/rules/pasted-text.test.ts` and `validators.test.ts` have every way to write these.
test.each([
  ['marks.2@karras.test', '\u2068Marks.2@karras.test\u2069'],
  ['marks-4@karras.test', 'marks\u20114@karras.te\u200bst'],
  ['marks.6@karras.test', 'ｍａｒｋｓ．６＠karras.test'],
])('%s registers and logs in when it is pasted as %j', async (email, pasted) => {
  await app.call(register, { body: { ...aForm({}), email: pasted } })
  for (const typed of [email, pasted]) expect(await logInStatus(typed, 'abcdef')).toBe(200)
  await app.call(register, { body: aForm({ email: pasted.toUpperCase() }) })
  const { content } = await app.call(listPeople, { as: admin, query: { q: email } })
  expect(content.map((person) => person.email)).toEqual([email])
  const body = { email: pasted }
  expect((await app.request('POST', '/api/auth/forgot-password', { body })).status).toBe(200)
  const block = await office(app, 'user', pasted, 'block', '--reason', 'x')
  expect(block.lines.join()).toContain(email)
})

test('the phone number of an account may be pasted', async () => {
  const [first, second] = ['٩٨ ٧٦٥ ٤٣٢', '\u206698\u202f765\u202f432\u2069\u200f']
  for (const pasted of [first, second]) {
    await app.call(register, { body: aForm({ phone: pasted }) })
    const { content } = await app.call(listPeople, { as: admin, query: { q: pasted } })
    expect(new Set(content.map(({ phone }) => phone))).toEqual(new Set(['98765432']))
  }
})

test('codes of authenticators and recovery codes are read without what was pasted along', async () => {
  const teacher = await app.anOfficeTeacher()
  const { secret, recoveryCodes } = await setUp(app, await officeTokenOf(app, teacher))
  const code = codeNow(app, secret)
  const pasted = `\u200e${code.slice(0, 3)}\u202f${code.slice(3)}\u200f`
  const recovery = `\u2068${recoveryCodes[0]?.replaceAll('-', '\u2011').toLowerCase()}\u2069`
  for (const typed of [pasted, recovery]) {
    expect(await logInToOffice(app, teacher, typed)).toHaveProperty('accessToken')
    app.travel(STEP_MS)
  }
})

describe('a name of invisible characters only', () => {
  const NOTHING = '\u200f \u200b\u2068\u3164\u2069\ufeff'

  test('is none: of people, shelves, requests to join, reference lists, bank accounts', async () => {
    const customer = await app.aCustomer()
    const teacher = await app.anOfficeTeacher()
    const named = (...fields: string[]) => Object.fromEntries(fields.map((each) => [each, NOTHING]))
    const join = { email: 'join@karras.test', phone: '98000000', message: '' }
    const tried = [
      ['POST', '/api/auth/register', null, aForm({}), ['username', 'firstName', 'lastName']],
      ['POST', '/api/library/shelves', customer, {}, ['name']],
      ['POST', '/api/office/join', null, join, ['firstName', 'lastName', 'subjects']],
      ['PUT', '/api/office/bank-account', teacher, {}, ['holder', 'rib']],
    ] as const
    for (const [method, path, as, valid, fields] of tried) {
      const answer = await app.request(method, path, {
        as,
        body: { ...valid, ...named(...fields) },
      })
      const required = Object.fromEntries(fields.map((field) => [field, 'required']))
      expect([path, answer]).toMatchObject([path, { status: 400, body: { fields: required } }])
    }
    const body = { names: named('ar', 'fr', 'en') }
    const answer = await app.request('POST', '/api/office/admin/lists/subjects', {
      as: admin,
      body,
    })
    expect(answer.body).toMatchObject({
      fields: { 'names.ar': 'required', 'names.fr': 'required' },
    })
  })

  test.each(['Amal\nwww.evil.example', 'Amal\u2028www.evil.example', 'Amal\u0007'])(
    'is no name with an end of line: %j',
    async (firstName) => {
      const answer = await app.request('POST', '/api/auth/register', { body: aForm({ firstName }) })
      expect(answer).toMatchObject({ status: 400, body: { fields: { firstName: 'pattern' } } })
    },
  )

  test('keeps the joiners and variants of letters and emoji', async () => {
    const name = 'می\u200cخواهم 👩\u200d🏫 ❤️'
    const form = aForm({ firstName: `\u2067${name}\u2069`, lastName: 'E\u0301le\u0300ve\u00a0 X' })
    await app.call(register, { body: form })
    const { content } = await app.call(listPeople, { as: admin, query: { q: form.email } })
    expect(content[0]?.name).toBe(`${name} Élève X`)
  })
})

test('a message keeps every mark, and one of marks only is none', async () => {
  const customer = await app.aCustomer()
  const query = { user1Id: customer.id, user2Id: admin.id }
  const { roomId } = await app.call(openRoom, { as: customer, query })
  const send = (content: string) =>
    app.request('POST', `/api/messages/room/${roomId}/send`, {
      as: customer,
      body: { senderId: customer.id, receiverId: admin.id, content },
    })
  const text = 'قال \u2068Élève\u2069 می\u200cخواهم 👩\u200d🏫\u200f'
  const sent = await send(text)
  expect(sent.body).toMatchObject({ content: text })
  expect((await send('\u200f\u200b')).status).toBe(400)
})

describe('passwords', () => {
  const NFC = 'élève ٱلقلم ﬁn'
  const spellings = [NFC, NFC.normalize('NFD'), NFC.normalize('NFKC'), NFC.normalize('NFKD')]

  test('are the same in any Unicode form', async () => {
    const form = aForm({ password: NFC.normalize('NFD') })
    await app.call(register, { body: form })
    for (const typed of spellings) expect(await logInStatus(form.email, typed)).toBe(200)
    expect(await logInStatus(form.email, 'eleve ٱلقلم fin')).toBe(401)
  })

  test.each(['NFC', 'NFD'] as const)(
    'those stored as typed, in %s, still log in',
    async (stored) => {
      const { id, email } = await app.aCustomer()
      const passwordHash = await hash(NFC.normalize(stored), { memoryCost: 8, timeCost: 1 })
      await app.change('users', id, { passwordHash })
      expect(await logInStatus(email, NFC.normalize(stored))).toBe(200)
      expect(await logInStatus(email, 'wrong')).toBe(401)
    },
  )
})

describe('a payment', () => {
  const spellingsOf = (reference: string) => {
    const shown = readableReference(reference, 'KR')
    return [
      shown.toLowerCase(),
      `\u200f${shown}\u200f.`,
      `\u2068${shown.replaceAll('-', '\u2011')}\u2069`,
      shown.replaceAll('-', '−'),
      shown.replaceAll('-', ' '),
      `${reference.toUpperCase()}.`,
      `(${shown.replaceAll('-', '_')}) !`,
      `Référence : «\u00a0${shown}\u00a0»`,
      `المرجع: \u2068${shown}\u2069؟`,
    ]
  }
  const found = async (q: string) => {
    const { content } = await app.call(transfers.listTransfers, { as: admin, query: { q } })
    return content.map(({ paymentRef }) => paymentRef)
  }

  test('is found by its reference as it was copied, in every search and command', async () => {
    const reference = await aTransfer(app, await app.aCustomer())
    for (const q of spellingsOf(reference)) expect([q, ...(await found(q))]).toEqual([q, reference])
    const [, isolated = '', , dashed = ''] = spellingsOf(reference)
    expect((await office(app, 'refuse', isolated)).exit).toBe(0)
    // Found again, and refused already.
    expect((await office(app, 'refuse', dashed)).errors.join()).not.toContain('no payment')
  })

  test('is confirmed by a whole reference that was copied with marks', async () => {
    const reference = await aTransfer(app, await app.aCustomer())
    const path = `/api/office/admin/transfers/${encodeURIComponent(`\u2068${reference}\u2069.`)}/confirm`
    const body = { seen: 'pending', reason: 'arrived' }
    const answer = await app.request('POST', path, { as: admin, body, key: 'copied' })
    expect(answer.body).toMatchObject({ paymentRef: reference, state: 'paid' })
  })

  test('is found by its amount with three decimals', async () => {
    const buyer = await app.aCustomer()
    const reference = await aTransfer(app, buyer, 37.5)
    for (const q of ['37.500', '٣٧٫٥٠٠', '\u206837.50\u00a0د.ت\u2069']) {
      expect([q, ...(await found(q))]).toEqual([q, reference])
    }
    expect(await found('37.505')).toEqual([])
    const order = await anOrder(app, buyer, [await app.aDocument({ price: dinars(30) })])
    const orders = await app.call(listShopOrders, { as: admin, query: { q: '30.000' } })
    expect(orders.content.map(({ id }) => id)).toContain(order.id)
  })
})

test('an amount in a call or a command may have a third decimal of 0, and no other', async () => {
  const customer = await app.aCustomer()
  const pay = (amount: number) =>
    app.request('POST', '/api/wallet/recharge/initiate', {
      as: customer,
      key: String(amount),
      body: { userId: customer.id, amount, paymentMethod: 'D17' },
    })
  expect((await pay(12.505)).body).toMatchObject({ fields: { amount: 'thirdDecimal' } })
  expect((await pay(12.50501)).body).toMatchObject({ fields: { amount: 'pattern' } })
  const cheap = await app.request(
    'GET',
    '/api/documents/paginated?minPrice=7,500&maxPrice=1 500,000',
  )
  expect(cheap.status).toBe(200)
  const give = (amount: string) =>
    callByCommand(app, 'adjustWallet', `userId=${customer.id}`, `amount=${amount}`, 'reason=x')
  await expect(give('7,505')).rejects.toThrow('amount ')
  await give('7,500 DT')
  expect(await app.balanceOf(customer)).toBe(dinars(7.5))
})

describe('a list', () => {
  let folder: string
  beforeEach(async () => {
    folder = temporaryDirectory()
    await put(folder, 'a.pdf', aPdf('A', 2))
  })
  const teacher_email = '\u200fpasted.teacher@mail.example\u200f'

  test('finds the documents of the last one, with other marks, dashes and digits', async () => {
    await list(folder, [
      { reference: 'MATH-1', price: '7,500', discount_price: '6.250', teacher_email },
      { reference: 'رياضيات-2', price: '\u200f12,5\u00a0DT', teacher_email },
    ])
    const first = await importIt(app, folder)
    expect(first).toMatchObject({ exit: 0, json: { created: 2 } })
    await list(folder, [
      { reference: 'MATH\u20111\u200f', price: '٧٫٥', discount_price: '6,25', teacher_email },
      { reference: '\u2068رياضيات–٢\u2069', price: '12.500', teacher_email },
    ])
    const again = await importIt(app, folder)
    expect(again).toMatchObject({ exit: 0, json: { created: 0, changed: 0, unchanged: 2 } })
  })

  test('says that references repeat, names are empty, and prices have a third decimal', async () => {
    await list(folder, [
      { reference: 'SVT-1', teacher_email },
      { reference: 'SVT-1\u200f', teacher_email },
      { reference: '\u200f\ufeff', title: '\u200b\u00a0', teacher_email },
      {
        reference: 'SVT-2',
        price: '7,505',
        teacher_email: 'nobody@mail.example',
        teacher_first_name: '\u200f',
      },
    ])
    const { exit, json } = await importIt(app, folder)
    expect(exit).toBe(1)
    expect(
      json.problems.map(({ row, column, code }: Record<string, unknown>) => [row, column, code]),
    ).toEqual([
      [3, 'reference', 'repeated'],
      [4, 'reference', 'required'],
      [4, 'title', 'required'],
      [5, 'price', 'third_decimal'],
      [5, 'teacher_email', 'new_teacher_without_name'],
    ])
  })
})
