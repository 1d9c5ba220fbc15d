import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { getDocument } from '../../../src/contract/catalogue.ts'
import * as contractOfDocuments from '../../../src/contract/office-documents.ts'
import * as joining from '../../../src/contract/office-joining.ts'
import * as review from '../../../src/contract/office-review.ts'
import { dinars } from '../../../src/rules/money.ts'
import { aSubmitted, asks } from '../../support/admin/review.ts'
import { aPdf } from '../../support/pdf.ts'
import type { Person } from '../../support/people.ts'
import { expectCode, refused } from '../../support/refusals.ts'
import { sharedApp } from '../../support/test.ts'
import { upload } from '../../support/uploads.ts'
import { addressOf } from '../http/samples.ts'

const app = await sharedApp({ env: { SITE_URL: 'http://127.0.0.1:4321' } })
const teacher = await app.anOfficeTeacher({ firstName: 'Leïla', lastName: 'Gharbi' })
const salma = await app.anOfficeAdministrator({ firstName: 'Salma', lastName: 'Zouari' })
const mehdi = await app.anOfficeAdministrator({ firstName: 'Mehdi', lastName: 'Ayari' })

/** A published document with a new version of its file under review. */
async function aNewVersion(title: string) {
  const { id } = await app.aDocument({ title, teacherId: teacher.teacherId, price: dinars(5) })
  await setFile(id, title)
  return id
}

async function setFile(id: number, text: string) {
  const { id: uploadId } = await upload(app, teacher, aPdf(text, 2))
  const body = { uploadId, note: 'Page 2.' }
  const input = { as: teacher, params: { id }, body }
  await app.call(contractOfDocuments.setDocumentFile, input)
}

const readReview = (id: number, as = salma) => app.call(review.getReview, { as, params: { id } })
const accept = (id: number, revision: number, as = salma) =>
  app.call(review.acceptReview, { as, params: { id }, body: { revision } })
const returnToTeacher = (id: number, revision: number, as = salma) =>
  app.call(review.returnReview, {
    as,
    params: { id },
    body: { revision, reason: 'Say the class.', field: 'title' },
  })
const list = async (query = {}) => {
  const { content } = await app.call(review.listReview, { as: salma, query })
  return content.map(({ id, what }) => [id, what])
}

describe('the review', () => {
  test('lists pending submissions, oldest first, searches them, and links to the next one', async () => {
    const first = await aSubmitted(app, teacher, 'الكسور العشرية')
    const second = await aNewVersion('Les fractions')
    expect(await list()).toEqual([
      [first, 'document'],
      [second, 'version'],
    ])
    expect(await list({ q: 'كسور' })).toEqual([[first, 'document']])
    expect(await list({ what: 'version' })).toEqual([[second, 'version']])

    const { document, ...shown } = await readReview(second)
    expect(shown).toMatchObject({ what: 'version', current: 1, proposed: 2, sameFile: [] })
    expect(shown.versions[0]).toMatchObject({ number: 2, state: 'submitted', note: 'Page 2.' })
    expect(shown.history[0]).toMatchObject({ action: 'submit version', who: 'Leïla Gharbi' })
    expect(await accept(second, document.revision)).toEqual({ next: first, left: 1 })
    expect(await readReview(second)).toMatchObject({ what: null, proposed: 2, current: null })
    expect((await readReview(second)).history[0]).toMatchObject({ who: 'Salma Zouari' })

    const { revision } = (await readReview(first)).document
    expect(await returnToTeacher(first, revision)).toEqual({ next: null, left: 0 })
    const own = await app.call(contractOfDocuments.getOwnDocument, {
      as: teacher,
      params: { id: first },
    })
    expect(own.document).toMatchObject({
      state: 'returned',
      returned: { field: 'title', reason: 'Say the class.' },
    })
    // The teacher is not told which administrator it was.
    expect(JSON.stringify(own)).not.toContain('Salma')
    expect(await list()).toEqual([])
  })

  test('is decided once: the second is told who was first, by name, and when', async () => {
    const id = await aSubmitted(app, teacher, 'Deux à la fois')
    const { revision } = (await readReview(id)).document
    const outcomes = await Promise.allSettled([
      accept(id, revision),
      returnToTeacher(id, revision, mehdi),
    ])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const first = outcomes[0]?.status === 'fulfilled' ? 'Salma Zouari' : 'Mehdi Ayari'
    for (const late of [() => accept(id, revision, mehdi), () => returnToTeacher(id, revision)]) {
      expect(await refused(late())).toMatchObject({ code: 'done_before', done: { by: first } })
    }
    const { rows } = await sql`
      SELECT action FROM staff_log WHERE subject_kind = 'document' AND subject_id = ${id} AND actor <> 'command line'
        AND action IN ('document: publish', 'document: return')`.execute(app.kysely)
    expect(rows).toHaveLength(1)
  })

  test('applies to the revision that was shown, and to nothing that its teacher withdrew', async () => {
    const id = await aNewVersion('Changé entre-temps')
    const { revision } = (await readReview(id)).document
    await setFile(id, 'another')
    await expectCode(accept(id, revision), 'review_changed')
    await app.call(contractOfDocuments.withdrawOwnDocument, { as: teacher, params: { id } })
    await expectCode(accept(id, revision), 'review_not_waiting')
    await expectCode(accept(999_999, 1), 'document_not_found')
    for (const bad of [{ reason: '' }, { reason: 'x'.repeat(1001) }, { field: 'teacher' }]) {
      const body = { revision, reason: 'Why.', field: null, ...bad }
      const path = `/api/office/admin/review/${id}/return`
      expect((await app.request('POST', path, { as: salma, body })).status).toBe(400)
    }
  })

  test('shows the old and new pages to administrators while they are administrators, and to nobody else', async () => {
    const id = await aNewVersion('Pages')
    const twin = await app.aDocument({ title: 'Twin', file: new Uint8Array(aPdf('Pages', 2)) })
    expect((await readReview(id)).sameFile).toMatchObject([{ id: twin.id, title: 'Twin' }])
    const pathOf = async (version: number, as: Person) => {
      const address = addressOf(review.previewReview, { params: { id }, query: { version } })
      return await app.request('GET', address, { as })
    }
    const { body } = await pathOf(2, mehdi)
    const page = () => app.request('GET', `/api${body}/1.webp`)
    expect((await page()).status).toBe(200)
    expect((await pathOf(9, mehdi)).status).toBe(404)
    expect((await pathOf(2, teacher)).status).toBe(403)
    const block = (blockedAt: Date | null) => app.change('users', mehdi.id, { blockedAt })
    await block(new Date())
    expect((await page()).status).toBe(403)
    await block(null)
    await accept(id, (await readReview(id)).document.revision)
    expect((await app.request('GET', addressOf(getDocument, { params: { id } }))).status).toBe(200)
  })
})

describe('teachers who apply to join', () => {
  const take = (id: number, as = salma) =>
    app.call(joining.acceptJoinRequest, { as, params: { id } })
  const refuse = (id: number, as = salma) =>
    app.call(joining.refuseJoinRequest, { as, params: { id }, body: { reason: 'Complet.' } })

  test('are accepted or refused once, by mail; the second administrator learns who was first', async () => {
    const [one, other] = [await asks(app, 'one@karras.test'), await asks(app, 'other@karras.test')]
    const { requests } = await app.call(joining.listJoinRequests, { as: mehdi })
    expect(requests.map(({ id }) => id)).toEqual([one, other])
    const outcomes = await Promise.allSettled([take(one, salma), take(one, mehdi)])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    await expectCode(refuse(one), 'done_before')
    await refuse(other, mehdi)
    expect(await refused(take(other))).toMatchObject({
      code: 'done_before',
      done: { by: 'Mehdi Ayari' },
    })
    const mails = await app.mails()
    const mailsTo = (email: string) => mails.filter(({ headers }) => headers.includes(email))
    expect(mailsTo('one@karras.test')).toHaveLength(1)
    expect(mailsTo('other@karras.test')[0]?.parts['text/plain']).toContain('Complet.')
    await expectCode(take(999_999), 'join_request_not_found')
    expect((await app.call(joining.listJoinRequests, { as: salma })).total).toBe(0)
  })

  test('with a customer’s address are marked as such, and stay pending', async () => {
    const customer = await app.aCustomer()
    const id = await asks(app, customer.email)
    await expectCode(take(id), 'email_of_other_role')
    expect((await app.call(joining.listJoinRequests, { as: salma })).total).toBe(1)
    await refuse(id)
  })
})
