import type { AnyCall } from '../../contract/call.ts'
import type { Route } from './route.ts'

/** A path's segments; a name for `:name`. */
type Segment = { readonly literal: string } | { readonly name: string }

/** A route found for an address, with the address's parameters (decoded). */
export interface Match {
  readonly route: Route
  readonly params: Readonly<Record<string, string>>
}

export interface Router {
  /** The route for a method and a path below /api without a query; null when there is none. */
  find(method: string, path: string): Match | null
  /** The methods that this path takes. */
  methods(path: string): AnyCall['method'][]
}

/** Finds routes without a server: for pages rendered in this process, and for 405. */
export function createRouter(routes: readonly Route[]): Router {
  // Literal segments win over parameters, as in the server's own router.
  const known = routes
    .map((route) => ({ route, segments: parse(route.call.path) }))
    .sort((a, b) => names(a.segments) - names(b.segments))

  return {
    find(method, path) {
      for (const { route, segments } of known) {
        if (route.call.method !== method) continue
        const params = match(segments, path)
        if (params) return { route, params }
      }
      return null
    },
    methods(path) {
      const matching = known.filter(({ segments }) => match(segments, path) !== null)
      return [...new Set(matching.map(({ route }) => route.call.method))]
    },
  }
}

function parse(path: string): Segment[] {
  return path
    .slice(1)
    .split('/')
    .map((part) => (part.startsWith(':') ? { name: part.slice(1) } : { literal: part }))
}

function names(segments: readonly Segment[]): number {
  return segments.filter((segment) => 'name' in segment).length
}

function match(segments: readonly Segment[], path: string): Record<string, string> | null {
  const parts = path.slice(1).split('/')
  if (parts.length !== segments.length) return null
  const params: Record<string, string> = {}
  for (const [index, segment] of segments.entries()) {
    const part = parts[index] ?? ''
    if ('literal' in segment) {
      if (segment.literal !== part) return null
    } else {
      const value = decode(part)
      if (!value) return null
      params[segment.name] = value
    }
  }
  return params
}

function decode(part: string): string | null {
  try {
    return decodeURIComponent(part)
  } catch {
    return null
  }
}
