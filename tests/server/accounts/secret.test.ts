// @one-database: it is about settings.
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readSecret } from '../../../src/server/http/secret.ts'

const SECRET = 's'.repeat(32)

describe('readSecret', () => {
  test('uses JWT_SECRET unchanged', async () => {
    const secret = await readSecret({ jwtSecret: SECRET, dataDir: '/nowhere' })
    expect(new TextDecoder().decode(secret)).toBe(SECRET)
  })

  test('creates one that only its owner can read, and keeps it', async () => {
    const dataDir = join(await directory(), 'data')
    const secret = await readSecret({ jwtSecret: null, dataDir })
    expect(secret).toHaveLength(32)
    expect((await stat(join(dataDir, 'secret'))).mode & 0o777).toBe(0o600)
    expect(await readSecret({ jwtSecret: null, dataDir })).toEqual(secret)
  })

  test('is the same for concurrent starts, and leaves nothing behind', async () => {
    const dataDir = await directory()
    const all = await Promise.all(
      Array.from({ length: 20 }, () => readSecret({ jwtSecret: null, dataDir })),
    )
    expect(new Set(all.map((secret) => Buffer.from(secret).toString('hex'))).size).toBe(1)
    expect(await readdir(dataDir)).toEqual(['secret'])
  })

  test('refuses a file without a secret', async () => {
    const dataDir = await directory()
    await writeFile(join(dataDir, 'secret'), '')
    await expect(readSecret({ jwtSecret: null, dataDir })).rejects.toThrow(/does not hold a secret/)
  })
})

async function directory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'karras-'))
  onTestFinished(() => rm(path, { recursive: true }))
  return path
}
