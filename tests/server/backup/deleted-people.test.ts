// @one-database: it restores an embedded shop.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { transaction } from '../../../src/server/database/transaction.ts'
import { installJobs } from '../../../src/server/jobs/jobs.ts'
import { deletePerson } from '../../../src/server/own-data/delete-person.ts'
import { namesOf } from '../../../src/server/own-data/names.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { aBackup, officeOutput, withShop } from './support.ts'

test('a restore of an older backup deletes again whom a later one no longer has', async () => {
  const { dataDir } = await aBackup()
  const env = { DATA_DIR: dataDir }
  const older = join(dataDir, 'older.karras')
  const person = await withShop(dataDir, ({ aCustomer }) =>
    aCustomer({ email: 'leaves@karras.test', phone: '55555556' }),
  )
  await officeOutput(['backup', older], env)
  await withShop(dataDir, async ({ database }) => {
    await installJobs(database)
    await transaction(database, async (tx) => {
      await deletePerson(tx, await namesOf(tx, person.id), 'command line')
    })
  })
  // It is on the list beside the backups from the next one on.
  await officeOutput(['backup', join(dataDir, 'newer.karras')], env)

  const target = join(temporaryDirectory(), 'restored')
  const said = await officeOutput(['restore', older], { DATA_DIR: target })
  expect(said).toContain('Deleted 1 person again')
  await withShop(target, async ({ database }) => {
    const users = database.kysely.selectFrom('users').select(['email', 'firstName'])
    expect(await users.where('id', '=', person.id).execute()).toEqual([
      { email: null, firstName: `#${person.id}` },
    ])
  })
})
