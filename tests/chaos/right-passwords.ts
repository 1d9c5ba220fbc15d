import { RIGHT_PASSWORDS } from './attackers.ts'
import { printComparison, type Trial, whileAttacked } from './customers.ts'

// Manual runs: `node tests/chaos/right-passwords.ts [seconds] [directory of another checkout]`.

/** One address logs in to accounts of its own, with right passwords, as fast as it can. */
export function floodRightPasswords(trial: Trial) {
  return whileAttacked(RIGHT_PASSWORDS, trial, { after: async () => {} })
}

if (import.meta.main) {
  const [seconds = '10', root] = process.argv.slice(2)
  printComparison(
    await floodRightPasswords({ seconds: Number(seconds), ...(root !== undefined && { root }) }),
  )
}
