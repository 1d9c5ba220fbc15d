import { MOST_OPEN_TRANSFERS } from '../../../src/rules/payment-methods.ts'
import { mergeAccounts } from '../../../src/server/people/people.ts'
import * as rules from './model.ts'
import { count, START, type Step, type World } from './world.ts'

/** Actions on families with two accounts. */
export const FAMILIES = {
  /** Merges one customer's account into another's, and replaces it by a new customer. */
  async merge(world: World, { who, how }: Step) {
    const { app, model, people } = world
    const gone = who % people.length
    const stays = (gone + 1 + (how % (people.length - 1))) % people.length
    const [fromId, intoId] = [people[gone]?.id, people[stays]?.id]
    const [from, into] = [model.customers[gone], model.customers[stays]]
    if (!fromId || !intoId || !from || !into) throw new Error('there is nobody')
    // Together they may have more open than one may open: later steps rely on that limit.
    const open = [from, into].flatMap((one) => rules.openTransfers(model, one))
    if (open.length > MOST_OPEN_TRANSFERS) return
    if ([...from.owned.keys()].some((document) => into.owned.has(document))) {
      count(world, 'merge of what both own')
    }
    const said = { actor: 'test', reason: 'one family' }
    await mergeAccounts(app.deps, { fromId, intoId, ...said })
    rules.merge(model, from, into)
    people[gone] = await app.aCustomer({ balance: START })
    model.customers[gone] = { balance: START, owned: new Map() }
    count(world, 'merge')
  },
}
