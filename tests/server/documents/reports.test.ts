import { describe, expect, test } from 'vitest'
import { getDocument } from '../../../src/contract/catalogue.ts'
import { getWaiting } from '../../../src/contract/office-desk.ts'
import * as office from '../../../src/contract/office-reports.ts'
import { reportDocument } from '../../../src/contract/reports.ts'
import { REPORTS_A_DAY } from '../../../src/rules/reports.ts'
import { expectCode } from '../../support/refusals.ts'
import { office as officeCommand } from '../../support/staff.ts'
import { sharedApp } from '../../support/test.ts'

const app = await sharedApp()
const teacher = await app.anOfficeTeacher({ firstName: 'Leïla', lastName: 'Gharbi' })
const other = await app.anOfficeTeacher()
const salma = await app.anOfficeAdministrator({ firstName: 'Salma', lastName: 'Zouari' })
const mehdi = await app.anOfficeAdministrator()
const parent = await app.aCustomer({ firstName: 'Amira' })

const published = async (title = 'Les fractions') =>
  (await app.aDocument({ title, teacherId: teacher.teacherId })).id

const report = (id: number, body = {}, as: typeof parent | null = null) =>
  app.call(reportDocument, {
    as,
    params: { id },
    body: { reason: 'copyright', words: 'Page 3 is mine.', ...body },
  })

const caseOf = async (documentId: number) => {
  const { content } = await app.call(office.listCases, { as: salma, query: { size: 100 } })
  return content.find(({ document }) => document.id === documentId)
}

const openCase = async (documentId: number) => (await caseOf(documentId))?.id ?? 0
const readCase = (id: number) => app.call(office.getCase, { as: salma, params: { id } })
const mailsTo = async (address: string) =>
  (await app.mails()).filter(({ headers }) => headers.includes(`To: ${address}`))
const isOnSale = async (id: number) =>
  app.call(getDocument, { params: { id } }).then(
    () => true,
    () => false,
  )

describe('a report', () => {
  test('opens a case that others join, is answered by the teacher and ended for everybody', async () => {
    const id = await published('Kept document')
    await report(id, { email: 'Author@Karras.test', locale: 'fr' })
    await report(id, { reason: 'wrong', words: 'Page 9.' }, parent)
    await report(id, { words: 'Without an address' })
    await report(id, { email: 'author@karras.test', words: 'Once more' })
    const caseId = await openCase(id)
    const { reports, ...found } = await readCase(caseId)
    expect(found).toMatchObject({ count: 4, teacher: 'Leïla Gharbi', closedAt: null })
    expect(reports.map(({ who }) => who?.split(' ')[0])).toEqual([
      'author@karras.test',
      undefined,
      'Amira',
      'author@karras.test',
    ])
    const { groups } = await app.call(getWaiting, { as: salma })
    expect(groups.find(({ kind }) => kind === 'reports')?.items).toContainEqual(
      expect.objectContaining({ id: `${caseId}`, name: 'Kept document' }),
    )
    // One mail for all four, which says nobody's name or address.
    expect(await mailsTo(teacher.email ?? '')).toHaveLength(1)

    const own = { as: teacher, params: { id } }
    const shown = await app.call(office.getOwnReports, own)
    expect(shown?.reports).toHaveLength(4)
    expect(JSON.stringify(shown)).not.toMatch(/author@|Amira/)
    await app.call(office.answerReports, { ...own, body: { answer: 'I wrote it in 2019.' } })
    expect(await readCase(caseId)).toMatchObject({
      answer: 'I wrote it in 2019.',
      isAnswered: true,
    })

    const close = { params: { id: caseId }, body: { reply: 'It is the teacher’s own.' } }
    await app.call(office.closeCase, { as: salma, ...close })
    await expectCode(app.call(office.closeCase, { as: mehdi, ...close }), 'done_before')
    expect(await mailsTo('author@karras.test')).toHaveLength(1)
    const [answer] = await mailsTo(parent.email ?? '')
    expect(JSON.stringify(answer)).toContain('It is the teacher’s own.')
    expect(await mailsTo(teacher.email ?? '')).toHaveLength(2)
    expect(await caseOf(id)).toBeUndefined()
    expect(await app.call(office.getOwnReports, own)).toBeNull()
    await expectCode(
      app.call(office.answerReports, { ...own, body: { answer: 'Too late' } }),
      'report_not_found',
    )
    expect(await isOnSale(id)).toBe(true)
    // A later report opens another case.
    await report(id)
    expect(await openCase(id)).toBeGreaterThan(caseId)
  })

  test('has the document taken down meanwhile, and put back, by the command line too', async () => {
    const id = await published()
    await report(id)
    const params = { id: await openCase(id) }
    await app.call(office.takeDownReported, { as: salma, params, body: { reason: 'We look.' } })
    expect(await isOnSale(id)).toBe(false)
    await expectCode(report(id), 'document_not_found')
    const { history } = await readCase(params.id)
    expect(history[0]).toMatchObject({
      action: 'unpublish',
      who: 'Salma Zouari',
      reason: 'We look.',
    })
    await app.call(office.putBackReported, { as: salma, params })
    expect(await isOnSale(id)).toBe(true)

    const call = (name: string, ...fields: string[]) =>
      officeCommand(app, ['call', name, `id=${params.id}`, ...fields])
    expect((await call('takeDownReported', 'reason=Copied')).exit).toBe(0)
    expect((await call('closeCase', 'reply=It is copied')).exit).toBe(0)
    expect(await isOnSale(id)).toBe(false)
    expect(await readCase(params.id)).toMatchObject({ reply: 'It is copied' })
    const late = { as: mehdi, params }
    await expectCode(app.call(office.putBackReported, late), 'done_before')
    expect(await isOnSale(id)).toBe(false)
  })

  test('of twenty at once opens one case', async () => {
    const id = await published()
    await Promise.all(Array.from({ length: 20 }, (_, at) => report(id, { words: `Report ${at}` })))
    expect(await caseOf(id)).toMatchObject({ count: 20 })
  })

  test('is refused beyond what a person and a document may have, and leaves nothing', async () => {
    const busy = await app.aCustomer()
    const ids = await Promise.all(
      Array.from({ length: REPORTS_A_DAY.person + 1 }, () => published()),
    )
    for (const id of ids.slice(1)) await report(id, {}, busy)
    await expectCode(report(ids[0] ?? 0, {}, busy), 'too_many_requests')
    expect(await caseOf(ids[0] ?? 0)).toBeUndefined()
  })

  test('of a document by any number of strangers shuts the door for no known account', async () => {
    const id = await published()
    const from = async (address: string) => {
      const body = { reason: 'wrong', words: 'x' }
      const headers = { 'x-forwarded-for': address }
      return (await app.request('POST', `/api/documents/${id}/reports`, { headers, body })).status
    }
    const { document, documentByAddress } = REPORTS_A_DAY
    for (let at = 0; at < documentByAddress; at++) expect(await from('203.0.113.99')).toBe(200)
    expect(await from('203.0.113.99')).toBe(429)
    for (let at = documentByAddress; at < document; at++) {
      expect(await from(`203.0.113.${at}`)).toBe(200)
    }
    expect(await from('203.0.113.98')).toBe(429)
    const fresh = await app.aCustomer()
    await app.change('users', fresh.id, { emailConfirmedAt: null, phoneConfirmedAt: null })
    await expectCode(report(id, {}, fresh), 'too_many_requests')
    const known = await app.aCustomer()
    await app.change('users', known.id, { emailConfirmedAt: new Date() })
    await report(id, {}, known)
    expect(await caseOf(id)).toMatchObject({ count: document + 1 })
  })

  test('is refused from an address that has sent its share', async () => {
    const body = { reason: 'wrong', words: 'x' }
    const send = async () =>
      app.request('POST', `/api/documents/${await published()}/reports`, {
        headers: { 'x-forwarded-for': '198.51.100.77' },
        body,
      })
    for (let at = 0; at < REPORTS_A_DAY.address; at++) expect((await send()).status).toBe(200)
    expect((await send()).status).toBe(429)
  })

  test('is a matter of the document’s own teacher', async () => {
    const id = await published()
    await report(id)
    const params = { id }
    await expectCode(app.call(office.getOwnReports, { as: other, params }), 'document_not_found')
    const answer = { as: other, params, body: { answer: 'x' } }
    await expectCode(app.call(office.answerReports, answer), 'document_not_found')
    await expectCode(report(99_999_999), 'document_not_found')
  })
})
