// @at-landing: it starts a shop several times.

import { expect, test } from 'vitest'
import { killWhilePaying } from '../chaos/money-kills.ts'
import { amount } from '../support/amount.ts'
import { fillDataDir } from '../support/filled-shop.ts'

const KILLS = amount('MONEY_KILLS', { usual: 2, long: 10 })

// For fifty kills: `node tests/chaos/money-kills.ts`.
test(`${KILLS} times kill -9 while customers pay: nothing acknowledged is lost or doubled`, async () => {
  const seed = Number(process.env.CHAOS_SEED ?? 1)
  const outcome = await killWhilePaying({ kills: KILLS, seed, fill: fillDataDir })
  expect(outcome, JSON.stringify(outcome)).toMatchObject({ lost: [], doubled: [], isSound: true })
  expect(outcome.acknowledged).toBeGreaterThan(4 * KILLS)
}, 600_000)
