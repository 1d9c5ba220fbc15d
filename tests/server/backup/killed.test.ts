// @one-database: it kills processes.
// @at-landing: it restores a backup again and again.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { dinars } from '../../../src/rules/money.ts'
import { amount } from '../../support/amount.ts'
import { runStatement } from '../../support/database.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { runOperator } from '../../support/operator.ts'
import { PATIENCE } from '../../support/patience.ts'
import { cleanEnvironment, refusedStart } from '../../support/shop-process.ts'
import { anEmptyDatabase, checksumsOf, expectFailure, officeOutput, withShop } from './support.ts'

const ROOT = join(import.meta.dirname, '../../..')

const MOMENTS = amount('RESTORE_KILLS', { usual: 2, long: 3 })

// The shop has some hundred files, so that there is time to kill its backup.
const directory = temporaryDirectory()
const dataDir = join(directory, 'shop')
const file = join(directory, 'shop.karras')

beforeAll(async () => {
  await withShop(dataDir, async (shop) => {
    await shop.aCustomer({ balance: dinars(20) })
    const teacherId = (await shop.aTeacher()).id
    for (let at = 0; at < 200; at += 1) {
      const file = new TextEncoder().encode(`%PDF-1.4\n${`${at} `.repeat(500)}`)
      await shop.aDocument({ file, teacherId })
    }
  })
  await officeOutput(['backup', file], { DATA_DIR: dataDir })
})

/** Runs an office command and kills it (`kill -9`) as soon as `moment` returns true. */
async function killWhen(
  moment: () => boolean,
  typed: string[],
  env: Record<string, string>,
): Promise<void> {
  const child = spawn(process.execPath, ['src/server/command-line/main.ts', ...typed], {
    cwd: ROOT,
    env: cleanEnvironment(env),
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  onTestFinished(() => void child.kill('SIGKILL'))
  // Polls every millisecond, so that polling does not slow the command down.
  while (child.exitCode === null && !moment()) await delay(1)
  child.kill('SIGKILL')
  await ended
  expect(child.signalCode, 'it was done before its moment came').toBe('SIGKILL')
}

const count = (directory: string) =>
  existsSync(directory) ? readdirSync(directory, { recursive: true }).length : 0

test('a killed restore into a directory leaves no shop, and the next one is complete', async () => {
  const target = join(temporaryDirectory(), 'data')
  const env = { DATA_DIR: target }
  const moments = [
    () => existsSync(join(target, 'restoring', 'postgres')),
    () => count(join(target, 'files')) > 200,
    () => count(join(target, 'files')) > 20,
  ]
  for (const moment of moments.slice(0, MOMENTS)) {
    // Each attempt but the first finds the leftovers of the previous one.
    await killWhen(moment, ['restore', file], env)
    expect(existsSync(join(target, 'postgres'))).toBe(false)
    const { code, output } = await refusedStart({ ...env, DEMO: '0', PORT: '0' })
    expect(code).toBe(1)
    // A line of the build may precede it.
    expect(output.trim().split('\n').at(-1)).toMatch(
      /^DATA_DIR: a restore into .* was cut off; run it again/,
    )
    expect((await runOperator(['ledger', 'check'], env)).exit).toBe(3)
  }
  await officeOutput(['restore', file], env)
  expect(existsSync(join(target, 'restoring'))).toBe(false)
  const again = join(temporaryDirectory(), 'again.karras')
  await officeOutput(['backup', again], env)
  expect(await checksumsOf(again)).toEqual(await checksumsOf(file))
})

test('a killed restore into a server leaves its database empty', async () => {
  const url = await anEmptyDatabase()
  const env = { DATABASE_URL: url, DATA_DIR: temporaryDirectory() }
  for (const files of [1, 100]) {
    await killWhen(() => count(join(env.DATA_DIR, 'files')) > files, ['restore', file], env)
    await vi.waitFor(async () => {
      const tables = await runStatement(
        url,
        "SELECT tablename FROM pg_tables WHERE schemaname = 'public'",
      )
      expect(tables.rows).toEqual([])
    }, PATIENCE)
  }
  // The server may not have noticed yet that the previous connection is gone.
  await vi.waitFor(() => officeOutput(['restore', file], env), { ...PATIENCE, interval: 500 })
  const again = join(temporaryDirectory(), 'again.karras')
  await officeOutput(['backup', again], env)
  expect(await checksumsOf(again)).toEqual(await checksumsOf(file))
})

test('a killed backup leaves nothing that looks like one', async () => {
  const other = join(temporaryDirectory(), 'other.karras')
  await killWhen(() => existsSync(`${other}.part`), ['backup', other], { DATA_DIR: dataDir })
  expect(existsSync(other)).toBe(false)
  expect((await runOperator(['backup', 'check', `${other}.part`], {})).exit).toBe(1)
  await expectFailure(['backup', other], { DATA_DIR: dataDir }, [
    1,
    `${other}.part exists already; a backup is being written, or was interrupted: then remove it.`,
  ])
})
