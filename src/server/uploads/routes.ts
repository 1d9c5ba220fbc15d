import * as contract from '../../contract/uploads.ts'
import { SECOND_MS } from '../../rules/durations.ts'
import type { Deps } from '../deps.ts'
import { type Route, route } from '../http/route.ts'
import { createRenderer } from '../library/library.ts'
import { type Finisher, openFinisher } from './finish.ts'
import { cancelUpload, openUpload, openUploadsOf, receivePart } from './receive.ts'
import { findUpload, presentUpload } from './rows.ts'

/** Uploads of staff, in parts, so that they survive a lost connection. */
export const uploadRoutes: Route[] = [
  route(contract.openUpload, async ({ input, user, deps, limits }) => {
    limits.bound('upload', user.id)
    return presentUpload(await openUpload(deps, { userId: user.id, ...input.body }))
  }),
  route(contract.listUploads, async ({ user, deps }) =>
    (await openUploadsOf(deps, user.id)).map(presentUpload),
  ),
  route(contract.getUpload, async ({ input, user, deps }) => {
    const of = { id: input.params.id, userId: user.id }
    return presentUpload(await findUpload(deps.database.kysely, of, deps.now()))
  }),
  route(contract.sendPart, async ({ input, user, deps }) => {
    const of = { id: input.params.id, userId: user.id }
    const part = { offset: input.query.offset, bytes: input.body }
    return presentUpload(await receivePart(deps, of, part))
  }),
  route(contract.finishUpload, async ({ input, user, deps }) => {
    const of = { id: input.params.id, userId: user.id }
    return presentUpload(await finisherOf(deps).finish(of))
  }),
  route(contract.cancelUpload, async ({ input, user, deps }) =>
    cancelUpload(deps, { id: input.params.id, userId: user.id }),
  ),
]

const finishers = new WeakMap<Deps, Finisher>()

/** One finisher per server; its thread ends by itself when idle. */
function finisherOf(deps: Deps): Finisher {
  const known = finishers.get(deps)
  if (known) return known
  const finisher = openFinisher(deps, createRenderer(CHECKS))
  finishers.set(deps, finisher)
  return finisher
}

/** A few checks may wait; the time limit of each is shorter than the client's. */
const CHECKS = { waiting: 20, patience: 15 * SECOND_MS, idle: 10 * SECOND_MS }
