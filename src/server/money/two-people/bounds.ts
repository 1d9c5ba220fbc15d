import type { Kysely } from 'kysely'
import type { Bounds } from '../../../contract/office-acts.ts'
import type { Millimes } from '../../../rules/money.ts'
import { BOUND_NAMES, type BoundName } from '../../../rules/two-people.ts'
import type { Schema } from '../../database/schema.ts'
import { lock } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { fault } from '../../http/errors.ts'
import { type Acting, act } from '../acting.ts'
import { changeWithin, readSetting } from '../settings.ts'
import { type Executors, propose } from './acts.ts'

export async function readBounds(db: Kysely<Schema>): Promise<Bounds['bounds']> {
  const bounds: Bounds['bounds'] = []
  for (const name of BOUND_NAMES) bounds.push({ name, value: await readSetting(db, name) })
  return bounds
}

/**
 * Lowers a bound at once, or proposes a higher one to a second. Returns the id of the act that waits,
 * or null. Throws `act_waits`.
 */
export function setBound(
  deps: Pick<Deps, 'database' | 'jobs' | 'now'>,
  { name, amount: value, reason }: { name: BoundName; amount: Millimes; reason: string },
  acting: Acting,
): Promise<number | null> {
  return act(deps, acting, async (tx) => {
    // The lock of `changeWithin`: of two at once, the second compares with what the first has set.
    await lock(tx, `setting ${name} null`)
    const from = await readSetting(tx, name)
    if (value > from) {
      return propose(tx, deps, acting, {
        kind: 'bound',
        subject: name,
        amount: value,
        reason,
        input: { name, from, to: value },
      })
    }
    await changeWithin(tx, deps.now, { name, value, actor: acting.actor, reason })
    return null
  })
}

/** Raises the bound as a second has confirmed, unless it was changed meanwhile. */
export function boundAct({ now }: Pick<Deps, 'now'>): Executors['bound'] {
  return async (tx, { input: { name, from, to }, reason, decider }) => {
    await lock(tx, `setting ${name} null`)
    if ((await readSetting(tx, name)) !== from) throw fault('act_changed')
    await changeWithin(tx, now, { name, value: to, actor: decider, reason })
    return undefined
  }
}
