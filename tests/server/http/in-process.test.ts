import { create } from 'superstruct'
import { describe, expect } from 'vitest'
import { createApi } from '../../../src/client/api.ts'
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
import { createRouter } from '../../../src/server/http/router.ts'
import { ROUTES } from '../../../src/server/routes.ts'
import { test } from '../../support/test.ts'

describe('the in-process API', () => {
  test('responds as over HTTP', async ({ app }) => {
    const api = createApi(app.app.api)
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
    const api = createApi(app.app.api)
    await expect(api(getDocument, { params: { id: 9 } })).rejects.toMatchObject({
      code: 'document_not_found',
    })
    await expect(api(listPurchased, {})).rejects.toMatchObject({ code: 'authentication_required' })
    const wrong = await app.app.api({ method: 'GET', path: '/documents/paginated?page=x' })
    expect(wrong).toMatchObject({ status: 400, body: { fields: { page: 'invalid' } } })
    const posted = await app.app.api({ method: 'POST', path: '/auth/login' })
    expect(posted.status).toBe(404)
  })

  test('logs an unexpected error and continues', async ({ app }) => {
    await app.deps.database.pool.query('DROP TABLE niveaux CASCADE')
    const answer = await app.app.api({ method: 'GET', path: '/niveaux' })
    expect(answer).toMatchObject({ status: 500, body: { error: 'server_error' } })
    expect(JSON.stringify(app.log.splice(0))).toContain('niveaux')
  })
})

describe('the router', () => {
  const router = createRouter(ROUTES)

  test.for([
    ['/documents/featured', '/documents/featured', {}],
    ['/documents/12', '/documents/:id', { id: '12' }],
    ['/carts/clear/anonymous/a%20b', '/carts/clear/anonymous/:sessionId', { sessionId: 'a b' }],
  ] as const)('finds %s', ([path, expected, params]) => {
    const method = path.startsWith('/carts') ? 'DELETE' : 'GET'
    const found = router.find(method, path)
    expect([found?.route.call.path, found?.params]).toEqual([expected, params])
  })

  test.for(['/', '', '/documents/', '/documents/%', '/documents/1/2/3/4', '//documents'])(
    'finds nothing at %j',
    (path) => {
      expect(router.find('GET', path)).toBeNull()
      expect(router.methods(path)).toEqual([])
    },
  )
})
