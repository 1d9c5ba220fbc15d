import { rm } from 'node:fs/promises'
import { describe, expect, test, vi } from 'vitest'
import { fileLink } from '../../../src/contract/download-links.ts'
import { LINK_RESUMES_MS, LINK_STARTS_MS } from '../../../src/rules/downloads.ts'
import { SECOND_MS } from '../../../src/rules/durations.ts'
import { testApp } from '../../support/app.ts'
import { aBuyer, aBuyerOf, diskPath, pdf, stampedCopy } from '../../support/bought-documents.ts'
import type { Person } from '../../support/factories.ts'
import { PATIENCE } from '../../support/patience.ts'
import { aPdf } from '../../support/pdf.ts'
import { expectCode } from '../../support/refusals.ts'
import { sharedApp } from '../../support/test.ts'

const app = await sharedApp()

const askFor = (as: Person, id: number, version?: number) =>
  app.call(fileLink, { as, params: { id }, body: { locale: 'fr', ...(version && { version }) } })

/** The path of the link to a bought file. */
const linkFor = async (as: Person, id: number) => (await askFor(as, id)).path

/** Follows a link as a browser does: without a token. */
async function follow(path: string, headers: Record<string, string> = {}, url = app.url) {
  const answer = await fetch(url + path, { headers })
  return { answer, status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) }
}

const EXPIRED = 'Ce lien a expiré'

async function expectExpired(path: string, headers: Record<string, string> = {}) {
  const { answer, status, bytes } = await follow(path, headers)
  expect([status, answer.headers.get('content-type')], path).toEqual([
    403,
    'text/html; charset=utf-8',
  ])
  expect(String(bytes)).toContain(EXPIRED)
}

/** A link whose stamped file and ETag are known. */
async function aLink() {
  const { buyer, document } = await aBuyer(app, { title: 'الكسور 1' })
  const { bytes } = await stampedCopy(app, buyer, document.id, pdf)
  const path = await linkFor(buyer, document.id)
  const whole = await follow(path)
  expect(whole.bytes.equals(bytes)).toBe(true)
  return { buyer, document, path, whole, etag: whole.answer.headers.get('etag') ?? '' }
}

describe('a link to a bought file', () => {
  test('downloads it under its title, stamped, without a token', async () => {
    const { whole, path } = await aLink()
    expect(whole.status).toBe(200)
    expect(whole.answer.headers.get('content-type')).toBe('application/pdf')
    expect(whole.answer.headers.get('content-disposition')).toContain(
      encodeURIComponent('الكسور 1.pdf'),
    )
    expect(whole.answer.headers.get('accept-ranges')).toBe('bytes')
    expect(whole.answer.headers.get('referrer-policy')).toBe('no-referrer')
    const head = await fetch(app.url + path, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length')]).toEqual([
      200,
      String(whole.bytes.length),
    ])
  })

  test('starts downloads for ten minutes, and resumes those of the same file for a day', async () => {
    const { path, whole, etag } = await aLink()
    const rest = { range: 'bytes=100-' }
    app.travel(LINK_STARTS_MS - SECOND_MS)
    expect((await follow(path)).status).toBe(200)
    app.travel(2 * SECOND_MS)
    await expectExpired(path)
    const begun: Record<string, string>[] = [
      rest,
      { 'if-range': etag },
      { ...rest, 'if-range': '"another"' },
      { ...rest, 'if-match': '"another"' },
      { ...rest, 'if-match': '*' },
    ]
    for (const headers of begun) await expectExpired(path, headers)
    app.travel(LINK_RESUMES_MS - LINK_STARTS_MS - 2 * SECOND_MS)
    // Chrome and Safari send the first, Firefox the second.
    for (const header of ['if-range', 'if-match']) {
      const resumed = await follow(path, { ...rest, [header]: etag })
      expect([resumed.status, resumed.bytes.equals(whole.bytes.subarray(100))]).toEqual([206, true])
    }
    const beyond = `bytes=${whole.bytes.length}-`
    expect((await follow(path, { range: beyond, 'if-range': etag })).status).toBe(416)
    app.travel(2 * SECOND_MS)
    await expectExpired(path, { ...rest, 'if-range': etag })
  })

  test('refuses another file than the one that was begun', async () => {
    const { path } = await aLink()
    const changed = await follow(path, { range: 'bytes=100-', 'if-match': '"another"' })
    expect(changed.status).toBe(412)
    const restarted = await follow(path, { range: 'bytes=100-', 'if-range': '"another"' })
    expect(restarted.status).toBe(200)
  })

  test('gives the same file in another process, and none after a change of a character', async () => {
    const { buyer, document, path, whole } = await aLink()
    const { database, files } = app.deps
    const second = await testApp({ deps: { database, files, now: app.deps.now } })
    const there = await follow(path, {}, second.url)
    expect(there.bytes.equals(whole.bytes)).toBe(true)
    expect(there.answer.headers.get('etag')).toBe(whole.answer.headers.get('etag'))

    const other = await aBuyer(app)
    const token = path.replace('/api/file/', '')
    const [, locale, userId, documentId, version, made, signature] =
      /^(\w+)-(\d+)-(\d+)-(\d+)-(\d+)-(.{43})$/.exec(token) ?? []
    expect([userId, documentId]).toEqual([String(buyer.id), String(document.id)])
    const forged = [
      [locale, other.buyer.id, documentId, version, made, signature],
      [locale, userId, other.document.id, version, made, signature],
      [locale, userId, documentId, Number(version) + 1, made, signature],
      [locale, userId, documentId, version, Number(made) + 1, signature],
      ['en', userId, documentId, version, made, signature],
    ].map((parts) => parts.join('-'))
    const garbage = [token.slice(0, -1), `${token}A`, 'fr-', '..%2f..%2fetc', '9'.repeat(5000)]
    for (const each of [...forged, ...garbage]) {
      expect((await follow(`/api/file/${each}`)).status, each).toBe(403)
    }
    const archive = path.replace('/api/file/', '/api/archive/')
    expect((await follow(archive)).status).toBe(403)
  })

  test('is refused to others, and closes when its buyer is blocked or refunded', async () => {
    const { buyer, document, path, etag } = await aLink()
    const other = await app.aCustomer()
    const hidden = await app.aDocument({ isPublished: false })
    await expectCode(askFor(other, document.id), 'not_permitted')
    await expectCode(askFor(await app.anAdministrator(), document.id), 'not_permitted')
    await expectCode(askFor(buyer, hidden.id), 'document_not_found')
    await expectCode(askFor(buyer, document.id, 7), 'version_not_offered')

    const resuming = { range: 'bytes=100-', 'if-range': etag }
    await app.change('users', buyer.id, { blockedAt: new Date() })
    await expectExpired(path)
    await expectExpired(path, resuming)
    await app.change('users', buyer.id, { blockedAt: null })
    expect((await follow(path, resuming)).status).toBe(206)
    await app.kysely
      .deleteFrom('purchases')
      .where('userId', '=', buyer.id)
      .where('documentId', '=', document.id)
      .execute()
    await expectExpired(path)
    await expectExpired(path, resuming)
    await expectCode(askFor(buyer, document.id), 'not_permitted')
  })

  test('says at the press that the file is lost; at the link, a page says so', async () => {
    const { buyer, id } = await aBuyerOf(app, { file: aPdf('lost', 1) })
    const path = await vi.waitFor(() => linkFor(buyer, id), PATIENCE)
    await rm(await diskPath(app, id))
    await expectCode(askFor(buyer, id), 'file_missing')
    const { answer, status, bytes } = await follow(path)
    expect([status, String(bytes).includes('n’a pas pu être envoyé')]).toEqual([503, true])
    expect(answer.headers.get('content-disposition')).toBeNull()
    expect(app.log.splice(0).filter(({ level }) => level === 'error')).toHaveLength(1)
  })

  test('is in no log', async () => {
    const { path } = await aLink()
    await follow(`${path}x`)
    expect(JSON.stringify(app.log)).not.toContain(path)
  })
})
