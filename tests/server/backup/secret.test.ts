// @one-database: it restores embedded shops.
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { seal } from '../../../src/server/accounts/staff/sealed-secrets.ts'
import { FORMAT_WITHOUT_SECRET, withBackup } from '../../../src/server/backup/backup-file.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { runOperator } from '../../support/operator.ts'
import { aBackup, anEmptyDatabase, expectFailure, officeOutput, withShop } from './support.ts'

const SECRET = `${randomBytes(32).toString('hex')}\n`

const { dataDir, file } = await aBackup()
const bare = join(dataDir, 'bare.karras')
const whole = join(dataDir, 'whole.karras')

beforeAll(async () => {
  rmSync(file)
  writeFileSync(join(dataDir, 'secret'), SECRET, { mode: 0o600 })
  await withShop(dataDir, async ({ database, aCustomer }) => {
    const { id } = await aCustomer({ email: 'staff@karras.test', phone: '55555555' })
    const sealedSecret = seal(Buffer.from(SECRET.trim(), 'hex'), `user ${id}`, randomBytes(20))
    const factor = { userId: id, sealedSecret, lastStep: 1, since: new Date() }
    await database.kysely.insertInto('secondFactors').values(factor).execute()
  })
  const without = await officeOutput(['backup', bare], { DATA_DIR: dataDir })
  expect(without).not.toMatch(/secret/i)
  const withIt = await officeOutput(['backup', '--with-secret', whole], { DATA_DIR: dataDir })
  expect(withIt).toContain('It HOLDS THE SECRET of the shop')
})

const formatOf = (file: string) =>
  withBackup(file, async (header, parts) => {
    for await (const { pieces } of parts) for await (const _ of pieces);
    return header.format
  })

test('the secret is in a backup only where it was asked for, and the backup says so', async () => {
  expect(readFileSync(bare).includes(SECRET.trim())).toBe(false)
  expect(readFileSync(whole).includes(SECRET.trim())).toBe(true)
  expect([bare, whole].map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600])
  expect(await officeOutput(['backup', 'check', bare], {})).not.toMatch(/secret/i)
  expect(await officeOutput(['backup', 'check', whole], {})).toContain('HOLDS THE SECRET')
  // An earlier version reads the one without.
  expect([await formatOf(bare), await formatOf(whole)]).toEqual([FORMAT_WITHOUT_SECRET, 2])
})

test('a restore without the secret says that authenticators stop, and how to keep them', async () => {
  const target = join(temporaryDirectory(), 'restored')
  const out = await officeOutput(['restore', bare], { DATA_DIR: target })
  expect(out).toContain('1 authenticator of staff will NOT work')
  expect(out).toContain(`to ${join(target, 'secret')} before the first start`)
  expect(out).toContain('office -- second-factor reset <e-mail>')
  expect(existsSync(join(target, 'secret'))).toBe(false)
})

test('the secret of the old shop, put there before the restore or taken along, keeps them', async () => {
  const kept = temporaryDirectory()
  writeFileSync(join(kept, 'secret'), SECRET, { mode: 0o600 })
  const before = await officeOutput(['restore', bare], { DATA_DIR: kept })
  expect(before).not.toContain('will NOT work')
  expect(before).toContain(`It goes on with the secret in ${join(kept, 'secret')}.`)

  const target = join(temporaryDirectory(), 'restored')
  const out = await officeOutput(['restore', whole], { DATA_DIR: target })
  expect(out).not.toContain('will NOT work')
  expect(readFileSync(join(target, 'secret'), 'utf8')).toBe(SECRET)
  expect(statSync(join(target, 'secret')).mode & 0o777).toBe(0o600)
})

test('another secret that is there stays, and the restore says what that means', async () => {
  const target = temporaryDirectory()
  const other = `${'0'.repeat(64)}\n`
  writeFileSync(join(target, 'secret'), other, { mode: 0o600 })
  const { exit, out } = await runOperator(['restore', whole], { DATA_DIR: target })
  expect(exit).toBe(0)
  expect(out).toContain(`will NOT work: ${join(target, 'secret')} is another secret`)
  expect(readFileSync(join(target, 'secret'), 'utf8')).toBe(other)
})

test('with a JWT_SECRET it counts, and is in no backup', async () => {
  const env = { JWT_SECRET: 'a'.repeat(32), DATA_DIR: dataDir }
  const refused = expect.stringContaining('JWT_SECRET')
  await expectFailure(['backup', '--with-secret', join(dataDir, 'x.karras')], env, [1, refused])
  const server = { ...env, DATABASE_URL: await anEmptyDatabase(), DATA_DIR: temporaryDirectory() }
  const out = await officeOutput(['restore', whole], server)
  expect(out).toContain('will NOT work: JWT_SECRET is another secret')
  expect(out).toContain('set JWT_SECRET before the first start to the line in')
  expect(existsSync(join(server.DATA_DIR, 'secret'))).toBe(false)
})

test('a shop that moves to a server keeps its authenticators with the line of the file as JWT_SECRET', async () => {
  const server = {
    JWT_SECRET: readFileSync(join(dataDir, 'secret'), 'utf8').trim(),
    DATABASE_URL: await anEmptyDatabase(),
    DATA_DIR: temporaryDirectory(),
  }
  const out = await officeOutput(['restore', bare], server)
  expect(out).not.toContain('will NOT work')
  expect(out).toContain('It goes on with the secret in JWT_SECRET.')
})

test('a shop without a secret yet has none to take along', async () => {
  const fresh = temporaryDirectory()
  await withShop(fresh, async () => {})
  const to = join(fresh, 'x.karras')
  const none = expect.stringContaining('There is no ')
  await expectFailure(['backup', '--with-secret', to], { DATA_DIR: fresh }, [1, none])
  expect(existsSync(to)).toBe(false)
})

test('a restored shop knows when its backup was made, and that it is its last one', async () => {
  const target = join(temporaryDirectory(), 'restored')
  await officeOutput(['restore', bare], { DATA_DIR: target })
  const json = JSON.parse(await officeOutput(['backup', 'check', bare, '--json'], {}))
  const version = await officeOutput(['version'], { DATA_DIR: target })
  const at = new Date(Date.parse(json.madeAt) + 3_600_000)
  const shown = at.toISOString().slice(0, 16).replace('T', ' ')
  expect(version).toContain(`Restored from the backup of ${shown}.`)
  expect(await officeOutput(['version'], { DATA_DIR: dataDir })).not.toContain('Restored')
  const waiting = ['call', 'getWaiting', '--json']
  const { groups } = JSON.parse(await officeOutput(waiting, { DATA_DIR: target }))
  expect(groups.map(({ kind }: { kind: string }) => kind)).not.toContain('backup')
})
