// @one-database: it is about settings.
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { seal, unseal } from '../../../src/server/accounts/staff/sealed-secrets.ts'
import { readSecret } from '../../../src/server/http/secret.ts'
import { readPreview, signPreview } from '../../../src/server/library/sending/signed-links.ts'

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

  test('means the same by the content of the file and by JWT_SECRET: links and authenticators stay', async () => {
    const dataDir = await directory()
    const inFile = await readSecret({ jwtSecret: null, dataDir })
    const content = await readFile(join(dataDir, 'secret'), 'utf8')
    const link = signPreview(inFile, { documentId: 1, userId: 2 }, 1000)
    const sealed = seal(inFile, 'user 1', Buffer.from('shared with the phone'))

    const moved = await readSecret({ jwtSecret: content.trim(), dataDir: '/nowhere' })
    expect(readPreview(moved, link, 2000)).toEqual({ documentId: 1, userId: 2 })
    expect(Buffer.from(unseal(moved, 'user 1', sealed) ?? []).toString()).toBe(
      'shared with the phone',
    )
  })

  test('opens what an earlier version sealed with the digits of a JWT_SECRET themselves', async () => {
    const digits = 'a1'.repeat(32)
    const sealed = seal(new TextEncoder().encode(digits), 'user 1', Buffer.from('shared'))
    const secret = await readSecret({ jwtSecret: digits, dataDir: '/nowhere' })
    expect(Buffer.from(unseal(secret, 'user 1', sealed) ?? []).toString()).toBe('shared')
    expect(unseal(secret, 'user 2', sealed)).toBeNull()
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
