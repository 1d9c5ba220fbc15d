import type { Act, Bounds } from '../../contract/office-acts.ts'
import * as acts from '../../contract/office-acts.ts'
import type { Millimes } from '../../rules/money.ts'
import { ACT_STATES, type BoundName } from '../../rules/two-people.ts'
import { ask } from './backend.ts'
import { createLoader } from './loader.ts'
import { choiceOf, createTable } from './table.ts'

/** Acts: those that wait for a second person, or those in another state. */
export const actTable = createTable({
  what: 'acts',
  filters: ['state'],
  load: ({ page, state }, signal) => {
    const query = {
      page,
      state: choiceOf('state', state, ACT_STATES).state ?? ('waiting' as const),
    }
    return ask(acts.listActs, { query }, { signal })
  },
})

/** Decides about an act that waits; `refresh` reloads the list that showed it. */
export async function decideAct(
  { id, key, refresh }: { id: number; key: string; refresh: () => void },
  { decision, reason }: { decision: 'confirm' | 'refuse' | 'withdraw'; reason: string },
): Promise<void> {
  const params = { id }
  try {
    if (decision === 'confirm') {
      await ask(acts.confirmAct, { params }, { idempotencyKey: key })
    } else if (decision === 'withdraw') await ask(acts.withdrawAct, { params })
    else await ask(acts.refuseAct, { params, body: { reason } })
  } finally {
    refresh()
  }
}

/** The acts about a customer that wait; none where they cannot be loaded. */
export async function waitingFor(userId: number): Promise<readonly Act[]> {
  const query = { state: 'waiting', userId } as const
  const found = await ask(acts.listActs, { query }).catch(() => null)
  return found?.content ?? []
}

const loader = createLoader<Bounds>('bounds')
export const $bounds = loader.$state
export const loadBounds = (): Promise<void> => loader.load(() => ask(acts.getBounds, {}))

/** Sets a bound; whether it waits for a second person. Throws an `ApiError`. */
export async function setBound(
  body: { name: BoundName; amount: Millimes; reason: string },
  key: string,
): Promise<boolean> {
  const { bounds, waits } = await ask(acts.setBound, { body }, { idempotencyKey: key })
  loader.show({ bounds })
  actTable.refresh()
  return waits !== null
}
