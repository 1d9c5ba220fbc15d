import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { composeBooks } from '../../../scripts/demo-books/book.ts'
import { logIn } from '../../../src/contract/accounts.ts'
import { getTeacher, listTopSelling, searchDocuments } from '../../../src/contract/catalogue.ts'
import { listPurchased } from '../../../src/contract/library.ts'
import { dinars } from '../../../src/rules/money.ts'
import { LEVELS } from '../../../src/rules/price-bands.ts'
import { createPasswords } from '../../../src/server/accounts/accounts.ts'
import { readConfig } from '../../../src/server/config/config.ts'
import type { Database } from '../../../src/server/database/pool.ts'
import { demoAccounts, fillDemoShop } from '../../../src/server/demo/demo.ts'
import { DEMO_DATA, readDemoShop, readPrinted } from '../../../src/server/demo/demo-data.ts'
import { storageIn } from '../../../src/server/files/storage.ts'
import { pageSizes } from '../../../src/server/library/reading/pdf-tasks.ts'
import { checkLedger, isLedgerSound } from '../../../src/server/money/ledger-check.ts'
import { checkRatings } from '../../../src/server/ratings/ratings.ts'
import { testApp } from '../../support/app.ts'
import { aDatabase } from '../../support/database.ts'
import { temporaryDirectory } from '../../support/directory.ts'

/** An empty shop with its own database and files. */
async function anEmptyShop() {
  const { database } = await aDatabase()
  const dataDir = temporaryDirectory()
  const config = readConfig({ DATA_DIR: dataDir })
  const passwords = createPasswords()
  return { database, config, dataDir, files: storageIn(dataDir), passwords }
}

const filled = await anEmptyShop()
beforeAll(async () => {
  expect(await fillDemoShop(filled)).toBe(true)
})

/** Everything that is the same in every demo shop: no hashes, and no time of filling. */
async function contentOf({ kysely }: Database) {
  const lists = ['categories', 'matieres', 'niveaux', 'coverMappings'] as const
  const content: Record<string, unknown> = {}
  for (const table of ['teachers', ...lists, 'ratings'] as const) {
    content[table] = await kysely.selectFrom(table).selectAll().orderBy('id').execute()
  }
  const files = await kysely.selectFrom('files').selectAll().orderBy('id').execute()
  const documents = await kysely.selectFrom('documents').selectAll().orderBy('id').execute()
  const users = kysely.selectFrom('users').orderBy('id')
  const purchases = kysely.selectFrom('purchases').orderBy('id')
  return {
    ...content,
    files: files.map(({ likenessDueAt: _likenessDueAt, ...file }) => file),
    documents: documents.map(({ changedIn: _changedIn, ...document }) => document),
    users: await users
      .select(['id', 'email', 'phone', 'role', 'firstName', 'isDemo', 'createdAt'])
      .execute(),
    purchases: await purchases.select(['userId', 'documentId', 'price']).execute(),
  }
}

describe('the demo shop', () => {
  test('is the same every time, to the last byte of its files', async () => {
    const second = await anEmptyShop()
    await fillDemoShop(second)
    expect(await contentOf(second.database)).toEqual(await contentOf(filled.database))
    // Files are named by their content.
    const names = (shop: { dataDir: string }) =>
      readdir(join(shop.dataDir, 'files'), { recursive: true }).then((found) => found.sort())
    expect(await names(second)).toEqual(await names(filled))
  })

  test('has the specified contents', async () => {
    const app = await testApp()
    await fillDemoShop(app.deps)
    const accounts = await demoAccounts(app.deps.database)
    expect(accounts.map(({ email }) => email)).toEqual([
      'parent@karras.test',
      'parent2@karras.test',
      'admin@karras.test',
      'admin2@karras.test',
      'teacher@karras.test',
    ])

    const documents = []
    for (let page = 0; ; page++) {
      const { content } = await app.call(searchDocuments, { query: { page, size: 100 } })
      if (content.length === 0) break
      documents.push(...content)
    }
    const distinct = <T>(values: readonly T[]) => new Set(values).size
    expect(documents.length).toBeGreaterThanOrEqual(64)
    expect(distinct(documents.map(({ teacher }) => teacher.id))).toBeGreaterThanOrEqual(9)
    expect(distinct(documents.map(({ title }) => title))).toBe(documents.length)
    expect(distinct(documents.map(({ classe }) => classe.level))).toBe(LEVELS.length)
    expect(distinct(documents.map(({ categorie }) => categorie.id))).toBe(5)
    expect(distinct(documents.map(({ matiere }) => matiere.id))).toBe(11)
    expect(distinct(documents.map(({ type }) => type))).toBe(2)
    expect(Math.max(...documents.map(({ price }) => price))).toBe(60)
    expect(documents.filter(({ price }) => price === 0).length).toBeGreaterThan(2)
    expect(documents.filter(({ priceDiscount }) => priceDiscount).length).toBeGreaterThan(8)
    expect(documents.filter(({ coverMapping }) => coverMapping?.color).length).toBeGreaterThan(3)
    expect(documents.filter(({ ratingCount }) => ratingCount > 0).length).toBeGreaterThan(40)
    for (const { description, pageCount } of documents) {
      expect(description.length).toBeGreaterThan(60)
      expect(pageCount).toBeGreaterThanOrEqual(4)
    }
    for (const id of [1, 2, 3]) {
      expect(await app.call(getTeacher, { params: { id } })).toMatchObject({ id })
    }
    const [best] = await app.call(listTopSelling, {})
    expect(best?.salesCount).toBeGreaterThan(100)

    // The accounts work, with the balances and the two purchases of the first.
    const body = { username: 'parent@karras.test', password: 'karras-demo' }
    const { accessToken: token } = await app.call(logIn, { body })
    expect(await app.call(listPurchased, { as: { token } })).toHaveLength(2)
    expect(await app.balanceOf({ id: 1 })).toBe(dinars(60))
    expect(await app.balanceOf({ id: 2 })).toBe(dinars(5))
    const report = await checkLedger(app.kysely)
    expect(isLedgerSound(report), JSON.stringify(report)).toBe(true)

    // The next row gets the next id; one more document waits for review.
    const next = await app.aDocument()
    expect(next.id).toBe(documents.length + 2)
  })

  test('has rating counts that match its rows', async () => {
    const { rows } = await sql<{ id: number }>`
      SELECT id FROM ratings WHERE document_id IS NOT NULL AND NOT counts
        AND hidden_at IS NULL
    `.execute(filled.database.kysely)
    expect(rows).toEqual([])
    const wrong = await checkRatings(filled.database.kysely)
    expect(wrong).toEqual([])
  })

  test('every PDF opens and has the page count that the shop shows', async () => {
    const files = await filled.database.kysely.selectFrom('files').selectAll().execute()
    for (const file of files) {
      const path = (await filled.files.localPath(file.storageKey)) ?? ''
      expect(await pageSizes({ path, most: 9999 })).toHaveLength(file.pageCount ?? 0)
    }
  })

  test('fills nothing but an empty database, and once when two start together', async () => {
    const shop = await anEmptyShop()
    expect(await demoAccounts(shop.database)).toEqual([])
    const both = await Promise.all([fillDemoShop(shop), fillDemoShop(shop)])
    expect(both.sort()).toEqual([false, true])
    expect(await fillDemoShop(shop)).toBe(false)

    const other = await anEmptyShop()
    const category = { name: 'دروس', code: null }
    await other.database.kysely.insertInto('categories').values(category).execute()
    expect(await fillDemoShop(other)).toBe(false)
    expect(await demoAccounts(other.database)).toEqual([])
  })
})

describe('the printed documents', () => {
  test('match the committed data: run `npm run demo:print` when this fails', async () => {
    const sources = (list: { id: number; source: string }[]) =>
      Object.fromEntries(list.map(({ id, source }) => [id, source]))
    expect(sources(await readPrinted())).toEqual(sources(await composeBooks()))
  })

  test('exist, one for every document, and are small', async () => {
    const { documents } = await readDemoShop()
    const names = await readdir(join(DEMO_DATA, 'printed'))
    const wanted = ['manifest.json', ...documents.map(({ id }) => `${id}.pdf`)]
    expect(names.sort()).toEqual(wanted.sort())
    const sizes = await Promise.all(
      names.map(async (name) => (await stat(join(DEMO_DATA, 'printed', name))).size),
    )
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(3_000_000)
  })
})
