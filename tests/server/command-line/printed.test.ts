import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import * as desk from '../../../src/contract/office-desk.ts'
import { listTransfers } from '../../../src/contract/office-transfers.ts'
import { adjustWallet } from '../../../src/contract/office-wallets.ts'
import { DAY_MS } from '../../../src/rules/durations.ts'
import { readable } from '../../../src/server/command-line/print.ts'
import { aTransfer } from '../../support/admin/payments.ts'
import { testApp } from '../../support/app.ts'
import { runCommand } from '../../support/operator.ts'

test('no line that is printed has a line break in it, which would show as a mark', () => {
  const text = 'first line\nsecond line'
  const answers = [text, { text, inner: { text } }, [{ text }], { list: [{ text }, { text: '' }] }]
  for (const answer of answers) {
    const lines = readable(answer)
    expect(lines.join('\n')).toContain('first line')
    for (const line of lines) expect(line).not.toMatch(/[\r\n]/)
  }
})

test('--yes is taken by commands that ask nothing, too', async () => {
  const app = await testApp({ env: { SITE_URL: 'http://127.0.0.1:4321' } })
  for (const typed of [['version'], ['ledger', 'check'], ['mails'], ['calls', 'transfer']]) {
    expect((await runCommand(app, ...typed, '--yes')).exit, typed[0]).toBe(0)
  }
})

test('the log and what it names are printed in words, and times as the shop’s clock shows them', async () => {
  const app = await testApp({ env: { SITE_URL: 'http://127.0.0.1:4321' } })
  const { id: teacherId } = await app.aTeacher()
  const set = async (call: string, ...typed: string[]) => {
    const { exit, all } = await runCommand(app, 'call', call, ...typed, 'reason=Agreed', '--yes')
    expect(exit, all).toBe(0)
  }
  await set('setWithholding', `teacherId=${teacherId}`, 'withholding=10', 'seen=null')
  await set('setBound', 'name=bound_transfer_day', 'amount=90')
  await set('setPayoutTerms', 'holdDays=5')
  // A reason that looks like a change of values and is none stays as it was written.
  const { email } = await app.aCustomer()
  const odd = await runCommand(app, 'user', email, 'block', '--reason', 'a=[x]', '--yes')
  expect(odd.exit, odd.all).toBe(0)
  await aTransfer(app, await app.aCustomer())
  const { content } = await app.call(listTransfers, {
    as: await app.anOfficeAdministrator(),
    query: {},
  })
  const reference = content[0]?.reference ?? ''
  await runCommand(app, 'confirm', reference, '--yes')
  const { out } = await runCommand(app, 'call', 'listLog')
  expect(out).toContain('Tax withheld: 10 % · Agreed')
  expect(out).toMatch(/Transfer or D17 payment confirmed \(Within a day\): 90\.00\sTND · Agreed/)
  expect(out).toContain('Days before a payout: 5 days · Agreed')
  expect(out).toContain(`Payment ${reference}`)
  expect(out).toContain('a=[x]')
  expect(out).toMatch(/^\d+ +\d{4}-\d\d-\d\d \d\d:\d\d +command line/m)
  expect(out).not.toMatch(/withholding = |bound_|hold_days|payment [0-9a-f]{24}|\dT\d/)
})

test('acts and bounds are printed in words, with the name by which a bound is set', async () => {
  const app = await testApp({ env: { SITE_URL: 'http://127.0.0.1:4321' } })
  const as = await app.anOfficeAdministrator()
  const customer = await app.aCustomer({ firstName: 'Salma' })
  const body = { userId: customer.id, amount: 900, reason: 'Agreed' }
  await app.call(adjustWallet, { as, key: 'much', body })
  const { out } = await runCommand(app, 'call', 'listActs')
  expect(out).toMatch(/^\d+ +Adjustment of a wallet +Salma .*Agreed +Waiting for somebody else/m)
  expect(out).not.toMatch(/adjustment|waiting |\buser \d/)
  const bounds = await runCommand(app, 'call', 'getBounds')
  expect(bounds.out).toMatch(/Merge of an account with money \(At a time\) +bound_merge +200/)
})

describe('what the office says to do', () => {
  test('a transfer is listed with the reference by which it is confirmed', async () => {
    const app = await testApp({ env: { SITE_URL: 'http://127.0.0.1:4321' } })
    const admin = await app.anOfficeAdministrator()
    await aTransfer(app, await app.aCustomer())
    const { content } = await app.call(listTransfers, { as: admin, query: {} })
    const reference = content[0]?.reference ?? ''
    expect(reference).toMatch(/^KR-[0-9A-F]{4}-[0-9A-F]{4}$/)
    const { out } = await runCommand(app, 'call', 'listTransfers')
    expect(out).toContain(reference)
    const confirmed = await runCommand(app, 'confirm', reference, '--yes')
    expect([confirmed.exit, confirmed.all]).toEqual([0, expect.anything()])
  })

  test('a first backup is asked for once, by a command that runs as it is printed', async () => {
    const app = await testApp({
      env: { NODE_ENV: 'production', SITE_URL: 'https://shop.example', PAYMENT_PROVIDER: 'none' },
    })
    app.travel(2 * DAY_MS)
    const admin = await app.anOfficeAdministrator()
    const asked = await app.call(desk.getWaiting, { as: admin })
    expect(asked.opening).toContain('backup')
    expect(asked.groups.map(({ kind }) => kind)).not.toContain('backup')
    const [, path = ''] = / backup (\S+)\/karras-\$\(date/.exec(asked.backupCommand) ?? []
    expect(path).toBe(join(app.deps.config.dataDir, 'backups'))
    const file = join(path, 'karras-2026-11-28-1200.karras')
    const done = await runCommand(app, 'backup', file)
    expect([done.exit, existsSync(file)], done.all).toEqual([0, true])
  })
})
