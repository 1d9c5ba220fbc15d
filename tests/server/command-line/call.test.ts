import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { CALLS } from '../../../src/contract/index.ts'
import { dinars } from '../../../src/rules/money.ts'
import { runCommandLine } from '../../../src/server/command-line/run.ts'
import { aRequest } from '../../support/admin/inbox.ts'
import { aTransfer } from '../../support/admin/payments.ts'
import { aPicture } from '../../support/picture.ts'
import { addReceipt } from '../../support/receipt-photos.ts'
import { office } from '../../support/staff.ts'
import { lastLogged } from '../../support/staff-log.ts'
import { sharedApp } from '../../support/test.ts'

const app = await sharedApp()
const folder = await mkdtemp(join(tmpdir(), 'karras-calls-'))
afterAll(() => rm(folder, { recursive: true }))

const call = (name: string, ...typed: string[]) => office(app, ['call', name, ...typed])
const json = async (name: string, ...typed: string[]) => {
  const { exit, err, json: read } = await call(name, ...typed, '--json')
  expect([exit, err]).toEqual([0, ''])
  return read()
}

test('every call of the contract has a help with its fields', async () => {
  for (const [name, { params, query, body }] of Object.entries(CALLS)) {
    const lines: string[] = []
    const keep = (line: string) => void lines.push(line)
    expect(await runCommandLine(['call', name, '--help'], {}, { out: keep, err: keep }), name).toBe(
      0,
    )
    expect(lines.join('\n')).toContain(`call ${name}`)
    for (const field of [params, query, body].flatMap((each) => Object.keys(each?.schema ?? {}))) {
      expect(lines.join('\n'), name).toMatch(new RegExp(`^  ${field}\\b`, 'm'))
    }
  }
})

test('every call without input for the command line’s administrator answers', async () => {
  const plain = Object.entries(CALLS).filter(
    ([, each]) => each.caller === 'admin' && each.method === 'GET' && !each.params && !each.query,
  )
  expect(plain.length).toBeGreaterThan(10)
  for (const [name] of plain) expect((await call(name)).exit, name).toBe(0)
})

describe('what is typed', () => {
  test('finds calls by words of their names, paths and descriptions', async () => {
    const { out, exit } = await office(app, ['calls', 'transfer', 'confirm'])
    expect(exit).toBe(0)
    expect(out).toContain('confirmTransfer')
    expect(out).not.toContain('listPeople')
    expect((await office(app, ['calls', 'dance'])).exit).toBe(1)
    const { out: script } = await office(app, ['completion'])
    expect(script).toContain('refundShopOrder) words="id= documentId= bundleId= reason= seen="')
  })

  test.each([
    [['refundOrder'], 2, /no call "refundOrder"; similar calls: refundShopOrder/],
    [['listTransfers', 'who=1'], 2, /"who=1" is not a field=value .*; its fields: page, size/],
    [['listTransfers', 'x'], 2, /"x" is not a field=value/],
    [['saveBrand', 'value.nothing=1'], 2, /no field "value.nothing"/],
    [['adjustWallet', 'userId=1', '--yes'], 2, /Missing: amount \(dinars .*\), reason \(text/],
    [['adjustWallet', 'userId=1', 'amount=7.505', 'reason=x', '--yes'], 2, /has a third dec/],
    [['adjustWallet', 'userId=1', 'amount=much', 'reason=x', '--yes'], 2, /amount .*\(dinars/],
    [['listPeople', 'role=KING'], 2, /role is not valid \(PARENT \| TEACHER \| ADMIN\)/],
    [['setStamp', 'isOn=perhaps', 'seen=null'], 2, /isOn takes JSON|isOn is not valid/],
    [['getShopOrder', 'id=999999'], 1, /Order not found/],
    [['payFromWallet'], 1, /not available here/],
    [['changeOfficePassword'], 1, /not available here/],
    [['getOwnProfile'], 2, /--teacher=<id>/],
    [['getOwnProfile', '--teacher=999'], 1, /no teacher 999/],
    [['sendTestMail'], 2, /--as=<e-mail>/],
    [['sendTestMail', '--as=nobody@karras.test'], 1, /no account nobody/],
    [['logIn', 'username=a', 'password=secret'], 2, /password is a secret/],
    [['saveOwnDocument', 'id=1', 'title=@/no/such/file', '--teacher=1'], 2, /cannot be read/],
  ])('explains %j', async ([name = '', ...typed], exit, sentence) => {
    const answer = await call(name, ...typed)
    expect([answer.exit, answer.out]).toEqual([exit, ''])
    expect(answer.err).toMatch(sentence)
    expect(answer.err.split('\n')).toHaveLength(1)
  })

  test('takes a secret from a pipe or a terminal alone', async () => {
    const person = await app.aCustomer({ email: 'secrets@karras.test' })
    const typed = ['call', 'logIn', `username=${person.email}`, 'password=-', '--json']
    const wrong = await office(app, typed, {}, { piped: async () => 'nonsense\n' })
    expect([wrong.exit, wrong.err]).toEqual([1, 'Login failed'])
    const asked: [string, boolean][] = []
    const ask = async (question: string, isSecret: boolean) => {
      asked.push([question, isSecret])
      return 'nonsense'
    }
    expect((await office(app, typed, {}, { ask })).exit).toBe(1)
    expect(asked).toEqual([['password: ', true]])
  })
})

describe('as the command line’s administrator', () => {
  test('reads a list, as the API answers it or as lines', async () => {
    const person = await app.aCustomer({ email: 'read@karras.test', firstName: 'Amal' })
    expect(await json('listPeople', 'q=read@karras.test', 'role=PARENT')).toMatchObject({
      content: [{ id: person.id, email: 'read@karras.test' }],
      totalElements: 1,
    })
    const { out } = await call('listPeople', 'q=read@karras.test')
    expect(out).toMatch(/^id .*email/)
    expect(out).toContain('Page 1 of 1, 1 in all.')
    expect((await call('listBulkChanges')).out).toBe('Nothing.')
  })

  test('writes in a transaction that notes the command line in the log', async () => {
    const { groups } = await json('getOfficeFacts')
    const account = '{"holder":"Librairie","rib":"08006023011000456789"}'
    const refused = await call('saveBank', `revision=${groups.bank.revision}`, `value=${account}`)
    expect([refused.exit, refused.err]).toEqual([2, expect.stringContaining('add --yes')])
    const { facts: before } = await json('getOfficeFacts')
    const name = [`revision=${groups.contact.revision}`, `value=${JSON.stringify(before.contact)}`]
    const { facts } = await json('saveContact', ...name, 'value.phones=71123456,71654321')
    expect(facts.contact.phones).toEqual(['+216 71 123 456', '+216 71 654 321'])
    expect(await lastLogged(app)).toMatchObject({ actor: 'command line' })
    // Only the saved group of the facts is printed.
    const d17 = [`revision=${groups.d17.revision}`, 'value={"phone":"98123456","holder":"Sami"}']
    const said = await call('saveD17', ...d17, '--yes')
    expect(said.out).toContain('+216 98 123 456')
    expect(said.out).not.toMatch(/brand|contact/)
    const again = await call('saveContact', ...name)
    expect([again.exit, again.err]).toEqual([1, expect.stringContaining('command line')])
    const { content } = await json('listSiteVersions', 'subject=facts contact')
    expect(content[0].by).toBe('command line')
  })

  test('moves money once confirmed, once for a key, and leaves a second person’s share to one', async () => {
    const { id } = await app.aCustomer({ balance: dinars(10) })
    const typed = [`userId=${id}`, 'amount=20,5', 'reason=A kindness']
    expect((await call('adjustWallet', ...typed)).exit).toBe(2)
    const no = await office(app, ['call', 'adjustWallet', ...typed], {}, { ask: async () => 'no' })
    expect([no.exit, no.err]).toEqual([1, 'Nothing was done.'])
    expect(await app.balanceOf({ id })).toBe(dinars(10))
    const keyed = ['call', 'adjustWallet', ...typed, '--key=k']
    const yes = await office(app, keyed, {}, { ask: async () => 'yes' })
    expect([yes.exit, yes.err]).toEqual([0, ''])
    await json('adjustWallet', ...typed, '--key=k', '--yes')
    expect(await app.balanceOf({ id })).toBe(dinars(30.5))
    const changed = [`userId=${id}`, 'amount=1', 'reason=x', '--key=k', '--yes']
    const other = await call('adjustWallet', ...changed)
    expect([other.exit, await app.balanceOf({ id })]).toEqual([1, dinars(30.5)])
    const most = ['amount=-500', 'reason=Too much']
    expect((await call('adjustWallet', `userId=${id}`, ...most, '--yes')).exit).toBe(1)
    const large = await json('adjustWallet', `userId=${id}`, 'amount=500', 'reason=x', '--yes')
    expect((await call('confirmAct', `id=${large.waits}`, '--yes')).exit).toBe(1)
    expect(await app.balanceOf({ id })).toBe(dinars(30.5))
    await json('withdrawAct', `id=${large.waits}`)
    expect(await lastLogged(app)).toMatchObject({ actor: 'command line' })
    expect((await json('getCustomerWallet', `id=${id}`)).balance).toBe(30.5)
  })

  test('writes for a teacher, with a file that is uploaded, also for one without an account', async () => {
    const path = join(folder, 'portrait.png')
    await writeFile(path, await aPicture('#2b62b8', 900, 600))
    const teacher = await app.anOfficeTeacher()
    for (const id of [teacher.teacherId, (await app.aTeacher({})).id]) {
      const profile = await json('setOwnPicture', `uploadId=@${path}`, `--teacher=${id}`)
      expect(profile.picturePath).toMatch(/^\/media\//)
      const subject = `teacher ${id}`
      expect(await lastLogged(app)).toMatchObject({ actor: 'command line', subject })
    }
    expect((await call('listPeople', 'uploadId=@x')).exit).toBe(2)
    await writeFile(path, 'no picture')
    const own = `--teacher=${teacher.teacherId}`
    const refused = await call('setOwnPicture', `uploadId=@${path}`, own)
    expect([refused.exit, refused.out]).toEqual([1, ''])
    const { id } = await json('createOwnDocument', own, '--yes')
    const saved = await call('deleteOwnDocument', `id=${id}`, own)
    expect([saved.exit, saved.err]).toEqual([2, expect.stringContaining('add --yes')])
    expect(await json('deleteOwnDocument', `id=${id}`, own, '--yes')).toBeNull()
  })

  test('answers a customer in the place of an administrator, whom the log names', async () => {
    const { roomId } = await aRequest(app, 'Bonjour')
    await app.anAdministrator({ email: 'place@karras.test' })
    const typed = [`roomId=${roomId}`, 'content=Merci', '--as=place@karras.test']
    expect(await json('answerConversation', ...typed)).toMatchObject({ content: 'Merci' })
    const reason = 'as place@karras.test'
    expect(await lastLogged(app)).toMatchObject({ actor: 'command line', reason })
  })

  test('prints a file as it is', async () => {
    const table = ['table=documents', 'unit=month', 'locale=en']
    const { out, exit } = await call('downloadFigures', ...table)
    expect(exit).toBe(0)
    expect(out).toMatch(/^[^\uFEFF]/)
    expect(out.split('\n')[0]).toContain('Document')
  })

  test('prints a file that is sent in pieces', async () => {
    const { out, exit } = await call('exportInvoices', 'period=2026', 'locale=en')
    expect(exit).toBe(0)
    expect(out.split('\n')[0]).toContain('Customer')
  })

  test('stores a file where --to says, and no picture is printed', async () => {
    const payer = await app.aCustomer()
    const { id } = await addReceipt(app, payer, await aTransfer(app, payer), await aPicture('#fff'))
    const printed = await call('getTransferPhoto', `id=${id}`)
    expect([printed.exit, printed.out]).toEqual([2, ''])
    expect(printed.err).toBe(
      'getTransferPhoto answers with a file that is no text: add --to=<path>.',
    )
    const to = `--to=${join(folder, 'receipt.webp')}`
    expect((await call('getTransferPhoto', `id=${id}`, to)).out).toContain('receipt.webp')
    expect((await readFile(join(folder, 'receipt.webp'))).subarray(8, 12).toString()).toBe('WEBP')
    const again = await call('getTransferPhoto', `id=${id}`, to)
    expect([again.exit, again.err]).toEqual([2, expect.stringContaining('exists already')])
    expect((await call('listPeople', to)).err).toBe(
      'listPeople answers with no file: leave --to out.',
    )
  })
})
