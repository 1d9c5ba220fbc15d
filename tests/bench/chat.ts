/**
 * Measures the memory that 1 000 idle live connections cost, and how long after the sender's answer a
 * message reaches its receiver on another instance, at 300 messages a second:
 * `node tests/bench/chat.ts [seconds] [messages a second]`.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { roomTopic } from '../../src/contract/chat.ts'
import { ensureRoom } from '../../src/server/chat/rooms.ts'
import { socketUrl } from '../support/chat-client.ts'
import { openCluster } from '../support/chat-cluster.ts'
import type { Person } from '../support/people.ts'
import { percentile } from '../support/quantiles.ts'

const SOCKETS = 1000
const PAIRS = 30
const [seconds = 20, rate = 300] = process.argv.slice(2).map(Number)

const cluster = await openCluster(2, { REPORT_MEMORY: '1' })
try {
  console.log(await idleSockets())
  console.log(await delays())
} finally {
  await cluster.close()
}
process.exit(0)

/** Megabytes of one instance's resident memory, which it reports itself, before and after the connections. */
async function idleSockets() {
  const instance = cluster.instances[0]
  if (!instance) throw new Error('there is no instance')
  const memory = async (sockets: number) => {
    const readings: number[] = []
    const from = instance.output().length
    while (readings.length < 6) {
      await wait(500)
      readings.length = 0
      for (const [, rss, count] of instance
        .output()
        .slice(from)
        .matchAll(/memory (\d+) (\d+)/g)) {
        if (Number(count) === sockets) readings.push(Number(rss))
      }
    }
    return Math.min(...readings) / 1e6
  }
  const customers = []
  for (let n = 0; n < SOCKETS / 10; n++) customers.push(await cluster.made.aCustomer())
  const admin = await cluster.made.anAdministrator()
  const before = await memory(0)
  const sockets: WebSocket[] = []
  for (const customer of customers) {
    const room = await ensureRoom(cluster.database.kysely, customer.id, admin.id)
    const ten = Array.from({ length: 10 }, () => follow(instance.url, customer.token, room))
    sockets.push(...(await Promise.all(ten)))
  }
  const after = await memory(SOCKETS)
  for (const socket of sockets) socket.terminate()
  await memory(0)
  return {
    sockets: SOCKETS,
    beforeMB: Math.round(before),
    afterMB: Math.round(after),
    growthMB: Math.round(after - before),
  }
}

/** Milliseconds from the sender's HTTP answer to the receiver's MESSAGE, each on an instance of their own. */
async function delays() {
  const [first, second] = cluster.instances.map(({ url }) => url)
  if (!first || !second) throw new Error('there are not two instances')
  const answered = new Map<string, number>()
  const arrived = new Map<string, number>()
  const pairs: { customer: Person; admin: Person; room: string }[] = []
  for (let n = 0; n < PAIRS; n++) {
    const customer = await cluster.made.aCustomer()
    const admin = await cluster.made.anAdministrator()
    const room = await ensureRoom(cluster.database.kysely, customer.id, admin.id)
    await follow(second, admin.token, room, (body) => {
      arrived.set(JSON.parse(body).content, performance.now())
    })
    pairs.push({ customer, admin, room })
  }
  const failures: Record<string, number> = {}
  async function send(n: number): Promise<void> {
    const { customer, admin, room } = pairs[n % PAIRS] as (typeof pairs)[number]
    const content = `message ${n}`
    const body = { senderId: customer.id, receiverId: admin.id, content }
    const answer = await fetch(`${first}/api/messages/room/${room}/send`, {
      method: 'POST',
      headers: { authorization: `Bearer ${customer.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    answered.set(content, performance.now())
    const text = await answer.text()
    if (!answer.ok) failures[text] = (failures[text] ?? 0) + 1
  }
  const startedAt = performance.now()
  const sending: Promise<void>[] = []
  for (let n = 0; n < rate * seconds; n++) {
    const due = startedAt + (n * 1000) / rate
    if (performance.now() < due) await wait(due - performance.now())
    sending.push(send(n))
  }
  await Promise.all(sending)
  const taken = (performance.now() - startedAt) / 1000
  for (let n = 0; n < 100 && arrived.size < sending.length; n++) await wait(50)
  const found = [...arrived]
    .map(([content, at]) => at - (answered.get(content) ?? at))
    // The message may arrive before the sender has read the answer.
    .map((delay) => Math.max(0, delay))
  const at = (share: number) => Math.round(percentile(found, share) * 10) / 10
  return {
    messages: sending.length,
    arrived: found.length,
    failures,
    perSecond: Math.round(sending.length / taken),
    p50ms: at(0.5),
    p95ms: at(0.95),
    p99ms: at(0.99),
    maxms: at(1),
  }
}

/** Opens a live connection with the heart-beats of the site's client; calls `receive` with each message's body. */
async function follow(
  url: string,
  token: string,
  room: string,
  receive: (body: string) => void = () => {},
): Promise<WebSocket> {
  const socket = new WebSocket(socketUrl(url, token), ['v12.stomp'])
  await new Promise<void>((resolve, reject) => {
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('closed')))
    socket.on('open', () => {
      socket.send('CONNECT\naccept-version:1.2\nheart-beat:0,10000\n\n\0')
      socket.send(`SUBSCRIBE\nid:1\ndestination:${roomTopic(room)}\nreceipt:r\n\n\0`)
    })
    socket.on('message', (data) => {
      const frame = String(data)
      if (frame.startsWith('RECEIPT')) resolve()
      if (frame.startsWith('MESSAGE')) receive(frame.slice(frame.indexOf('\n\n') + 2, -1))
    })
  })
  return socket
}
