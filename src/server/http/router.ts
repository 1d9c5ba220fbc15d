import findMyWay from 'find-my-way'
import type { AnyCall } from '../../contract/call.ts'
import type { Route } from './route.ts'

/** A route found for an address, with the address's parameters (decoded). */
export interface Match {
  readonly route: Route
  readonly params: Readonly<Record<string, string | undefined>>
}

export interface Router {
  /** The route for a method and a path below /api without a query; null when there is none. */
  find(method: AnyCall['method'], path: string): Match | null
  /** The methods that this path takes. */
  methods(path: string): AnyCall['method'][]
}

/**
 * Finds routes without a server, by the same router as Fastify's: for pages rendered in this process,
 * and for 405.
 */
export function createRouter(routes: readonly Route[]): Router {
  const router = findMyWay()
  for (const route of routes) router.on(route.call.method, route.call.path, () => {}, route)
  const methods = [...new Set(routes.map(({ call }) => call.method))]

  const find: Router['find'] = (method, path) => {
    const found = router.find(method, path)
    // `/documents/` is the address of no document, although the router finds an empty id there.
    if (!found || Object.values(found.params).includes('')) return null
    return { route: found.store as Route, params: found.params }
  }
  return { find, methods: (path) => methods.filter((method) => find(method, path) !== null) }
}
