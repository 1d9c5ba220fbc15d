// @one-database: it is about frames.
// @at-landing: 1500 generated frames.

import { expect, test } from 'vitest'
import { amount } from '../../support/amount.ts'
import { testApp } from '../../support/app.ts'
import { aConversation, rawSocket, sendChat, socketUrl } from '../../support/chat.ts'
import { floodFrames } from '../../support/chat-fuzz.ts'

const FRAMES = amount('CHAT_FRAMES', { usual: 1500, long: 5000 })

test(`${FRAMES} random and mutated frames crash nothing, and reveal no other user’s messages`, async () => {
  const app = await testApp()
  const seed = 20_261_121
  const { sessions, answers, misdelivered, faults } = await floodFrames(app.deps, app, {
    frames: FRAMES,
    seed,
  })
  expect(misdelivered).toEqual([])
  expect(faults).toEqual([])
  // The frames had an effect: some ended sessions, some delivered messages.
  expect(sessions).toBeGreaterThan(FRAMES / 20)
  expect(answers.ERROR).toBeGreaterThan(sessions / 2)
  expect(answers.MESSAGE).toBeGreaterThan(0)
})

test('random bytes over real connections leave the server responsive', async () => {
  const app = await testApp()
  const { customer, admin } = await aConversation(app)
  for (let n = 0; n < 100; n++) {
    const raw = await rawSocket(socketUrl(app.url, customer.token))
    const bytes = crypto.getRandomValues(new Uint8Array(1 + ((n * 37) % 400)))
    // Sometimes not even a WebSocket's frames.
    if (n % 4 === 0) Object(raw.socket)._socket.write(bytes)
    else raw.socket.send(bytes)
    raw.socket.close()
    await raw.closed
  }
  expect((await sendChat(app, customer, admin, 'still here')).content).toBe('still here')
  await expect.poll(() => app.app.sockets.count()).toBe(0)
})
