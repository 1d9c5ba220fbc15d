// @one-database: it damages files.
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { dinars } from '../../../src/rules/money.ts'
import { migrate } from '../../../src/server/database/migrate.ts'
import { openDatabase } from '../../../src/server/database/pool.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { runOperator } from '../../support/operator.ts'
import { anEmptyDatabase, officeOutput, withShop } from './support.ts'

test('a shop with a wrong ledger is not backed up, unless requested', async () => {
  const directory = temporaryDirectory()
  const wrong = join(directory, 'wrong')
  await withShop(wrong, async (shop) => {
    await shop.aCustomer({ balance: dinars(20) })
    // As damage would: bypasses everything that guards the ledger.
    await shop.database.pool.query(
      `SET session_replication_role = replica; UPDATE accounts SET balance = balance + 10 WHERE kind = 'customer'`,
    )
  })
  const backup = join(directory, 'wrong.karras')
  await officeOutput(['backup', backup], { DATA_DIR: wrong })

  const target = join(directory, 'target')
  const refused = await runOperator(['restore', backup], { DATA_DIR: target })
  expect([refused.exit, refused.err]).toEqual([1, ''])
  expect(refused.out).toMatch(/^Nothing was kept .*\nThe ledger is WRONG.*\nWallets whose balance/)
  expect(readdirSync(target)).toEqual(['karras.lock'])

  const kept = await runOperator(['restore', backup, '--even-unsound'], { DATA_DIR: target })
  expect(kept.exit).toBe(1)
  expect(kept.out).toMatch(/^Restored the shop/)
  expect((await runOperator(['ledger', 'check'], { DATA_DIR: target })).exit).toBe(1)
})

test('a missing file does not keep the rest from being backed up', async () => {
  const directory = temporaryDirectory()
  const shop = join(directory, 'shop')
  await withShop(shop, async (made) => {
    await made.aDocument()
    await made.aDocument({ file: new TextEncoder().encode('%PDF-1.4\nother') })
  })
  const [folder = ''] = readdirSync(join(shop, 'files'))
  const [name = ''] = readdirSync(join(shop, 'files', folder))
  rmSync(join(shop, 'files', folder, name))
  const [other = ''] = readdirSync(join(shop, 'files')).filter((one) => one !== folder)
  const [damaged = ''] = readdirSync(join(shop, 'files', other))
  writeFileSync(join(shop, 'files', other, damaged), 'not what it was')

  const backup = join(directory, 'shop.karras')
  const { exit, out, err } = await runOperator(['backup', backup], { DATA_DIR: shop })
  expect(exit).toBe(0)
  expect(out).toContain(', 1 file.')
  expect(err).toContain(`names the file ${folder}/${name}, which is not`)
  expect(err).toContain(`${other}/${damaged} is damaged; it was backed up as it is`)
  expect(statSync(backup).size).toBeGreaterThan(1000)
})

test('two shops that are open at once on one database are backed up like one', async () => {
  const url = await anEmptyDatabase()
  await migrate(url)
  const database = openDatabase(url)
  onTestFinished(() => database.close())
  await database.pool.query('SELECT 1')
  const directory = temporaryDirectory()
  const out = await officeOutput(['backup', join(directory, 'a.karras'), '--json'], {
    DATABASE_URL: url,
    DATA_DIR: directory,
  })
  expect(JSON.parse(out)).toMatchObject({ files: 0, missing: [], damaged: [] })
})
