import * as calls from '../../contract/office-stamp.ts'
import type { Deps } from '../deps.ts'
import { type Route, route } from '../http/route.ts'
import { settingHistory } from '../money/money.ts'
import { actorNames } from '../staff-log/staff-log.ts'
import { listUndrawn, retryUndrawn } from './samples/undrawn.ts'
import { isStamping, switchStamping } from './stamps/switch.ts'
import { listUnstamped, retryUnstamped } from './stamps/unstamped.ts'

/** The switch of the stamp, and the files that could not be stamped or drawn. */
export const stampRoutes: Route[] = [
  route(calls.getStamp, ({ deps }) => readStamp(deps)),

  route(calls.setStamp, async ({ input: { body }, user, deps }) => {
    await switchStamping(deps, { ...body, actor: user.actor })
    return readStamp(deps)
  }),

  route(calls.retryFiles, async ({ input: { body }, deps }) => {
    const { kysely } = deps.database
    if (body.what === 'unstamped') await retryUnstamped(kysely)
    else await retryUndrawn(kysely, deps.now())
    return readStamp(deps)
  }),
]

async function readStamp(deps: Deps): Promise<calls.Stamp> {
  const { kysely } = deps.database
  const isOn = await isStamping(deps)
  const [last] = await settingHistory(kysely, 'stamp')
  const names = await actorNames(kysely, last ? [last.actor] : [])
  const unstamped = await listUnstamped(kysely)
  const undrawn = await listUndrawn(kysely)
  return {
    isOn,
    changed: last
      ? { by: names.get(last.actor) ?? last.actor, at: last.setAt.toISOString() }
      : null,
    seen: last?.id ?? null,
    unstamped: {
      total: unstamped.length,
      newest: unstamped
        .slice(0, calls.TROUBLES_SHOWN)
        .map(({ documentId, title, teacher, reason, notedAt }) => {
          return { documentId, title, teacher, reason, at: notedAt.toISOString() }
        }),
    },
    undrawn: {
      total: undrawn.length,
      newest: undrawn
        .slice(0, calls.TROUBLES_SHOWN)
        .map(({ documentId, title, teacher, failedAt, isDue }) => {
          return { documentId, title, teacher, at: failedAt.toISOString(), isTriedAgain: isDue }
        }),
    },
  }
}
