// @one-database: what is compared is stored by a plain index that every version of PostgreSQL has
import { describe, expect, vi } from 'vitest'
import { listAlikeDrafts } from '../../../src/contract/office-documents.ts'
import { signFiles } from '../../../src/server/library/library.ts'
import type { TestApp } from '../../support/app.ts'
import { examPdf } from '../../support/exam-pdf.ts'
import { anExam, COPIES } from '../../support/exams.ts'
import { attachUpload, create } from '../../support/own-documents.ts'
import type { Person } from '../../support/people.ts'
import { alteredPage, signedBook, somePages } from '../../support/signed-books.ts'
import { test } from '../../support/test.ts'

type Teacher = Person & { teacherId: number }

const ask = (app: TestApp, as: Teacher) => app.call(listAlikeDrafts, { as })

async function teachers(app: TestApp) {
  return {
    author: await app.anOfficeTeacher({ firstName: 'Leïla', lastName: 'Gharbi' }),
    copier: await app.anOfficeTeacher({ firstName: 'Sami', lastName: 'Trabelsi' }),
  }
}

/** A draft of a teacher with this file, as the office begins it. */
async function aDraft(app: TestApp, as: Teacher, file: Buffer) {
  const { id } = await create(app, as)
  await attachUpload(app, as, id, file)
  return id
}

/** Asks until every draft is compared. */
async function compared(app: TestApp, as: Teacher) {
  for (;;) {
    const found = await ask(app, as)
    if (found.waiting === 0) return new Map(found.drafts.map((each) => [each.document, each.alike]))
    await signFiles(app.deps)
  }
}

describe('what a teacher’s drafts are like', () => {
  test('is said of what others sell, as soon as the bytes or the pages are known', async ({
    app,
  }) => {
    const { author, copier } = await teachers(app)
    const exam = anExam(1)
    const sold = await app.aDocument({
      ...{ teacherId: author.teacherId, title: 'Devoir de synthèse' },
      ...{ file: examPdf(exam), pages: exam.pages.length },
    })
    await signFiles(app.deps)
    const same = await aDraft(app, copier, examPdf(exam))
    const of = { id: sold.id, title: 'Devoir de synthèse', teacher: 'Leïla Gharbi' }
    // Before its pages are read.
    expect(await ask(app, copier)).toEqual({
      drafts: [{ document: same, alike: [{ ...of, percent: 100 }] }],
      waiting: 1,
    })
    const copy = Object.values(COPIES).reduce((made, each) => each(made), exam)
    const changed = await aDraft(app, copier, examPdf(copy))
    const other = await aDraft(app, copier, examPdf(anExam(3)))
    const found = await compared(app, copier)
    expect(found.get(same)?.[0]).toEqual({ ...of, percent: 100 })
    const [like] = found.get(changed)?.filter(({ id }) => id === sold.id) ?? []
    expect(like).toMatchObject(of)
    expect(like?.percent).toBeGreaterThanOrEqual(30)
    expect(like?.percent).toBeLessThan(100)
    expect(found.get(other)).toBeUndefined()
    // Nor does its seller learn of the drafts.
    expect(await ask(app, author)).toEqual({ drafts: [], waiting: 0 })
  })

  test('is said of both drafts of one batch, and of no draft of another teacher', async ({
    app,
  }) => {
    const { author, copier } = await teachers(app)
    const pages = somePages(3)
    const one = await signedBook(app, { teacherId: copier.teacherId, pages, state: 'draft' })
    const other = { teacherId: copier.teacherId, pages: pages.map(alteredPage) }
    const second = await signedBook(app, { ...other, state: 'draft' })
    for (const state of ['draft', 'accepted'] as const) {
      await signedBook(app, { teacherId: author.teacherId, pages, state })
    }
    const found = await compared(app, copier)
    const toldOf = (id: number) => found.get(id)?.map((each) => [each.id, each.teacher])
    expect(toldOf(one)).toEqual([[second, null]])
    expect(toldOf(second)).toEqual([[one, null]])
  })

  test('is compared once for each file, three at a time, however often it is asked', async ({
    app,
  }) => {
    const { copier } = await teachers(app)
    for (let at = 0; at < 5; at++) {
      await signedBook(app, { teacherId: copier.teacherId, pages: somePages(2), state: 'draft' })
    }
    const work = vi.spyOn(app.deps.workers, 'run')
    expect(await ask(app, copier)).toEqual({ drafts: [], waiting: 2 })
    expect(work).toHaveBeenCalledTimes(3)
    const both = await Promise.all([ask(app, copier), ask(app, copier)])
    for (const { drafts } of both) expect(drafts).toEqual([])
    expect(await ask(app, copier)).toEqual({ drafts: [], waiting: 0 })
    expect(work).toHaveBeenCalledTimes(5)
  })
})
