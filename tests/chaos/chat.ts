/**
 * Lets 200 users send 100 messages each over two instances, cuts each socket every 1 to 10 s, and kills and
 * replaces an instance 5 times: `node tests/chaos/chat.ts [seed]`. Exits with 1 if a message was lost, doubled
 * or out of order.
 */
import { chatChaos } from '../support/chat-chaos.ts'

const seed = Number(process.argv[2] ?? 1)
const report = await chatChaos({
  users: 200,
  messages: 100,
  kills: 5,
  cuts: [1000, 10_000],
  pause: [200, 1000],
  seed,
})
console.log({ seed, ...report })
const { stored, lost, doubled, disordered, unstored } = report
process.exit(stored === 20_000 && lost + doubled + disordered + unstored === 0 ? 0 : 1)
