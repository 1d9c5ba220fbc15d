// @one-database: it is about files.
import { once } from 'node:events'
import { rename } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { downloadDocument } from '../../../src/contract/library.ts'
import * as desk from '../../../src/contract/office-desk.ts'
import { openReading } from '../../../src/contract/reading.ts'
import { payFromWallet } from '../../../src/contract/wallet.ts'
import { MINUTE_MS } from '../../../src/rules/durations.ts'
import { dinars } from '../../../src/rules/money.ts'
import { readConfig } from '../../../src/server/config/config.ts'
import { isReadableByAnybody, openStorage } from '../../../src/server/files/files.ts'
import { tellAdministrators } from '../../../src/server/notices/notices.ts'
import { lookAtStorage } from '../../../src/server/troubles/troubles.ts'
import { noteBackup } from '../../../src/server/waiting/waiting.ts'
import { type TestApp, testApp } from '../../support/app.ts'
import { startBucket } from '../../support/bucket.ts'
import { cuttableProxy } from '../../support/cut-line.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { runOperator } from '../../support/operator.ts'
import { PATIENCE } from '../../support/patience.ts'
import { aPdf } from '../../support/pdf.ts'
import { expectCode } from '../../support/refusals.ts'
import { upload } from '../../support/uploads.ts'
import { addressOf } from '../http/samples.ts'

/** More than a process asks of the storage at a time. */
const READERS = 60

const bucket = await startBucket(temporaryDirectory())
let isUp = bucket !== null
const takeAway = async () => {
  if (isUp) await bucket?.stop()
  isUp = false
}
afterAll(takeAway)

/** A shop with a sold document, its buyer and an administrator. */
async function aShop(env: Readonly<Record<string, string>>) {
  const app = await testApp({ env: { SITE_URL: 'http://127.0.0.1:4321', ...env } })
  await noteBackup(app.deps.database, new Date(app.deps.now()))
  const admin = await app.anOfficeAdministrator({ firstName: 'Salma' })
  const teacher = await app.anOfficeTeacher()
  const buyer = await app.aCustomer({ balance: dinars(50) })
  const document = await app.aDocument({ file: aPdf('درس', 3) })
  const body = { userId: buyer.id, documentIds: [document.id] }
  await app.call(payFromWallet, { as: buyer, key: 'buy', body })
  return { app, admin, teacher, buyer, document }
}

const readyFor = async (app: TestApp, purpose: string) =>
  (await app.request('GET', `/readyz?for=${purpose}`)).status

async function doctorOn(app: TestApp, env: Readonly<Record<string, string>>) {
  const { json } = await runOperator(['doctor', '--json'], {
    ...env,
    DATABASE_URL: app.databaseUrl,
    DATA_DIR: app.deps.config.dataDir,
    JWT_SECRET: 's'.repeat(32),
  })
  const { findings } = json() as { findings: { check: string; found: string; advice?: string }[] }
  return findings
}

/** A bucket behind a line that can swallow everything that is sent to it. */
async function silenceable(given: Readonly<Record<string, string>>) {
  const [, host = '', port = ''] =
    /endpoint=http:\/\/([^:]+):(\d+)/.exec(given.FILES_URL ?? '') ?? []
  const sockets = new Set<Socket>()
  let isSilent = false
  let count = 0
  const server = createServer((client) => {
    sockets.add(client)
    client.on('error', () => {}).on('close', () => sockets.delete(client))
    client.on('data', () => count++)
    if (isSilent) return
    const bucket = connect(Number(port), host)
    bucket.on('error', () => client.destroy())
    client.on('close', () => bucket.destroy())
    client.pipe(bucket).pipe(client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const end = () => {
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(() => {
    end()
    server.close()
  })
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const swap = (silent: boolean) => () => {
    isSilent = silent
    end()
  }
  return {
    env: { ...given, FILES_URL: given.FILES_URL?.replace(`http://${host}:${port}`, address) ?? '' },
    /** How many requests have arrived. */
    requests: () => count,
    hush: swap(true),
    speak: swap(false),
  }
}

describe('a storage that is away', () => {
  test.skipIf(!bucket)(
    'is the shop’s fault to buyers, and shows wherever a mail server does',
    async () => {
      const { app, admin, teacher, buyer, document } = await aShop({ ...bucket?.env })
      await lookAtStorage(app.deps)
      expect((await app.call(desk.getWaiting, { as: admin })).groups).toEqual([])
      expect(await readyFor(app, 'writes')).toBe(200)

      await takeAway()
      const params = { id: document.id, userId: buyer.id }
      await expectCode(app.call(downloadDocument, { as: buyer, params, query: {} }), 'server_error')
      const reading = app.call(openReading, { as: buyer, params: { id: document.id } })
      await expectCode(reading, 'server_error')
      await expectCode(upload(app, teacher, aPdf('جديد', 1)), 'server_error')
      const preview = addressOf(downloadDocument, { params, query: { preview: 'true' } })
      const { body } = await app.request('GET', preview, { as: buyer })
      const frame = await fetch(`${app.url}/api${body}`)
      const shown = await frame.text()
      expect(frame.status).toBe(500)
      expect(shown).toContain('Failed to load document preview.')
      expect(shown).toContain('تعذّر تحميل معاينة الوثيقة.')
      expect(shown).toContain('L’aperçu du document n’a pas pu être chargé.')
      const errors = app.log.splice(0)
      expect(errors.length).toBeGreaterThan(3)
      for (const { level, cause } of errors) {
        expect([level, cause]).toEqual(['error', expect.stringContaining('ECONNREFUSED')])
      }

      const away = await testApp({ deps: { database: app.deps.database }, env: { ...bucket?.env } })
      await lookAtStorage(away.deps)
      expect(away.reports).toEqual([
        expect.stringMatching(/^The storage of the files fails since /),
      ])
      expect(await readyFor(away, 'writes')).toBe(503)
      expect(await readyFor(away, 'calls')).toBe(200)
      const { groups } = await app.call(desk.getWaiting, { as: admin })
      const reason = expect.stringContaining('ECONNREFUSED')
      expect(groups).toMatchObject([{ kind: 'storage', reason }])
      const metrics = await app.request('GET', '/metrics')
      expect(String(metrics.body)).toContain('karras_trouble{what="storage"} 1')
      app.travel(3 * MINUTE_MS)
      await tellAdministrators(app.deps)
      const told = (await app.mails()).filter(({ headers }) => headers.includes(admin.email))
      expect(told.at(-1)?.parts['text/plain']).toMatch(/مخزن الملفّات لا يجيب[\s\S]*ECONNREFUSED/)

      const findings = await doctorOn(app, { ...bucket?.env })
      for (const check of ['storage', 'files']) {
        const found = findings.find((each) => each.check === check)
        expect(found?.advice, check).toBeDefined()
        expect(found?.advice, check).not.toMatch(/restore|backup|upload/)
      }
    },
  )

  test.skipIf(!bucket)(
    'is one, too, if it accepts connections and stays silent: nobody waits long, nothing piles up',
    async () => {
      const silent = await startBucket(temporaryDirectory())
      onTestFinished(async () => silent?.stop())
      const { env, requests, hush, speak } = await silenceable(silent?.env ?? {})
      const { app, buyer, document } = await aShop(env)
      const params = { id: document.id, userId: buyer.id }
      const read = () => app.call(downloadDocument, { as: buyer, params, query: {} })
      hush()

      const { files } = app.deps.config
      const asked = files.kind === 's3' && isReadableByAnybody(files, `ab/${'0'.repeat(64)}.pdf`)
      await Promise.all([
        expect(asked).rejects.toThrow(),
        ...Array.from({ length: READERS }, () => expectCode(read(), 'server_error')),
      ])
      // One request at a time finds out whether it speaks again; all others are refused at once.
      const before = requests()
      await Promise.all(Array.from({ length: READERS }, () => expectCode(read(), 'server_error')))
      expect(requests() - before).toBeLessThan(5)
      expect(app.log.some(({ cause }) => String(cause).includes('no answer'))).toBe(true)
      expect(await readyFor(app, 'writes')).toBe(503)
      expect(await readyFor(app, 'calls')).toBe(200)
      const away = await testApp({ deps: { database: app.deps.database }, env })
      await lookAtStorage(away.deps)
      expect(away.reports).toEqual([
        expect.stringMatching(/^The storage of the files fails since /),
      ])

      speak()
      await expect
        .poll(
          () =>
            read().then(
              () => true,
              () => false,
            ),
          PATIENCE,
        )
        .toBe(true)
    },
  )

  test.skipIf(!bucket)('an answer that stops half-way fails for its reader', async () => {
    const whole = await startBucket(temporaryDirectory())
    onTestFinished(async () => whole?.stop())
    const [, origin = ''] = /endpoint=(.+)/.exec(whole?.env.FILES_URL ?? '') ?? []
    const line = await cuttableProxy(origin)
    const FILES_URL = whole?.env.FILES_URL?.replace(origin, line.url)
    const config = readConfig({ ...whole?.env, FILES_URL, DATA_DIR: temporaryDirectory() })
    const storage = await openStorage(config)
    onTestFinished(storage.close)
    const { key } = await storage.put(Buffer.alloc(4 * 1024 ** 2, 'karras'), 'pdf')
    line.holdAfter(100_000)
    const read = async () => buffer((await storage.read(key)) ?? Readable.from([]))
    await expect(read()).rejects.toThrow('the answer has stopped')
    expect(await storage.sizeOf(key)).toBe(4 * 1024 ** 2)
  })

  test('that is a directory which leads elsewhere is one, too, until it is mounted again', async () => {
    const place = `${temporaryDirectory()}/files`
    const { app, admin } = await aShop({ FILES_URL: place })
    await rename(place, `${place}-unmounted`)
    await lookAtStorage(app.deps)
    const { groups } = await app.call(desk.getWaiting, { as: admin })
    const reason = expect.stringContaining('the newest file is not there')
    expect(groups).toMatchObject([{ kind: 'storage', reason }])
    const findings = await doctorOn(app, { FILES_URL: place })
    expect(findings.find(({ check }) => check === 'files')?.advice).not.toMatch(/restore|upload/)

    await rename(place, `${place}-empty`)
    await rename(`${place}-unmounted`, place)
    await lookAtStorage(app.deps)
    expect((await app.call(desk.getWaiting, { as: admin })).groups).toEqual([])
    expect(app.reports.at(-1)).toBe('The storage of the files works again.')
  })
})
