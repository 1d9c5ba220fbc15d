// @at-landing: users chat for half a minute while instances are killed.

import { expect, test } from 'vitest'
import { amount } from '../support/amount.ts'
import { chatChaos } from '../support/chat-chaos.ts'

const USERS = amount('CHAT_USERS', { usual: 12, long: 20 })
const MESSAGES = 20

// For more users, and for longer: `node tests/chaos/chat.ts`.
test('a conversation loses nothing while sockets are cut and instances killed', async () => {
  const plan = { users: USERS, messages: MESSAGES, kills: 2, seed: 7 }
  const report = await chatChaos({ ...plan, cuts: [200, 1500], pause: [20, 200] })
  expect(report).toMatchObject({ stored: USERS * MESSAGES, lost: 0, doubled: 0 })
  expect(report).toMatchObject({ disordered: 0, unstored: 0 })
  expect(report).toMatchObject({ kills: 2 })
  expect(report.cuts).toBeGreaterThan(0)
})
