import { Counter, Histogram, Registry } from 'prom-client'
import { noPages } from '../../rules/page-sources.ts'
import type { Metrics } from '../deps.ts'
import { GATEWAY_RESULTS } from '../gateways/gateways.ts'

/** In seconds: few, since each is a line for each route, method and class of statuses. */
const BUCKETS = [0.01, 0.05, 0.25, 1, 5]

/** Methods that are counted by name: clients may send any others. */
const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

export function createMetrics(): Metrics {
  const registry = new Registry()
  const requests = new Histogram({
    name: 'karras_http_request_duration_seconds',
    help: 'Time until the answer, by route (page: any page that was not in memory)',
    labelNames: ['route', 'method', 'status'],
    buckets: BUCKETS,
    registers: [registry],
  })
  const gateway = new Counter({
    name: 'karras_gateway_requests_total',
    help: 'Requests to the payment gateway by result',
    labelNames: ['result'],
    registers: [registry],
  })
  // An increase from 0 is one; from nothing it is not noticed.
  for (const result of GATEWAY_RESULTS) gateway.inc({ result }, 0)
  return {
    registry,
    pages: noPages(),
    onAnswer(route, method, status, seconds) {
      const labels = {
        route,
        method: METHODS.includes(method) ? method : 'other',
        status: `${Math.floor(status / 100)}xx`,
      }
      requests.observe(labels, seconds)
    },
    onGatewayResult: (result) => gateway.inc({ result }),
  }
}
