import { expect, test } from 'vitest'
import { killWhilePaying } from '../chaos/money-kills.ts'
import { fillDataDir } from '../support/filled-shop.ts'

// Fifty kills: `node tests/chaos/money-kills.ts`.
test('five times kill -9 while customers pay: nothing acknowledged is lost, nothing doubled', async () => {
  const seed = Number(process.env.CHAOS_SEED ?? 1)
  const outcome = await killWhilePaying({ kills: 5, seed, fill: fillDataDir })
  expect(outcome, JSON.stringify(outcome)).toMatchObject({ lost: [], doubled: [], isSound: true })
  expect(outcome.acknowledged).toBeGreaterThan(20)
}, 600_000)
