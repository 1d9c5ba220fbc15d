import { beforeAll, describe, expect, test } from 'vitest'
import { getDocument } from '../../src/contract/catalogue.ts'
import * as office from '../../src/contract/office-documents.ts'
import { runOffice } from '../../src/server/office/run.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { act, isForSale, read } from '../support/own-documents.ts'
import { aDraft } from '../support/published-documents.ts'

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
  async function run(...typed: string[]) {
    let out = ''
    let err = ''
    const env = {
      DATA_DIR: app.deps.config.dataDir,
      DATABASE_URL: app.databaseUrl,
      JWT_SECRET: 's'.repeat(32),
    }
    const exit = await runOffice(typed, env, {
      out: (line) => (out += `${line}\n`),
      err: (line) => (err += `${line}\n`),
    })
    return { exit, out, err }
  }

  test('lists, changes, reviews and unpublishes documents', async () => {
    const { id } = await aDraft(app, teacher, names, 'من سطر الأوامر')
    await act(app, teacher, office.submitOwnDocument, id)
    expect((await run('review')).out).toContain('من سطر الأوامر')
    expect(await run('review', String(id), 'return')).toMatchObject({ exit: 2 })
    expect(
      await run('review', String(id), 'return', '--reason', 'Short.', '--field', 'title'),
    ).toMatchObject({ exit: 0, err: '' })
    expect((await read(app, teacher, id)).document.returned).toMatchObject({
      reason: 'Short.',
      field: 'title',
    })
    expect(await run('review', String(id), 'accept')).toMatchObject({ exit: 1 })
    await act(app, teacher, office.submitOwnDocument, id)
    expect(await run('review', String(id), 'accept')).toMatchObject({ exit: 0, err: '' })
    expect(await isForSale(app, id)).toBe(true)
    expect(await run('document', String(id), 'set', 'price=7.5', 'title=جديد')).toMatchObject({
      exit: 0,
    })
    const [changed] = (await read(app, teacher, id)).history
    expect(changed).toMatchObject({ action: 'change price', amounts: { after: 7.5 } })
    expect((await run('document', String(id))).out).toMatch(
      / {2}change price {2}\d+\.\d\d TND -> 7\.50 TND {2}command line/,
    )
    await run('document', String(id), 'set', 'discount=5')
    await run('document', String(id), 'set', 'discount=none', 'description=Une phrase.')
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
    expect(await run('document', String(id), 'set', 'price=900')).toMatchObject({ exit: 1 })
    expect(await run('document', String(id), 'set', 'owner=1')).toMatchObject({ exit: 2 })
    expect(await run('unpublish', String(id))).toMatchObject({ exit: 2 })
    expect(await run('unpublish', String(id), '--reason', 'Copied.')).toMatchObject({ exit: 0 })
    expect(await isForSale(app, id)).toBe(false)
    const listed = await run('documents', '--state', 'unpublished', '--json')
    expect(JSON.parse(listed.out).documents).toContainEqual(expect.objectContaining({ id }))
    const log = await app.deps.database.kysely
      .selectFrom('staffLog')
      .select(['actor', 'action', 'reason'])
      .where('subject', '=', `document ${id}`)
      .execute()
    expect(log).toContainEqual({
      actor: 'command line',
      action: 'document: unpublish',
      reason: 'Copied.',
    })
  })
})
