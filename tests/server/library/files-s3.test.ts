// @one-database: it is about files.

import { createHash, randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { downloadDocument } from '../../../src/contract/library.ts'
import { finishUpload } from '../../../src/contract/uploads.ts'
import { payFromWallet } from '../../../src/contract/wallet.ts'
import { DAY_MS } from '../../../src/rules/durations.ts'
import { dinars } from '../../../src/rules/money.ts'
import { runCommandLine } from '../../../src/server/command-line/run.ts'
import { readConfig } from '../../../src/server/config/config.ts'
import { openStorage } from '../../../src/server/files/files.ts'
import { tailName } from '../../../src/server/library/stamping/stamps.ts'
import { cleanUpFiles } from '../../../src/server/uploads/uploads.ts'
import { testApp } from '../../support/app.ts'
import { startBucket } from '../../support/bucket.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { runOperator } from '../../support/operator.ts'
import { PATIENCE } from '../../support/patience.ts'
import { aPdf } from '../../support/pdf.ts'
import { aPicture } from '../../support/picture.ts'
import { expectCode } from '../../support/refusals.ts'
import { sendFile, upload } from '../../support/uploads.ts'
import { addressOf } from '../http/samples.ts'

const bucket = await startBucket(temporaryDirectory())
if (!bucket) console.log('Files in S3 are not tested: npm has not installed @20minutes/s3rver.')
afterAll(async () => bucket?.stop())

describe.skipIf(!bucket)('a shop whose files are in a bucket', () => {
  test('accepts, checks, serves, resumes, backs up and cleans up as with a directory', async () => {
    const app = await testApp({ env: { ...bucket?.env } })
    const teacher = await app.anOfficeTeacher()
    const pdf = aPdf('في السحاب', 30)
    const sent = await sendFile(app, teacher, pdf, { part: 3000 })
    const params = { id: sent.id }
    const checked = await app.call(finishUpload, { as: teacher, params })
    expect(checked).toMatchObject({ isChecked: true, pageCount: 30 })
    const bad = upload(app, teacher, Buffer.from('<html>'))
    await expectCode(bad, 'not_a_pdf')

    const buyer = await app.aCustomer({ balance: dinars(50) })
    const document = await app.aDocument({ file: pdf, cover: await aPicture('#2b62b8') })
    const body = { userId: buyer.id, documentIds: [document.id] }
    await app.call(payFromWallet, { as: buyer, key: 'buy', body })
    const path = addressOf(downloadDocument, { params: { id: document.id, userId: buyer.id } })
    const get = async (headers: Record<string, string> = {}) => {
      const authorization = `Bearer ${buyer.token}`
      const answer = await fetch(app.url + path, { headers: { authorization, ...headers } })
      return { answer, bytes: Buffer.from(await answer.arrayBuffer()) }
    }
    // On a busy machine the first ones may be sent before their stamp is made.
    const whole = await vi.waitFor(async () => {
      const whole = await get()
      expect(whole.bytes.length).toBeGreaterThan(pdf.length)
      return whole
    }, PATIENCE)
    expect(whole.bytes.subarray(0, pdf.length).equals(pdf)).toBe(true)
    const etag = whole.answer.headers.get('etag') ?? ''
    const rest = await get({ range: 'bytes=1000-', 'if-range': etag })
    expect([rest.answer.status, rest.bytes.equals(whole.bytes.subarray(1000))]).toEqual([206, true])
    expect((await get({ 'if-none-match': etag })).answer.status).toBe(304)
    const preview = await app.request('GET', `${path}?preview=true`, { as: buyer })
    const picture = await fetch(`${app.url}/api${preview.body}/1.webp`)
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/webp'])
    const { coverPath } = await app.row('documents', document.id)
    expect((await fetch(app.url + coverPath)).status).toBe(200)
    // Another machine with this bucket makes none of it again.
    const { config } = app.deps
    const { made, close } = await openStorage({ ...config, dataDir: temporaryDirectory() })
    const sha256 = createHash('sha256').update(pdf).digest('hex')
    const tail = await made.kept(tailName({ sha256 }), () => Promise.reject(new Error('again')))
    expect(tail?.length).toBeGreaterThan(0)
    close()

    const keys = async () => {
      const found = []
      for await (const { key } of app.deps.files.list()) found.push(key)
      return found
    }
    const kept = await keys()
    expect(kept).toHaveLength(2)
    await upload(app, teacher, aPdf('nobody’s', 2))
    await sendFile(app, teacher, aPdf('half', 2))
    app.travel(DAY_MS + 60_000)
    await cleanUpFiles(app.deps)
    expect(await keys()).toEqual(kept)
    expect((await app.deps.files.parts.list()).size).toBe(0)

    const file = join(app.deps.config.dataDir, 'shop.backup')
    const env = { ...bucket?.env, DATA_DIR: app.deps.config.dataDir, JWT_SECRET: 's'.repeat(32) }
    const lines: string[] = []
    const say = (line: string) => void lines.push(line)
    const terminal = { out: say, err: say }
    expect(
      await runCommandLine(['backup', file], { ...env, DATABASE_URL: app.databaseUrl }, terminal),
    ).toBe(0)
    const other = await startBucket(temporaryDirectory())
    const home = join(app.deps.config.dataDir, 'restored')
    const restored = { ...other?.env, DATA_DIR: home }
    expect(await runCommandLine(['restore', file], restored, terminal), lines.join('\n')).toBe(0)
    expect(lines.at(-1)).toBeDefined()
    expect(await readdir(home)).not.toContain('files')
    await other?.stop()
    expect(kept.find((key) => key.endsWith('.pdf'))?.slice(3, 67)).toBe(sha256)
  })

  test('the doctor lists and reads it, and tries whether anybody may', async () => {
    const env = { ...bucket?.env, DATA_DIR: temporaryDirectory() }
    const files = await openStorage(readConfig(env))
    onTestFinished(() => files.close())
    await files.put(new Uint8Array([1, 2, 3]), 'pdf')
    const storage = async (more = {}) => {
      const { json } = await runOperator(['doctor', '--json'], { ...env, ...more })
      return json().findings.find(({ check }: { check: string }) => check === 'storage')
    }
    // The stand-in gives files to everybody.
    expect((await storage()).found).toMatch(/^anybody reads the files of the bucket /)
    const refused = await storage({ AWS_SECRET_ACCESS_KEY: 'another' })
    expect(refused.advice).toContain('AWS_')
  })

  test('serves others while many readers pause: none of them holds a connection to it', async () => {
    const files = await openStorage(
      readConfig({ ...bucket?.env, DATA_DIR: temporaryDirectory(), JWT_SECRET: 's'.repeat(32) }),
    )
    onTestFinished(() => files.close())
    // More than fits into the buffers of a connection.
    const content = randomBytes(8 << 20)
    const { key, size } = await files.put(content, 'pdf')
    const slow = await Promise.all(
      // More than a process has connections to the storage.
      Array.from({ length: 60 }, async (_, at) => {
        const pieces = await files.pieces(key, { start: at, end: size - 1 })
        return pieces?.[Symbol.asyncIterator]()
      }),
    )
    for (const reader of slow) await reader?.next()
    expect(await files.sizeOf(key)).toBe(size)
    const read = await files.read(key)
    expect(read && (await buffer(read)).equals(content)).toBe(true)
    await Promise.all(slow.map((reader) => reader?.return?.()))
  })

  test('signs every call for a file: with a wrong secret none is written or read', async () => {
    const env = { ...bucket?.env, DATA_DIR: temporaryDirectory() }
    const right = await openStorage(readConfig(env))
    const wrong = await openStorage(readConfig({ ...env, AWS_SECRET_ACCESS_KEY: 'another' }))
    onTestFinished(() => {
      right.close()
      wrong.close()
    })
    const { key } = await right.put(aPdf('signed', 1), 'pdf')
    expect(await right.sizeOf(key)).toBeGreaterThan(0)
    await expect(wrong.sizeOf(key)).rejects.toThrow()
    await expect(wrong.read(key)).rejects.toThrow()
    await expect(wrong.put(aPdf('unsigned', 1), 'pdf')).rejects.toThrow()
  })
})
