import { beforeAll, describe, expect, test } from 'vitest'
import { getDocument } from '../../../src/contract/catalogue.ts'
import * as office from '../../../src/contract/office-documents.ts'
import { type TestApp, testApp } from '../../support/app.ts'
import { callByCommand } from '../../support/operator.ts'
import { act, isForSale, read } from '../../support/own-documents.ts'
import { aDraft } from '../../support/published-documents.ts'
import { logOf } from '../../support/staff-log.ts'

let app: TestApp
let teacher: Awaited<ReturnType<TestApp['anOfficeTeacher']>>
let names: { matiereId: number; niveauId: number; categoryId: number }

beforeAll(async () => {
  app = await testApp()
  teacher = await app.anOfficeTeacher({ firstName: 'Leïla', lastName: 'Gharbi' })
  names = {
    matiereId: await app.aMatiere(),
    niveauId: await app.aClass(),
    categoryId: await app.aCategory(),
  }
  return app.stop
})

describe('the command line', () => {
  const call = (name: string, ...typed: string[]) => callByCommand(app, name, ...typed)

  test('lists, changes, reviews and unpublishes documents', async () => {
    const { id } = await aDraft(app, teacher, names, 'من سطر الأوامر')
    const own = [`id=${id}`, `--teacher=${teacher.teacherId}`]
    const revision = async () => (await call('getReview', `id=${id}`)).document.revision
    await act(app, teacher, office.submitOwnDocument, id)
    expect((await call('listReview')).content).toMatchObject([{ title: 'من سطر الأوامر' }])
    const why = ['reason=Short.', 'field=title']
    await call('returnReview', `id=${id}`, `revision=${await revision()}`, ...why)
    expect((await read(app, teacher, id)).document.returned).toMatchObject({
      reason: 'Short.',
      field: 'title',
    })
    await act(app, teacher, office.submitOwnDocument, id)
    await expect(call('acceptReview', `id=${id}`, 'revision=0')).rejects.toThrow()
    await call('acceptReview', `id=${id}`, `revision=${await revision()}`)
    expect(await isForSale(app, id)).toBe(true)
    const save = async (...typed: string[]) => {
      const { document } = await call('getOwnDocument', ...own)
      const { title, description, priceDiscount, type } = document
      const text = {
        revision: document.revision,
        title,
        description,
        priceDiscount,
        type,
        ...names,
      }
      const fields = Object.entries(text).map(([name, value]) => `${name}=${value}`)
      return call('saveOwnDocument', ...own, ...fields, ...typed)
    }
    await save('price=7.5', 'title=جديد')
    const [changed] = (await read(app, teacher, id)).history
    expect(changed).toMatchObject({ action: 'change price', amounts: { after: 7.5 } })
    await save('price=7.5', 'priceDiscount=5')
    await save('price=7.5', 'priceDiscount=null', 'description=Une phrase.')
    const [last, before] = (await read(app, teacher, id)).history
    expect([last?.action, last?.amounts]).toMatchObject([
      'change discount',
      { before: 5, after: null },
    ])
    expect(before?.amounts).toMatchObject({ before: null, after: 5 })
    expect(await app.call(getDocument, { params: { id } })).toMatchObject({
      price: 7.5,
      title: 'جديد',
    })
    await expect(save('price=900')).rejects.toThrow()
    await expect(save('price=7.5', 'owner=1')).rejects.toThrow(/owner/)
    const chosen = [`chosen.ids=${id}`, 'change.kind=unpublish']
    const change = await call('previewBulkChange', ...chosen)
    await call('applyBulkChange', `id=${change.id}`, 'reason=Copied.')
    expect(await isForSale(app, id)).toBe(false)
    const listed = await call('listAllDocuments', 'state=unpublished')
    expect(listed.content).toContainEqual(expect.objectContaining({ id }))
    const log = await logOf(app, `document ${id}`)
    expect(log).toContainEqual({
      actor: 'command line',
      action: 'document: unpublish',
      reason: 'Copied.',
    })
  })
})
