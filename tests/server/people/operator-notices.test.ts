import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import * as notices from '../../../src/contract/office-desk.ts'
import { reportDocument } from '../../../src/contract/reports.ts'
import { TEXTS } from '../../../src/i18n/texts.ts'
import { HOUR_MS, MINUTE_MS } from '../../../src/rules/durations.ts'
import { dinars } from '../../../src/rules/money.ts'
import { openGateway } from '../../../src/server/gateways/open-gateway.ts'
import { ALLOWANCES } from '../../../src/server/http/rate-limits.ts'
import { tellAdministrators } from '../../../src/server/notices/notices.ts'
import { lookAtDisk, noteTrouble, noteWorking } from '../../../src/server/troubles/troubles.ts'
import { noteBackup } from '../../../src/server/waiting/waiting.ts'
import { aTransfer as transferOf } from '../../support/admin/payments.ts'
import { asks } from '../../support/admin/review.ts'
import { type TestApp, testApp } from '../../support/app.ts'
import { insert } from '../../support/database.ts'
import { smtpServer } from '../../support/mail.ts'
import { callByCommand, runCommand } from '../../support/operator.ts'
import { expectCode, expectRefused } from '../../support/refusals.ts'

async function aShop(env: Record<string, string> = {}) {
  const app = await testApp({ env: { SITE_URL: 'http://127.0.0.1:4321', ...env } })
  await noteBackup(app.deps.database, new Date(app.deps.now()))
  const admin = await app.anOfficeAdministrator({ firstName: 'Salma' })
  return { app, admin }
}

/** A transfer that a customer has begun just now. */
const aTransfer = async (app: TestApp) => transferOf(app, await app.aCustomer())

/** The subjects of the notices that an administrator has got so far. */
async function noticesTo(app: TestApp, { email }: { email: string }) {
  const mails = (await app.mails()).filter(({ headers }) => headers.includes(email))
  const told = mails.filter(({ parts }) => parts['text/html']?.includes('/office'))
  return told.map(({ parts }) => parts['text/plain'] ?? '')
}

const groupsOf = async (app: TestApp, as: { token: string }) =>
  (await app.call(notices.getWaiting, { as })).groups

describe('the state of mail', () => {
  test('without a mail server the office and every command say that mails lie in a folder', async () => {
    const { app, admin } = await aShop()
    const outbox = join(app.deps.config.dataDir, 'outbox')
    const place = { kind: 'folder', place: outbox }
    expect(await app.call(notices.getMailPlace, { as: admin })).toEqual(place)
    const tested = await app.call(notices.sendTestMail, { as: admin })
    expect(tested).toMatchObject({ to: admin.email, problem: null, mail: { kind: 'folder' } })
    const [mail] = await app.mails()
    expect(mail?.headers).toContain(admin.email)
    const says = `SMTP_URL is not set: mails are written to ${outbox} and reach nobody.`
    for (const typed of [
      ['mails'],
      ['mails', 'test', 'owner@shop.tn'],
      ['invite-teacher', 'teacher@shop.tn'],
    ]) {
      const { exit, all } = await runCommand(app, ...typed)
      expect([exit, all]).toEqual([0, expect.stringContaining(says)])
    }
    // A command that mails nothing says nothing of mail.
    expect((await runCommand(app, 'ledger', 'check')).all).not.toContain('SMTP_URL')
  })

  test('a mail server that refuses shows in the office, the log and the commands at once, until it works', async () => {
    const server = await smtpServer({ refusals: ['454 4.7.8 try later', '454 4.7.8 try later'] })
    onTestFinished(server.close)
    const { app, admin } = await aShop({ SMTP_URL: server.url })
    const failed = await app.call(notices.sendTestMail, { as: admin })
    expect(failed.problem).toContain('454 4.7.8 try later')
    expect(failed.mail).toMatchObject({ kind: 'server', trouble: { reason: failed.problem } })
    const since = failed.mail.trouble?.since
    expect(await groupsOf(app, admin)).toMatchObject([
      { kind: 'mail', count: 1, since, reason: expect.stringContaining('454') },
    ])
    expect(app.reports).toEqual([expect.stringMatching(/^Mail fails since .*: .*454 4\.7\.8/)])

    // A second failure is said no second time, and lasts since the first.
    app.travel(MINUTE_MS)
    const again = await app.call(notices.sendTestMail, { as: admin })
    expect(again.mail.trouble?.since).toBe(since)
    expect(again.mail.trouble?.at).not.toBe(since)
    expect(app.reports).toHaveLength(1)
    expect((await app.call(notices.getNotices, { as: admin })).mail.trouble?.since).toBe(since)

    const works = await app.call(notices.sendTestMail, { as: admin })
    expect(works).toMatchObject({ problem: null, mail: { trouble: { since: null } } })
    expect(await groupsOf(app, admin)).toEqual([])
    expect(app.reports.at(-1)).toBe('Mail works again.')
    expect(server.mails).toHaveLength(1)
  })

  test('a recipient whom the server does not know is no failure of mail', async () => {
    const server = await smtpServer({ refusals: ['550 5.1.1 no such user'] })
    onTestFinished(server.close)
    const { app, admin } = await aShop({ SMTP_URL: server.url })
    expect((await app.call(notices.sendTestMail, { as: admin })).problem).toContain('550')
    expect(await groupsOf(app, admin)).toEqual([])
    expect(app.reports).toEqual([])
  })

  test('`office mails` and `mails test` name the server, the last error and since when', async () => {
    const { app } = await aShop()
    const env = {
      DATABASE_URL: app.databaseUrl,
      DATA_DIR: app.deps.config.dataDir,
      SMTP_URL: 'smtp://shop:secret@127.0.0.1:1',
    }
    const { exit, out } = await runCommand({ ...app, env }, 'mails', 'test', 'owner@shop.tn')
    expect([exit, out]).toEqual([
      1,
      expect.stringMatching(/not taken by 127\.0\.0\.1:1: .*ECONNREFUSED/),
    ])
    const state = await runCommand({ ...app, env }, 'mails')
    expect(state.out).toMatch(/^Mails go to 127\.0\.0\.1:1\.\nMail has been FAILING since /)
    expect(out + state.out).not.toContain('secret')
    expect((await runCommand({ ...app, env }, 'mails', 'test', 'nobody')).exit).toBe(2)
  })

  test('test mails are limited for each administrator', async () => {
    const { app, admin } = await aShop()
    for (let sent = 0; sent < ALLOWANCES.testMailsOfAccount.max; sent++) {
      await app.call(notices.sendTestMail, { as: admin })
    }
    await expectRefused(app.call(notices.sendTestMail, { as: admin }), 429)
  })
})

describe('what fails beside mail', () => {
  test('a gateway that does not answer waits with its reason, until it answers', async () => {
    const { app, admin } = await aShop()
    const address = {
      baseUrl: 'http://127.0.0.1:1/api/v2',
      apiKey: 'k',
      walletId: 'w',
      methods: [],
    }
    const onResult = app.deps.metrics.onGatewayResult
    const parts = { ...app.deps, siteUrl: app.url, onResult }
    const gateway = openGateway({ provider: 'konnect', ...address }, parts)
    await expect(gateway?.read('0123456789abcdef01234567')).rejects.toThrow()
    expect(await groupsOf(app, admin)).toMatchObject([{ kind: 'gateway', count: 1 }])
    expect(app.reports).toEqual([expect.stringMatching(/^The payment gateway fails since /)])
    await noteWorking(app.deps, 'gateway')
    expect(await groupsOf(app, admin)).toEqual([])
  })

  test('a disk that is nearly full waits, until there is room', async () => {
    const { app, admin } = await aShop()
    await lookAtDisk(app.deps, Number.MAX_SAFE_INTEGER)
    const reason = expect.stringMatching(/^\d+ MB left in \//)
    expect(await groupsOf(app, admin)).toMatchObject([{ kind: 'disk', reason }])
    await lookAtDisk(app.deps, 0)
    expect(await groupsOf(app, admin)).toEqual([])
  })
})

describe('notices to administrators', () => {
  test('tell of what has come, once, gathered within an hour, each kind by itself', async () => {
    const { app, admin } = await aShop()
    const other = await app.anOfficeAdministrator({ firstName: 'Mehdi' })
    const tell = () => tellAdministrators(app.deps)
    await aTransfer(app)
    // What came a moment ago waits for the next turn.
    await tell()
    expect(await noticesTo(app, admin)).toEqual([])
    app.travel(2 * MINUTE_MS)
    await tell()
    await tell()
    const [first, ...more] = await noticesTo(app, admin)
    expect(more).toEqual([])
    expect(first).toMatch(/تحويل واحد ينتظر التأكيد/)
    expect(first).toContain('http://127.0.0.1:4321/office')
    expect(await noticesTo(app, other)).toHaveLength(1)

    // Two more within the hour are one mail after it; the first one alone is none.
    await aTransfer(app)
    await aTransfer(app)
    app.travel(30 * MINUTE_MS)
    await tell()
    expect(await noticesTo(app, admin)).toHaveLength(1)
    app.travel(30 * MINUTE_MS)
    await tell()
    const told = await noticesTo(app, admin)
    expect(told).toHaveLength(2)
    expect(told.at(-1)).toContain('3 تحويلات تنتظر التأكيد')
    app.travel(HOUR_MS)
    await tell()
    expect(await noticesTo(app, admin)).toHaveLength(2)
  })

  test('tell of reports about documents, however many, once an hour', async () => {
    const { app, admin } = await aShop()
    for (let turn = 1; turn <= 2; turn++) {
      for (let count = 0; count < 3; count++) {
        const { id } = await app.aDocument()
        const body = { reason: 'copyright', words: 'Page 3 is mine.' } as const
        await app.call(reportDocument, { params: { id }, body })
      }
      app.travel(2 * MINUTE_MS)
      await tellAdministrators(app.deps)
      app.travel(20 * MINUTE_MS)
      await tellAdministrators(app.deps)
      const told = await noticesTo(app, admin)
      expect(told).toHaveLength(turn)
      expect(told.at(-1)).toContain(`بلاغات عن ${3 * turn} وثائق`)
      app.travel(HOUR_MS)
    }
  })

  test('tell of requests to join, of payouts and of wallets to pay back', async () => {
    const { app, admin } = await aShop()
    await asks(app, 'amira@karras.test')
    const { teacherId } = await app.anOfficeTeacher()
    const account = { holder: 'Salma', rib: '08006023011000456789' }
    await insert(app.kysely, 'payouts', {
      teacherId,
      amount: dinars(60),
      reference: null,
      reason: null,
      requestedAt: new Date(app.deps.now()),
      ...account,
    })
    const leaving = await app.aCustomer({ balance: dinars(12) })
    const day = new Date(app.deps.now())
    await insert(app.kysely, 'accountDeletions', {
      userId: leaving.id,
      askedAt: day,
      dueAt: day,
      askedBy: 'self',
      holder: null,
      rib: null,
      givesUpMoney: false,
    })
    app.travel(2 * MINUTE_MS)
    await tellAdministrators(app.deps)
    const [told = '', ...more] = await noticesTo(app, admin)
    expect(more).toEqual([])
    const kinds = TEXTS.ar['office-waiting'].page.kinds
    for (const kind of ['joining_one', 'payouts_one', 'returns_one'] as const) {
      expect(told).toContain(kinds[kind])
    }
  })

  test('are one mail for all kinds that are due, from two processes at the same time', async () => {
    const { app, admin } = await aShop()
    await aTransfer(app)
    await noteTrouble(app.deps, 'gateway', 'no answer')
    app.travel(6 * MINUTE_MS)
    await Promise.all([1, 2, 3, 4].map(() => tellAdministrators(app.deps)))
    const told = await noticesTo(app, admin)
    expect(told).toHaveLength(1)
    expect(told[0]).toContain('no answer')
    expect(told[0]).toContain('تحويل واحد')
  })

  test('do not tell of what somebody has seen to before the mail is written', async () => {
    const { app, admin } = await aShop()
    await noteTrouble(app.deps, 'gateway', 'no answer')
    app.travel(6 * MINUTE_MS)
    await tellAdministrators(app.deps)
    await noteWorking(app.deps, 'gateway')
    expect(await noticesTo(app, admin)).toEqual([])
    // It fails anew, more than an hour later.
    app.travel(2 * HOUR_MS)
    await noteTrouble(app.deps, 'gateway', 'no answer')
    app.travel(6 * MINUTE_MS)
    await tellAdministrators(app.deps)
    expect(await noticesTo(app, admin)).toHaveLength(1)
  })

  test('remind of a missing backup after 26 hours, and each day that it lasts', async () => {
    const { app, admin } = await aShop()
    const counted = async (hours: number) => {
      app.travel(hours * HOUR_MS)
      await tellAdministrators(app.deps)
      return (await noticesTo(app, admin)).length
    }
    expect(await counted(25)).toBe(0)
    expect(await counted(2)).toBe(1)
    expect(await counted(20)).toBe(1)
    expect(await counted(5)).toBe(2)
    await noteBackup(app.deps.database, new Date(app.deps.now()))
    expect(await counted(25)).toBe(2)
  })

  test('of a disk that stays full come once a day', async () => {
    const { app, admin } = await aShop()
    const turn = async (hours: number) => {
      app.travel(hours * HOUR_MS)
      await noteBackup(app.deps.database, new Date(app.deps.now()))
      await lookAtDisk(app.deps, Number.MAX_SAFE_INTEGER)
      app.travel(2 * MINUTE_MS)
      await tellAdministrators(app.deps)
      return (await noticesTo(app, admin)).length
    }
    expect(await turn(0)).toBe(1)
    expect(await turn(2)).toBe(1)
    expect(await turn(21)).toBe(1)
    expect(await turn(2)).toBe(2)
  })

  test('are switched one by one, in the office and by command, and the log says by whom', async () => {
    const { app, admin } = await aShop()
    const before = await app.call(notices.getNotices, { as: admin })
    expect(before.notices.every(({ isOn }) => isOn)).toBe(true)
    const off = { kind: 'transfers', isOn: false, seen: null } as const
    const { notices: after } = await app.call(notices.setNotice, { as: admin, body: off })
    const [transfers, ...others] = after
    expect(transfers).toMatchObject({ kind: 'transfers', isOn: false, changed: { by: /Salma/ } })
    expect(others.every(({ isOn }) => isOn)).toBe(true)
    // Another administrator's page still shows the former state.
    const again = app.call(notices.setNotice, { as: admin, body: off })
    await expectCode(again, 'done_before')
    await callByCommand(app, 'setNotice', 'kind=documents', 'isOn=off', 'seen=null')
    await aTransfer(app)
    app.travel(2 * MINUTE_MS)
    await tellAdministrators(app.deps)
    expect(await noticesTo(app, admin)).toEqual([])
    const log = await app.kysely
      .selectFrom('staffLog')
      .select(['actor', 'reason'])
      .where('action', '=', 'change setting')
      .execute()
    expect(log).toEqual([
      { actor: `user ${admin.id}`, reason: 'notice_transfers = 0' },
      { actor: 'command line', reason: 'notice_documents = 0' },
    ])
  })

  test('reach no blocked administrator', async () => {
    const { app, admin } = await aShop()
    const gone = await app.anOfficeAdministrator({ firstName: 'Nour' })
    await runCommand(app, 'user', gone.email, 'block', '--reason', 'left')
    await aTransfer(app)
    app.travel(2 * MINUTE_MS)
    await tellAdministrators(app.deps)
    expect(await noticesTo(app, gone)).toEqual([])
    expect(await noticesTo(app, admin)).toHaveLength(1)
  })
})

describe('commands in words', () => {
  test('count as a person would', async () => {
    const { app } = await aShop()
    const folder = join(app.deps.config.dataDir, 'list')
    await mkdir(folder)
    await writeFile(join(folder, 'catalogue.csv'), 'reference,title\n')
    expect((await runCommand(app, 'import', folder)).out).toMatch(/: \d+ problems?\.$/)
  })

  test.each([
    [
      ['backup', 'check', '/nowhere/at-all'],
      '/nowhere/at-all cannot be read: there is no such file or directory.',
    ],
    [['backup', 'check', '/tmp'], '/tmp '],
    [
      ['call', 'saveSitePage', 'page.fr.text=@/nowhere/x'],
      '/nowhere/x cannot be read: there is no such file or directory.',
    ],
    [
      ['export', '/nowhere/x/y'],
      '/nowhere/x/y cannot be written: there is no such file or directory.',
    ],
    [
      ['import', '--template', '/nowhere/x'],
      '/nowhere/x/catalogue.csv cannot be written: there is no such file or directory.',
    ],
  ])('%j is refused in words, without the system’s code', async (typed, says) => {
    const { app } = await aShop()
    const { exit, out } = await runCommand(app, ...typed)
    expect(exit).toBeGreaterThan(0)
    expect(out).toContain(says)
    expect(out).not.toMatch(/\bE[A-Z]{4,}\b/)
  })

  test('`version` names this version, its build and the database’s', async () => {
    const { app } = await aShop()
    const { exit, out } = await runCommand(app, 'version')
    expect(exit).toBe(0)
    expect(out).toMatch(
      /^Karras \d+\.\d+\.\d+, (built on \d{4}-\d\d-\d\d \d\d:\d\d|not built yet: .*)\.\n/,
    )
    expect(out).toMatch(/The database is at \d{4}-[a-z-]+: that of this version\./)
  })
})
