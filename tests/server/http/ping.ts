import { type AnyCall, defineCall } from '../../../src/contract/call.ts'
import { nothing } from '../../../src/contract/values.ts'
import { type Handler, route } from '../../../src/server/http/route.ts'

/** A call that only these tests define. */
const ping = defineCall('GET /ping', 'anyone', { result: nothing() })

/** The routes of a server that answers `GET /api/ping` with `handler`, and nothing else. */
export const pong = (handler: Handler<AnyCall>) => [route(ping, handler)]
