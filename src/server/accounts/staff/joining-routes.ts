import * as contract from '../../../contract/office-joining.ts'
import { type Route, route } from '../../http/route.ts'
import { acceptJoinRequest, listJoinRequests, refuseJoinRequest } from './join-requests.ts'

/** How many requests are shown at once. */
const SHOWN = 50

/** The requests of teachers who want to join, which administrators decide. */
export const joiningRoutes: Route[] = [
  route(contract.listJoinRequests, async ({ deps }) => {
    const requests = await listJoinRequests(deps.database)
    return {
      requests: requests.slice(0, SHOWN).map(({ confirmedAt, ...request }) => ({
        ...request,
        confirmedAt: (confirmedAt ?? new Date(deps.now())).toISOString(),
      })),
      total: requests.length,
    }
  }),
  route(contract.acceptJoinRequest, async ({ input, user, deps }) => {
    await acceptJoinRequest(deps, { id: input.params.id, actor: user.actor })
  }),
  route(contract.refuseJoinRequest, async ({ input, user, deps }) => {
    const { reason } = input.body
    await refuseJoinRequest(deps, { id: input.params.id, actor: user.actor, reason })
  }),
]
