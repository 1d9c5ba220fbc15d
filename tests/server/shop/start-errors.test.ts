// @one-database: it is about shops that never start.

import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startEmbedded } from '../../../src/server/database/embedded.ts'
import { takeOwnership } from '../../../src/server/database/ownership.ts'
import { StartError } from '../../../src/server/database/start-error.ts'
import { readSecret } from '../../../src/server/http/secret.ts'
import { staticFiles } from '../../../src/server/publishing/serving/static-files.ts'
import { loadSite } from '../../../src/server/publishing/site/site.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { aSmallDisk, canMount, fill } from '../../support/small-disk.ts'
import { directoryWithCluster } from '../database/processes.ts'

/** The one line that an operator sees; throws for anything but a `StartError`. */
async function lineOf(work: () => unknown): Promise<string> {
  try {
    await work()
  } catch (error) {
    expect(error).toBeInstanceOf(StartError)
    const { message } = error as StartError
    expect(message.split('\n')).toHaveLength(1)
    return message
  }
  throw new Error('it was not refused')
}

const embedded = (dataDir: string) => lineOf(() => startEmbedded({ dataDir }))
const secret = (dataDir: string) => lineOf(() => readSecret({ jwtSecret: null, dataDir }))

describe('the lock of a data directory', () => {
  test('that is damaged is named, with a remedy', async () => {
    const dataDir = temporaryDirectory()
    writeFileSync(join(dataDir, 'karras.lock'), 'x'.repeat(4096))
    expect(await lineOf(() => takeOwnership(dataDir))).toBe(
      `DATA_DIR: the lock ${dataDir}/karras.lock is damaged; when no Karras runs on that directory, delete it and start again.`,
    )
    rmSync(join(dataDir, 'karras.lock'))
    takeOwnership(dataDir).release()
  })

  test('that is a directory is named as one, not as missing rights', async () => {
    const dataDir = temporaryDirectory()
    mkdirSync(join(dataDir, 'karras.lock'))
    expect(await lineOf(() => takeOwnership(dataDir))).toContain('karras.lock is not a file')
  })

  test('does not depend on the note beside it', () => {
    const dataDir = temporaryDirectory()
    mkdirSync(join(dataDir, 'karras.pid'))
    takeOwnership(dataDir).release()
  })
})

describe('the secret', () => {
  test.for([
    ['an empty one', ''],
    ['a short one', 'abc123\n'],
    ['one that is cut off', 'a'.repeat(63)],
    ['one of other characters', 'g'.repeat(64)],
    ['one of bytes', '\0\xff'.repeat(32)],
  ])('%s is named, with its length', async ([, content = '']) => {
    const dataDir = temporaryDirectory()
    writeFileSync(join(dataDir, 'secret'), content, 'latin1')
    expect(await secret(dataDir)).toBe(
      `DATA_DIR: ${dataDir}/secret does not hold a secret (64 hexadecimal digits; it has ${content.length} characters): put the right one back, or delete the file, and everybody logs in again.`,
    )
  })

  test('that cannot be read is named', async () => {
    const dataDir = temporaryDirectory()
    mkdirSync(join(dataDir, 'secret'))
    expect(await secret(dataDir)).toContain(`${dataDir}/secret cannot be read (EISDIR)`)
  })
})

describe('the database', () => {
  test('that dies at its start reports why, with the last lines of its log', async () => {
    const dataDir = directoryWithCluster()
    truncateSync(join(dataDir, 'postgres', 'global', 'pg_control'), 0)
    expect(await embedded(dataDir)).toMatch(
      /^DATA_DIR: the database in .*postgres did not start \(could not read file "global\/pg_control".*\)\. Its last lines: .*PANIC: .*pg_control/,
    )
  })

  test('with an unknown setting names it', async () => {
    const dataDir = directoryWithCluster()
    writeFileSync(join(dataDir, 'postgres', 'postgresql.auto.conf'), 'no_such_setting = 1\n')
    expect(await embedded(dataDir)).toMatch(
      /did not start \(.*\)\. Its last lines: .*no_such_setting/,
    )
  })

  test('whose version file is damaged is distinguished from one of another version', async () => {
    const dataDir = directoryWithCluster()
    writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '')
    expect(await embedded(dataDir)).toContain('PG_VERSION is damaged')
  })
})

describe('a build that is damaged', () => {
  test('is named, and rebuilt when it is gone', async () => {
    const build = join(temporaryDirectory(), 'dist', '0123')
    mkdirSync(join(build, 'server'), { recursive: true })
    writeFileSync(join(build, 'server', 'entry.mjs'), 'export const app = {')
    const site = () =>
      loadSite({
        serverDirectory: join(build, 'server'),
        siteUrl: 'http://127.0.0.1',
        cache: undefined as never,
        locals: undefined as never,
      })
    expect(await lineOf(site)).toMatch(
      /^The build in .*dist\/0123 is damaged \(.*Error: .*\); delete that directory and start again/,
    )
    rmSync(join(build, 'server', 'entry.mjs'))
    expect(await lineOf(site)).toContain('is damaged')
    expect(await lineOf(() => staticFiles(join(build, 'client')))).toContain(
      `The build in ${build} is damaged`,
    )
  })
})

describe.runIf(canMount())('a full disk (needs root, for a small one)', () => {
  test.for([
    ['from the beginning', 64],
    ['when the database is made', 4_096],
  ] as const)('%s is named', async ([, kilobytes]) => {
    const dataDir = aSmallDisk(kilobytes)
    if (kilobytes === 64) fill(dataDir)
    expect(await embedded(dataDir)).toBe(
      `DATA_DIR: the disk of ${dataDir} is full; make room there, and start again.`,
    )
    // The failed file is not in the way once there is space.
    expect(readdirSync(dataDir)).not.toContain('postgres')
  })

  test('when the secret is created is named, and leaves no partial secret', async () => {
    const dataDir = aSmallDisk(64)
    fill(dataDir)
    expect(await secret(dataDir)).toBe(
      `DATA_DIR: the disk of ${dataDir} is full; make room there, and start again.`,
    )
    expect(readdirSync(dataDir)).toEqual(['filler'])
  })

  test('when the server starts is named', async () => {
    const from = directoryWithCluster()
    const dataDir = aSmallDisk(128 * 1024)
    execFileSync('cp', ['-a', join(from, 'postgres'), dataDir])
    fill(dataDir)
    expect(await embedded(dataDir)).toMatch(/No space left on device|is full; make room there/)
  })
})
