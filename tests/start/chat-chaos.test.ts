// @at-landing: users chat for half a minute while instances are killed.

import { setTimeout as wait } from 'node:timers/promises'
import { Client, type IMessage } from '@stomp/stompjs'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { type Message, roomDestination, roomTopic } from '../../src/contract/chat.ts'
import { ensureRoom } from '../../src/server/chat/rooms.ts'
import { amount } from '../support/amount.ts'
import { socketUrl } from '../support/chat-client.ts'
import { openCluster } from '../support/chat-cluster.ts'
import type { Person } from '../support/people.ts'
import { type Random, randomFrom } from '../support/random.ts'

const USERS = amount('CHAT_USERS', { usual: 12, long: 20 })
const MESSAGES = amount('CHAT_MESSAGES', { usual: 20, long: 20 })
const KILLS = amount('CHAT_KILLS', { usual: 2, long: 2 })
const SEED = Number(process.env.CHAOS_SEED ?? 7)
/** Milliseconds between two cuts of one user's socket, and between two messages of one user, random each time. */
const CUTS = [200, 1500] as const
const PAUSE = [20, 200] as const

/**
 * Users, half of them customers and half administrators, chat in pairs through a proxy in front of two instances,
 * while their sockets are cut and the instances killed; then the messages that each received are compared with
 * the stored ones.
 */
test('a conversation loses nothing while sockets are cut and instances killed', async () => {
  const cluster = await openCluster(2)
  const counts = { connections: 0, cuts: 0, retries: 0 }
  const random = randomFrom(SEED)
  const users: ChaosUser[] = []
  onTestFinished(async () => {
    for (const user of users) user.stop()
    await cluster.close()
  })
  for (let pair = 0; pair < USERS / 2; pair++) {
    const customer = await cluster.made.aCustomer()
    const admin = await cluster.made.anAdministrator()
    const room = await ensureRoom(cluster.database.kysely, customer.id, admin.id)
    const shared = { room, url: cluster.door.url, counts, random }
    users.push(aUser({ me: customer, to: admin, ...shared }))
    users.push(aUser({ me: admin, to: customer, ...shared }))
  }
  const sent = () => users.reduce((sum, user) => sum + user.acknowledged.length, 0)
  const sending = Promise.all(users.map((user) => user.sendAll()))
  for (let kill = 1; kill <= KILLS; kill++) {
    while (sent() < (USERS * MESSAGES * kill) / (KILLS + 1)) await wait(20)
    await cluster.replace(kill % 2)
  }
  await sending
  // On a slow machine a connection that is cut again and again delivers nothing.
  for (const user of users) user.keepLine()

  const stored = await storedOf(cluster.database)
  const isComplete = () =>
    users.every(({ room, received }) => received.length >= (stored.get(room)?.length ?? 0))
  for (const since = performance.now(); !isComplete() && performance.now() - since < 60_000; ) {
    await wait(50)
  }
  const found = { ...compare(users, stored), ...counts }
  const none = { lost: 0, doubled: 0, disordered: 0, unstored: 0 }
  expect(found, JSON.stringify(found)).toMatchObject(none)
  expect([...stored.values()].flat()).toHaveLength(USERS * MESSAGES)
  expect(found.cuts).toBeGreaterThan(0)
}, 1_800_000)

type ChaosUser = ReturnType<typeof aUser>

function aUser({
  me,
  to,
  room,
  url,
  counts,
  random,
}: {
  me: Person
  to: Person
  room: string
  url: string
  counts: { connections: number; cuts: number; retries: number }
  random: Random
}) {
  /** Everything that arrived, in order of arrival, without deduplication. */
  const received: number[] = []
  const acknowledged: number[] = []
  let socket: WebSocket | undefined
  let cutting: NodeJS.Timeout | undefined
  const client = new Client({
    webSocketFactory: () => {
      counts.connections++
      socket = new WebSocket(socketUrl(url, me.token), ['v12.stomp'])
      return socket
    },
    reconnectDelay: 200,
    onConnect: () => {
      const after = String(received.at(-1) ?? 0)
      const note = ({ body }: IMessage) => received.push((JSON.parse(body) as Message).id)
      client.subscribe(roomTopic(room), note, { after })
    },
  })
  const cutLater = () => {
    cutting = setTimeout(
      () => {
        if (socket?.readyState === WebSocket.OPEN) {
          counts.cuts++
          socket.terminate()
        }
        cutLater()
      },
      random.between(...CUTS),
    )
  }
  client.activate()
  cutLater()

  async function send(n: number): Promise<void> {
    const clientId = `${me.id}-message-${n}`
    const body = { senderId: me.id, receiverId: to.id, content: `${me.id} says ${n}`, clientId }
    for (;;) {
      try {
        const answer = await fetch(`${url}/api/messages/room/${room}/send`, {
          method: 'POST',
          headers: { authorization: `Bearer ${me.token}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
          signal: AbortSignal.timeout(15_000),
        })
        if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
        const saved = (await answer.json()) as Message
        acknowledged.push(saved.id)
        if (client.connected) {
          client.publish({ destination: roomDestination(room), body: JSON.stringify(saved) })
        }
        return
      } catch {
        counts.retries++
        await wait(random.between(50, 200))
      }
    }
  }

  return {
    room,
    received,
    acknowledged,
    async sendAll() {
      for (let n = 0; n < MESSAGES; n++) {
        await wait(random.between(...PAUSE))
        await send(n)
      }
    },
    keepLine() {
      clearTimeout(cutting)
    },
    stop() {
      clearTimeout(cutting)
      void client.deactivate({ force: true })
    },
  }
}

async function storedOf({ kysely }: Awaited<ReturnType<typeof openCluster>>['database']) {
  const rows = await kysely
    .selectFrom('chatMessages')
    .select(['id', 'roomId'])
    .orderBy('id')
    .execute()
  const rooms = new Map<string, number[]>()
  for (const { id, roomId } of rows) rooms.set(roomId, [...(rooms.get(roomId) ?? []), id])
  return rooms
}

/** Messages that a receiver lacks, has twice or has out of order; and acknowledged ones not stored just once. */
function compare(users: readonly ChaosUser[], stored: ReadonlyMap<string, readonly number[]>) {
  const found = { lost: 0, doubled: 0, disordered: 0, unstored: 0 }
  for (const { room, received, acknowledged } of users) {
    const known = stored.get(room) ?? []
    const has = new Set(received)
    found.lost += known.filter((id) => !has.has(id)).length
    found.doubled += received.length - has.size
    found.disordered += received.filter((id, at) => id < (received[at - 1] ?? 0)).length
    const isStored = new Set(known)
    found.unstored += acknowledged.filter((id) => !isStored.has(id)).length
    found.unstored += acknowledged.length - new Set(acknowledged).size
  }
  return found
}
