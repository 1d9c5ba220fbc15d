// @at-landing: it registers a hundred accounts, each with a slow hash.
// @one-database: it measures the shop's work, not SQL.

import { expect, onTestFinished, test } from 'vitest'
import { register } from '../../../src/contract/accounts.ts'
import { testApp } from '../../support/app.ts'

const PAIRS = 50
/** Those before are of a shop that is not warm yet. */
const WARM = 5

const median = (values: readonly number[]) =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0

// The pairs take turns, so that what else the machine does meets both alike.
test('a registration takes as long with a known e-mail as with an unknown one', async () => {
  const app = await testApp()
  onTestFinished(app.stop)
  const known = await Promise.all(Array.from({ length: PAIRS }, () => app.aCustomer()))
  let count = 0
  async function time(email: string): Promise<number> {
    count++
    const begun = performance.now()
    await app.call(register, {
      body: {
        username: `user${count}`,
        firstName: 'Sami',
        lastName: 'Trabelsi',
        phone: String(57_000_000 + count),
        gender: 'male',
        email,
        password: 'karras-test',
        role: ['PARENT'],
      },
    })
    return performance.now() - begun
  }
  const pairs: { known: number; unknown: number }[] = []
  for (const [at, { email }] of known.entries()) {
    const isFirst = at % 2 === 0
    const first = await time(isFirst ? email : `new${at}@karras.test`)
    const second = await time(isFirst ? `new${at}@karras.test` : email)
    pairs.push(isFirst ? { known: first, unknown: second } : { known: second, unknown: first })
  }
  const warm = pairs.slice(WARM)
  const usual = median(warm.map(({ unknown }) => unknown))
  const difference = median(warm.map((pair) => pair.known - pair.unknown))
  expect(Math.abs(difference) / usual).toBeLessThan(0.25)
}, 120_000)
