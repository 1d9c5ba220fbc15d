import findMyWay from 'find-my-way'
import type { AnyCall } from '../../contract/call.ts'
import type { Route } from './route.ts'

/**
 * Finds routes without a server, with the same router as Fastify: for pages rendered in this
 * process, and for answers with 405.
 */
export function createRouter(routes: readonly Route[]) {
  const router = findMyWay()
  for (const route of routes) router.on(route.call.method, route.call.path, () => {}, route)
  const methods = [...new Set(routes.map(({ call }) => call.method))]

  /** The route for a method and a path below /api without a query; null if there is none. */
  const find = (method: AnyCall['method'], path: string) => {
    const found = router.find(method, path)
    // `/documents/` names no document, although the router finds an empty id in it.
    if (!found || Object.values(found.params).includes('')) return null
    return { route: found.store as Route, params: found.params }
  }
  return {
    find,
    /** The methods of this path. */
    methods: (path: string) => methods.filter((method) => find(method, path) !== null),
  }
}
