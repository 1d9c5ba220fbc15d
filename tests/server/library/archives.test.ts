import { readFile, rm, writeFile } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { zipLink } from '../../../src/contract/download-links.ts'
import { LINK_STARTS_MS } from '../../../src/rules/downloads.ts'
import { MINUTE_MS } from '../../../src/rules/durations.ts'
import { tailName } from '../../../src/server/library/stamping/stamps.ts'
import { listArchive, unpackEntry } from '../../../src/server/uploads/archive.ts'
import { aBuyerOf, diskPath, sha256, stampedCopy } from '../../support/bought-documents.ts'
import type { Person } from '../../support/factories.ts'
import { PATIENCE } from '../../support/patience.ts'
import { aPdf } from '../../support/pdf.ts'
import { expectCode } from '../../support/refusals.ts'
import { sharedApp } from '../../support/test.ts'

const app = await sharedApp()

/** The path of the link to a ZIP of somebody's purchases. */
async function linkFor(as: Person, documentIds?: number[]): Promise<string> {
  return (await app.call(zipLink, { as, body: { locale: 'fr', documentIds } })).path
}

/** The files of the ZIP at a path, by name. */
async function unzip(path: string): Promise<Map<string, Buffer>> {
  const answer = await fetch(app.url + path)
  expect(answer.status).toBe(200)
  const bytes = Buffer.from(await answer.arrayBuffer())
  expect(answer.headers.get('content-length')).toBe(String(bytes.length))
  const file = join(app.deps.config.dataDir, 'got.zip')
  await writeFile(file, bytes)
  const zip = await listArchive({ path: file })
  if (zip.fault) throw new Error(zip.reason)
  const files = new Map<string, Buffer>()
  const to = join(app.deps.config.dataDir, 'unpacked')
  for (const entry of zip.files) {
    const unpacked = await unpackEntry({ path: file, file: entry, to, most: entry.size })
    expect(unpacked).toEqual({ written: entry.size, fault: null })
    files.set(entry.name, await readFile(to))
  }
  return files
}

describe('a ZIP of purchases', () => {
  test('contains each file as it is downloaded, under a unique name', async () => {
    const pdfs = [
      { file: aPdf('one', 1), title: 'الكسور (1)' },
      { file: aPdf('two', 2), title: 'Été' },
      { file: aPdf('three', 3), title: 'été' },
      { file: aPdf('four', 1), title: 'CON' },
      { file: aPdf('five', 1), title: '../../etc' },
    ]
    const { buyer, ids } = await aBuyerOf(app, ...pdfs)
    const copies = await Promise.all(
      pdfs.map(({ file }, at) => stampedCopy(app, buyer, ids[at] ?? 0, file)),
    )
    const files = await unzip(await linkFor(buyer))
    expect([...files.keys()].sort()).toEqual(
      ['_CON.pdf', 'etc.pdf', 'été.pdf', 'Été (2).pdf', 'الكسور 1.pdf'].sort(),
    )
    expect([...files.values()].map(sha256).sort()).toEqual(
      copies.map(({ bytes }) => sha256(bytes)).sort(),
    )
    const chosen = await unzip(await linkFor(buyer, [ids[1] ?? 0]))
    expect([...chosen.keys()]).toEqual(['Été.pdf'])
  })

  test('reads the footer of a file when its turn comes, and of no other', async () => {
    const first = Buffer.concat([aPdf('first', 1), Buffer.alloc(24e6)])
    const second = aPdf('second', 1)
    // The latest purchase comes first.
    const { buyer, ids } = await aBuyerOf(app, { file: second }, { file: first, price: 0 })
    await stampedCopy(app, buyer, ids[0] ?? 0, second)
    const answer = await fetch(app.url + (await linkFor(buyer)))
    const kept = join(app.deps.config.dataDir, tailName({ sha256: sha256(second) }))
    const tail = await readFile(kept)
    const mark = '%changed'
    tail.write(mark, tail.length - mark.length)
    await writeFile(kept, tail)
    const zip = Buffer.from(await answer.arrayBuffer())
    expect(answer.headers.get('content-length')).toBe(String(zip.length))
    expect(zip.includes(mark)).toBe(true)
  })

  test('leaves out a lost file and names it', async () => {
    const { buyer, ids } = await aBuyerOf(
      app,
      { file: aPdf('kept', 1), title: 'Gardé' },
      { file: aPdf('lost', 1), title: 'Perdu' },
    )
    await rm(await diskPath(app, ids[1] ?? 0))
    const files = await unzip(await linkFor(buyer))
    expect([...files.keys()]).toEqual(['Gardé.pdf', 'Fichiers manquants.txt'])
    expect(String(files.get('Fichiers manquants.txt'))).toContain('Perdu')
  })

  test('opens for its account only, for ten minutes; otherwise a page says so', async () => {
    const { buyer, ids } = await aBuyerOf(app, { file: aPdf('mine', 1), title: 'Secret' })
    const other = await aBuyerOf(app, { file: aPdf('theirs', 1) })
    for (const documentIds of [ids, [999_999], [...ids, 999_999]]) {
      const refused = app.call(zipLink, { as: other.buyer, body: { locale: 'fr', documentIds } })
      await expectCode(refused, 'document_not_found')
    }
    const nobody = await app.aCustomer()
    await expectCode(linkFor(nobody), 'document_not_found')

    const link = await linkFor(buyer)
    const forged = [
      link.replace(`-${buyer.id}-all-`, `-${other.buyer.id}-all-`),
      link.replace('-all-', `-${other.id}-`),
      link.replace(/-all-(\d+)/, (_, expiry) => `-all-${Number(expiry) + 1}`),
      link.slice(0, -1),
      `${link}A`,
      '/api/archive/fr-',
      '/api/archive/..%2f..%2fetc',
      `/api/archive/${'9'.repeat(5000)}`,
    ]
    for (const path of forged) {
      const answer = await fetch(app.url + path)
      const text = await answer.text()
      expect([answer.status, text.includes('Secret')], path).toEqual([403, false])
      expect(answer.headers.get('content-type')).toContain('text/html')
    }
    app.travel(LINK_STARTS_MS - MINUTE_MS)
    expect((await unzip(link)).size).toBe(1)
    app.travel(2 * MINUTE_MS)
    const expired = await fetch(app.url + link)
    expect([expired.status, await expired.text()]).toEqual([
      403,
      expect.stringContaining('Ce lien a expiré'),
    ])
  })

  test('is limited to two at a time per account, and ends when the browser disconnects', async () => {
    const { buyer } = await aBuyerOf(app, {
      file: Buffer.concat([aPdf('long', 1), Buffer.alloc(8e6)]),
    })
    const link = app.url + (await linkFor(buyer))
    const openZip = () =>
      new Promise<IncomingMessage>((resolve, reject) => {
        get(link, { agent: false }, resolve).on('error', reject)
      })
    const [first, second] = [await openZip(), await openZip()]
    const third = await openZip()
    expect([first.statusCode, second.statusCode, third.statusCode]).toEqual([200, 200, 429])
    third.destroy()
    first.destroy()
    await vi.waitFor(async () => {
      const next = await openZip()
      next.destroy()
      expect(next.statusCode).toBe(200)
    }, PATIENCE)
    second.destroy()
  })
})
