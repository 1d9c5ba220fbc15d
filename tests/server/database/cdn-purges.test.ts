import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../../src/server/config/config.ts'
import { openDatabase } from '../../../src/server/database/pool.ts'
import { transaction } from '../../../src/server/database/transaction.ts'
import {
  cdnHeaders,
  purgeChanges,
  purgeEveryPage,
  requestPurge,
} from '../../../src/server/publishing/cdn/cdn.ts'
import { noteChanges, noteCommitted } from '../../../src/server/publishing/changes/changes.ts'
import { aDatabase, runStatement } from '../../support/database.ts'

/** A CDN that records the requests it gets, and answers with `status`. */
async function aCdn() {
  const purges: { secret: string | undefined; tags: string[] }[] = []
  const cdn = { purges, status: 200, url: '' }
  const server = createServer(async (request, response) => {
    const { tags } = JSON.parse(Buffer.concat(await request.toArray()).toString())
    if (cdn.status === 200) purges.push({ secret: request.headers.authorization, tags })
    response.writeHead(cdn.status).end('{}')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void server.close())
  cdn.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/purge`
  return cdn
}

let url: string
beforeEach(async () => {
  url = (await aDatabase()).url
})

/** Two processes of one shop, whose clock is `clock.now`, with a CDN that knows of their start. */
async function aShop() {
  const cdn = await aCdn()
  const clock = { now: Date.now() }
  const processes = [openDatabase(url), openDatabase(url)].map((database) => {
    onTestFinished(() => database.close())
    return { database, now: () => clock.now }
  })
  const [one, other] = processes
  if (!one || !other) throw new Error('there are two')
  const purge = { url: cdn.url, secret: 'hush' }
  const turnOf = (process: typeof one) => purgeChanges(process, purge)
  await purgeEveryPage(one)
  await turnOf(one)
  expect(cdn.purges.splice(0)).toEqual([{ secret: 'Bearer hush', tags: ['every-page'] }])
  const note = (...tags: string[]) => transaction(one.database, (tx) => noteChanges(tx, tags))
  return { cdn, clock, one, other, turnOf, note }
}

test('a change is sent once, by either process, when no process can send the old page any more', async () => {
  const { cdn, clock, one, other, turnOf, note } = await aShop()
  await note('document:7', 'catalogue')
  await note('document:7', 'teacher:2')
  await turnOf(one)
  expect(cdn.purges).toEqual([])
  clock.now += 10_000
  await turnOf(other)
  expect(cdn.purges.map(({ tags }) => tags.toSorted())).toEqual([
    ['catalogue', 'document-7', 'teacher-2'],
  ])
  clock.now += 10_000
  await turnOf(one)
  await turnOf(other)
  expect(cdn.purges).toHaveLength(1)
})

test('a change is sent once while an older transaction is open', async () => {
  const { cdn, clock, one, turnOf, note } = await aShop()
  const open = await one.database.pool.connect()
  await open.query('BEGIN')
  await open.query('SELECT pg_current_xact_id()')
  await note('document:7')
  for (let turn = 0; turn < 4; turn++) {
    await turnOf(one)
    clock.now += 10_000
  }
  await open.query('ROLLBACK')
  open.release()
  expect(cdn.purges.map(({ tags }) => tags)).toEqual([['document-7']])
})

test('changes that may take a minute are sent after it', async () => {
  const { cdn, clock, one, turnOf } = await aShop()
  await noteCommitted(one.database.kysely, { changed: [], soon: ['document:3'] })
  await turnOf(one)
  clock.now += 60_000
  await turnOf(one)
  expect(cdn.purges).toEqual([])
  clock.now += 20_000
  await turnOf(one)
  expect(cdn.purges.map(({ tags }) => tags)).toEqual([['document-3']])
})

test('a failing CDN is retried until it accepts, with what has changed since', async () => {
  const { cdn, clock, one, other, turnOf, note } = await aShop()
  cdn.status = 500
  await note('document:1')
  await turnOf(one)
  clock.now += 10_000
  await expect(turnOf(one)).rejects.toThrow(/could not be told.*it answers 500/)
  await note('document:2')
  clock.now += 10_000
  await expect(turnOf(other)).rejects.toThrow(/answers 500/)
  cdn.status = 200
  clock.now += 10_000
  await turnOf(other)
  expect(cdn.purges.map(({ tags }) => tags.toSorted())).toEqual([['document-1', 'document-2']])
})

test('an earlier build is purged again once it is replaced, and too many changes become one purge of all', async () => {
  const { cdn, clock, one, turnOf, note } = await aShop()
  const many = Array.from({ length: 2001 }, (_, id) => `document:${id}`)
  await note(...many)
  await turnOf(one)
  clock.now += 11 * 60_000
  // A due purge is not delayed by new changes.
  await note(...many)
  await turnOf(one)
  expect(cdn.purges.map(({ tags }) => tags)).toEqual([['every-page']])
})

test('after a restore, or two days without a CDN, everything is purged', async () => {
  const { cdn, clock, one, turnOf } = await aShop()
  clock.now += 2 * 24 * 3_600_000
  await turnOf(one)
  expect(cdn.purges.splice(0).map(({ tags }) => tags)).toEqual([['every-page']])
  await runStatement(
    url,
    `UPDATE cdn_purges SET state = jsonb_set(state, '{position,transaction}', '"99999999999"')`,
  )
  await turnOf(one)
  expect(cdn.purges.map(({ tags }) => tags)).toEqual([['every-page']])
})

test('a long list of tags is sent in chunks', async () => {
  const cdn = await aCdn()
  const tags = Array.from({ length: 1200 }, (_, id) => `document-${id}`)
  await requestPurge({ url: cdn.url, secret: 's' }, tags)
  expect(cdn.purges.map((each) => each.tags.length)).toEqual([500, 500, 200])
  expect(cdn.purges.flatMap((each) => each.tags)).toEqual(tags)
})

test('a page with more tags than a CDN reads is not cached', () => {
  const cdn = { seconds: 60, purge: null }
  const page = { path: '/shop', tags: Array.from({ length: 100 }, (_, id) => `document:${id}`) }
  expect(cdnHeaders(cdn, page)).toBeUndefined()
  // A page that ends by itself is not kept beyond its end for long.
  const ending = cdnHeaders({ ...cdn, seconds: 999 }, { path: '/x', tags: [], maxAge: 500 })
  expect(ending?.['cache-control']).toBe('public, max-age=0, s-maxage=60')
  expect(cdnHeaders(cdn, { path: '/fr/a b', tags: ['site'], maxAge: 5 })).toEqual({
    'cache-control': 'public, max-age=0, s-maxage=5',
    'cache-tag': 'every-page,path--fr-a-b,site',
    'cdn-tag': 'every-page,path--fr-a-b,site',
    'surrogate-key': 'every-page path--fr-a-b site',
  })
})

test('the settings of a CDN require each other', () => {
  const given = {
    CDN_SECONDS: '600',
    CDN_PURGE_URL: 'https://cdn.example/p',
    CDN_PURGE_SECRET: 's',
  }
  expect(readConfig({}).cdn).toBeNull()
  expect(readConfig({ CDN_SECONDS: '600' }).cdn).toEqual({ seconds: 600, purge: null })
  expect(readConfig(given).cdn).toEqual({
    seconds: 600,
    purge: { url: 'https://cdn.example/p', secret: 's' },
  })
  for (const name of Object.keys(given)) {
    expect(() => readConfig({ ...given, [name]: '' }), name).toThrow(`${name} is nothing`)
  }
  for (const seconds of ['0', '-1', '1.5', '99999999', 'ever']) {
    expect(() => readConfig({ CDN_SECONDS: seconds })).toThrow('CDN_SECONDS')
  }
})
