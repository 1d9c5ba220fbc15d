import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { killImports, writeImport } from '../chaos/import-kills.ts'
import { spawnShop } from '../support/shop-process.ts'

const DOCUMENTS = 40

test('an import killed while it checks, stores and writes leaves no half document and no orphan', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'karras-import-kills-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const dataDir = join(directory, 'data')
  const folder = join(directory, 'list')
  await writeImport(folder, DOCUMENTS)
  const shop = await spawnShop({ DATA_DIR: dataDir, DEMO: '0' })
  onTestFinished(async () => {
    await shop.stop()
  })

  const round = await killImports(dataDir, folder)
  expect(round.afterKills).toHaveLength(3)
  for (const count of round.afterKills) expect([0, DOCUMENTS]).toContain(count)
  const { created, unchanged } = round.imported
  expect(created + unchanged).toBe(DOCUMENTS)
  expect(round.again).toEqual({ created: 0, changed: 0, unchanged: DOCUMENTS })
  expect(round.orphans).toEqual([])
  expect(round.without).toEqual([])

  const found = await fetch(
    `${shop.url}/api/documents/paginated?title=${encodeURIComponent('وثيقة عدد 7')}`,
  )
  expect((await found.json()).totalElements).toBeGreaterThan(0)
})
