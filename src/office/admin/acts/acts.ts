import type { Act } from '../../../contract/office-acts.ts'
import * as acts from '../../../contract/office-acts.ts'
import type { Millimes } from '../../../rules/money.ts'
import { ACT_STATES, type BoundName } from '../../../rules/two-people.ts'
import { ask } from '../../kit/backend.ts'
import { resource } from '../../kit/loader.ts'
import { tableOf } from '../../kit/tables/table.ts'

/** Acts: those that wait for a second person, or those in another state. */
export const actTable = tableOf(acts.listActs, {
  filters: {
    state: (value) => ({ state: ACT_STATES.find((each) => each === value) ?? 'waiting' }),
  },
})

/** Decides about an act that waits; `refresh` reloads the list that showed it. */
export async function decideAct(
  { id, key, refresh }: { id: number; key: string; refresh: () => void },
  { decision, reason }: { decision: 'confirm' | 'refuse' | 'withdraw'; reason: string },
): Promise<void> {
  const params = { id }
  const calls = {
    confirm: () => ask(acts.confirmAct, { params }, { idempotencyKey: key }),
    refuse: () => ask(acts.refuseAct, { params, body: { reason } }),
    withdraw: () => ask(acts.withdrawAct, { params }),
  }
  await calls[decision]().finally(refresh)
}

/** The acts about a customer that wait; none where they cannot be loaded. */
export async function waitingFor(userId: number): Promise<readonly Act[]> {
  const query = { state: 'waiting', userId } as const
  const found = await ask(acts.listActs, { query }).catch(() => null)
  return found?.content ?? []
}

export const bounds = resource(acts.getBounds)

/** Sets a bound, once for each `key`. Throws an `ApiError`. */
export async function setBound(
  body: { name: BoundName; amount: Millimes; reason: string },
  key: string,
): Promise<{ waits: number | null }> {
  const { waits, ...changed } = await ask(acts.setBound, { body }, { idempotencyKey: key })
  bounds.show(changed)
  actTable.refresh()
  return { waits }
}
