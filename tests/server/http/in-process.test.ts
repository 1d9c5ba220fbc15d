import { create } from 'superstruct'
import { describe, expect } from 'vitest'
import type { AnyCall, Input } from '../../../src/contract/call.ts'
import {
  getDocument,
  listDocuments,
  listTeachers,
  searchDocuments,
} from '../../../src/contract/catalogue.ts'
import { listPurchased } from '../../../src/contract/library.ts'
import { listCategories, listClasses, listMatieres } from '../../../src/contract/references.ts'
import { encode } from '../../../src/contract/values.ts'
import { dinars } from '../../../src/rules/money.ts'
import { apiOfPages } from '../../../src/server/http/in-process.ts'
import { ROUTES } from '../../../src/server/routes.ts'
import { test } from '../../support/test.ts'

describe('the in-process API', () => {
  test('responds as over HTTP', async ({ app }) => {
    const api = apiOfPages(ROUTES, app.deps, () => {})
    const { id } = await app.aDocument({ title: 'الكسور والأعداد' })
    const query = { title: 'كسور', size: 5 }
    const asOverHttp = async <C extends AnyCall>(call: C, input: Input<C> & object) => {
      const result = await api(call, input)
      // Pages get the same values as by parsing the response.
      expect(result).toEqual(create(encode(call.result, result), call.result))
      expect(JSON.parse(JSON.stringify(encode(call.result, result)))).toEqual(
        await app.call(call, input),
      )
      return result
    }
    const document = await asOverHttp(getDocument, { params: { id } })
    expect(document).toMatchObject({ id, price: dinars(5) })
    expect((await asOverHttp(searchDocuments, { query })).content).toEqual([document])
    expect(await asOverHttp(listDocuments, {})).toEqual([document])
    for (const call of [listTeachers, listMatieres, listCategories, listClasses]) {
      expect(await asOverHttp(call, {})).toHaveLength(1)
    }
  })

  test('refuses as over HTTP', async ({ app }) => {
    const api = apiOfPages(ROUTES, app.deps, () => {})
    await expect(api(getDocument, { params: { id: 9 } })).rejects.toMatchObject({
      code: 'document_not_found',
    })
    await expect(api(listPurchased, {})).rejects.toMatchObject({ code: 'authentication_required' })
    const wrong = api(searchDocuments, { query: { page: -1 } })
    await expect(wrong).rejects.toMatchObject({ status: 400, fields: { page: 'min' } })
  })

  test('logs an unexpected error and continues', async ({ app }) => {
    await app.deps.database.pool.query('DROP TABLE niveaux CASCADE')
    const errors: unknown[] = []
    const api = apiOfPages(ROUTES, app.deps, (error) => errors.push(error))
    await expect(api(listClasses, {})).rejects.toMatchObject({ status: 500, code: 'server_error' })
    expect(String(errors)).toContain('niveaux')
  })
})
