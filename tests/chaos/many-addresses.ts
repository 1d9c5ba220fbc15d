import type { ShopProcess } from '../support/shop-process.ts'
import { MANY_ADDRESSES } from './attackers.ts'
import { logInCall } from './calls.ts'
import { printComparison, type Trial, whileAttacked } from './customers.ts'

// Manual runs: `node tests/chaos/many-addresses.ts [seconds] [directory of another checkout]`. It prints how many
// addresses have logged in: a thousand as fast as passwords are checked, the others as fast as calls are refused.

/** The account whose password is guessed. */
const VICTIM = 'parent@karras.test'

/**
 * Guesses the password of an account until it is closed; then has as many addresses of one IPv6 /48
 * log in to others as possible, and guesses again. `after` is how many guesses were answered then,
 * which should be none.
 */
export async function floodFromManyAddresses(trial: Trial) {
  let before = 0
  const outcome = await whileAttacked(MANY_ADDRESSES, trial, {
    before: async (shop) => {
      before = await guess(shop, 12)
    },
    after: (shop) => guess(shop, 12),
  })
  return { ...outcome, before }
}

/**
 * Guesses ten times from each of so many addresses, a different network each; resolves to how many
 * guesses were answered.
 */
async function guess({ url }: ShopProcess, addresses: number): Promise<number> {
  let answered = 0
  for (let guessed = 0; guessed < addresses * 10; guessed++) {
    const { path, ...call } = logInCall(VICTIM, 'wrong')
    const address = `192.0.2.${guessed % addresses}`
    const headers = { ...call.headers, 'x-forwarded-for': address }
    const { status } = await fetch(url + path, { ...call, headers })
    if (status === 401) answered++
  }
  return answered
}

if (import.meta.main) {
  const [seconds = '70', root] = process.argv.slice(2)
  const outcome = await floodFromManyAddresses({
    seconds: Number(seconds),
    ...(root !== undefined && { root }),
  })
  printComparison(outcome)
  console.log(`guesses answered before: ${outcome.before}, after: ${outcome.after}`)
}
