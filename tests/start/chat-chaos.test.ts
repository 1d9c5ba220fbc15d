import { expect, test } from 'vitest'
import { chatChaos } from '../support/chat-chaos.ts'

// The whole of goal C1 is `node tests/chaos/chat.ts`.
test('a conversation loses nothing while sockets are cut and instances killed', async () => {
  const plan = { users: 20, messages: 20, kills: 2, seed: 7 }
  const report = await chatChaos({ ...plan, cuts: [200, 1500], pause: [20, 200] })
  expect(report).toMatchObject({ stored: 400, lost: 0, doubled: 0, disordered: 0, unstored: 0 })
  expect(report).toMatchObject({ kills: 2 })
  expect(report.cuts).toBeGreaterThan(0)
})
