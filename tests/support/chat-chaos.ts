import { setTimeout as wait } from 'node:timers/promises'
import { Client } from '@stomp/stompjs'
import { WebSocket } from 'ws'
import { type Message, roomDestination, roomTopic } from '../../src/contract/chat.ts'
import { ensureRoom } from '../../src/server/chat/rooms.ts'
import { socketUrl } from './chat-client.ts'
import { openCluster } from './chat-cluster.ts'
import type { Person } from './people.ts'
import { type Random, randomFrom } from './random.ts'

export interface ChaosPlan {
  /** Half of them customers, half administrators, in pairs. */
  readonly users: number
  readonly messages: number
  /** How many times an instance is killed and replaced, spread over the run. */
  readonly kills: number
  /** Milliseconds between two cuts of one user's socket, random each time. */
  readonly cuts: readonly [number, number]
  /** Milliseconds between two messages of one user. */
  readonly pause: readonly [number, number]
  readonly seed: number
}

export interface ChaosReport {
  readonly stored: number
  /** Messages that a receiver lacks, has more than once, or has out of order. */
  readonly lost: number
  readonly doubled: number
  readonly disordered: number
  /** Sends that were acknowledged and are not stored, or stored more than once. */
  readonly unstored: number
  readonly connections: number
  readonly cuts: number
  readonly retries: number
  readonly kills: number
  readonly seconds: number
}

/**
 * Lets users chat in pairs through a proxy in front of two instances, while their sockets are cut
 * and the instances killed; then compares the messages that each received with the stored ones.
 */
export async function chatChaos(plan: ChaosPlan): Promise<ChaosReport> {
  const cluster = await openCluster(2)
  const counts = { connections: 0, cuts: 0, retries: 0, kills: 0 }
  const random = randomFrom(plan.seed)
  const startedAt = performance.now()
  const users: ChaosUser[] = []
  try {
    for (let pair = 0; pair < plan.users / 2; pair++) {
      const customer = await cluster.made.aCustomer()
      const admin = await cluster.made.anAdministrator()
      const room = await ensureRoom(cluster.database.kysely, customer.id, admin.id)
      for (const [me, to] of [
        [customer, admin],
        [admin, customer],
      ] as const) {
        users.push(aUser({ me, to, room, url: cluster.door.url, plan, counts, random }))
      }
    }
    const total = plan.users * plan.messages
    const sent = () => users.reduce((sum, user) => sum + user.acknowledged.length, 0)
    const sending = Promise.all(users.map((user) => user.sendAll()))
    for (let kill = 1; kill <= plan.kills; kill++) {
      while (sent() < (total * kill) / (plan.kills + 1)) await wait(20)
      await cluster.replace(kill % 2)
      counts.kills++
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
    return {
      stored: [...stored.values()].reduce((sum, ids) => sum + ids.length, 0),
      ...compare(users, stored),
      ...counts,
      seconds: Math.round((performance.now() - startedAt) / 1000),
    }
  } finally {
    for (const user of users) user.stop()
    await cluster.close()
  }
}

type ChaosUser = ReturnType<typeof aUser>

function aUser({
  me,
  to,
  room,
  url,
  plan,
  counts,
  random,
}: {
  me: Person
  to: Person
  room: string
  url: string
  plan: ChaosPlan
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
      client.subscribe(
        roomTopic(room),
        ({ body }) => received.push((JSON.parse(body) as Message).id),
        {
          after,
        },
      )
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
      random.between(...plan.cuts),
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
      for (let n = 0; n < plan.messages; n++) {
        await wait(random.between(...plan.pause))
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
