import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type Kysely, sql } from 'kysely'
import { WebSocketServer } from 'ws'
import { SOCKET_TOKEN } from '../../contract/chat.ts'
import { SECOND_MS } from '../../rules/durations.ts'
import { type Ended, readEnded, SESSIONS_CHANNEL } from '../accounts/accounts.ts'
import type { Schema } from '../database/schema.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import { requireUser } from '../http/identity.ts'
import { requireSecondFactor } from '../http/policies.ts'
import type { User } from '../http/route.ts'
import { isOwnOrigin, refuseSocket } from '../http/upgrade.ts'
import { createFanOut } from './fan-out.ts'
import { CHAT_CHANNEL } from './messages.ts'
import { CHAT_SETTINGS, type ChatSettings, CLOSE, openSession, type Session } from './session.ts'
import { CHAT_FRAME_MAX_BYTES } from './stomp.ts'

/** How long live connections may take to close when the process stops. */
const CHAT_CLOSE_MS = 2 * SECOND_MS

const SUBPROTOCOLS = ['v12.stomp', 'v11.stomp', 'v10.stomp']

/**
 * The live connections of this instance. `report` receives unexpected errors, including those of an
 * unavailable database.
 */
export function openSockets(
  deps: Deps,
  overrides: Partial<ChatSettings>,
  report: (error: unknown) => void,
) {
  const settings = { ...CHAT_SETTINGS, ...overrides }
  const { listener, database } = deps
  const sessions = new Set<Session>()
  const sessionsOf = new Map<number, number>()
  const fanOut = createFanOut(database.kysely, report)
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: CHAT_FRAME_MAX_BYTES,
    handleProtocols: (offered) => SUBPROTOCOLS.find((name) => offered.has(name)) ?? false,
  })
  let isStopping = false
  let presenceAt = performance.now()
  let whenEmpty: (() => void) | undefined

  const ticking = setInterval(() => {
    const elapsed = performance.now()
    for (const session of sessions) session.tick(elapsed)
    if (elapsed - presenceAt >= settings.presence) {
      presenceAt = elapsed
      note([...sessionsOf.keys()])
    }
  }, settings.tick)
  const timers = [
    ticking,
    setInterval(() => fanOut.wakeAll(), settings.missed),
    setInterval(() => void recheck(() => true), settings.ended),
  ]
  for (const timer of timers) timer.unref()

  // Announcements before the first LISTEN are missed, as in any other gap.
  const subscriptions = [
    listener.onNotify(CHAT_CHANNEL, (payload) => fanOut.wake(payload.split(' ')[1] ?? '')),
    listener.onNotify(SESSIONS_CHANNEL, (payload) => {
      const ended = readEnded(payload)
      if (ended) void recheck((session) => hasEnded(session, ended))
    }),
  ]
  for (const subscription of subscriptions) void subscription.then(catchUp)
  const stopCatchingUp = listener.onReconnect(catchUp)

  function catchUp(): void {
    fanOut.wakeAll()
    void recheck(() => true)
  }

  async function recheck(isConcerned: (session: Session) => boolean): Promise<void> {
    for (const session of [...sessions].filter(isConcerned)) await session.recheck()
  }

  function note(userIds: readonly number[]): void {
    notePresence(database.kysely, userIds, deps.now()).catch((error) => {
      // The database may be closed while the last of these is under way.
      if (!isStopping) report(error)
    })
  }

  async function open(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    if (isStopping) throw fault('unavailable')
    const admitted = await admit(deps, request)
    const { id } = admitted.user
    if (isStopping || sessions.size >= settings.sockets) throw fault('unavailable')
    if ((sessionsOf.get(id) ?? 0) >= settings.socketsPerUser) throw fault('too_many_requests')
    if (socket.destroyed) return
    server.handleUpgrade(request, socket, head, (live) => {
      const session = openSession(live, admitted, {
        deps,
        fanOut,
        settings,
        report,
        onClose: () => forget(session),
      })
      sessions.add(session)
      sessionsOf.set(id, (sessionsOf.get(id) ?? 0) + 1)
      note([id])
    })
  }

  function forget(session: Session): void {
    const { id } = session.user
    sessions.delete(session)
    const left = (sessionsOf.get(id) ?? 1) - 1
    if (left > 0) sessionsOf.set(id, left)
    else sessionsOf.delete(id)
    if (!isStopping) note([id])
    if (sessions.size === 0) whenEmpty?.()
  }

  return {
    /**
     * Handles a request for which `wantsSocket` is true: opens a live connection, or answers with
     * an HTTP error.
     */
    upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
      const drop = () => socket.destroy()
      socket.on('error', drop)
      open(request, socket, head).then(
        () => socket.off('error', drop),
        (error) => refuseSocket(socket, error),
      )
    },
    count: () => sessions.size,
    /**
     * Accepts no new connections, closes all with 1001 and waits until they have ended,
     * `CHAT_CLOSE_MS` at most.
     */
    async stop(): Promise<void> {
      isStopping = true
      for (const timer of timers) clearInterval(timer)
      fanOut.close()
      stopCatchingUp()
      // Not awaited: a subscription that never began to listen needs no end.
      for (const subscription of subscriptions) void subscription.then((end) => end())
      for (const session of sessions) session.close(CLOSE.goingAway, 'stopping')
      if (sessions.size === 0) return
      const { promise, resolve } = Promise.withResolvers<void>()
      whenEmpty = resolve
      const cut = setTimeout(() => {
        for (const session of sessions) session.kill()
      }, CHAT_CLOSE_MS)
      await promise
      clearTimeout(cut)
    },
  }
}

function hasEnded({ user }: Session, ended: Ended): boolean {
  return 'tokenId' in ended ? user.tokenId === ended.tokenId : user.id === ended.userId
}

/**
 * Identifies the user of a new live connection. Throws `forbidden`, `authentication_required`,
 * `invalid_token`, `second_factor_missing`.
 */
async function admit(deps: Deps, request: IncomingMessage): Promise<{ user: User; token: string }> {
  if (!isOwnOrigin(request, deps.config.siteUrl)) throw fault('forbidden')
  const query = new URLSearchParams(request.url?.split('?', 2)[1])
  const [token = '', ...others] = query.getAll(SOCKET_TOKEN)
  if (token === '') throw fault('authentication_required')
  if (others.length > 0) throw fault('invalid_token')
  const user = requireUser(await deps.identify(`Bearer ${token}`))
  requireSecondFactor(user, deps.config)
  return { user, token }
}

/** Records that these users are online; `now` in milliseconds since 1970. */
async function notePresence(
  db: Kysely<Schema>,
  userIds: readonly number[],
  now: number,
): Promise<void> {
  if (userIds.length === 0) return
  await sql`
    INSERT INTO chat_presence AS known (user_id, seen_at)
    SELECT id, ${new Date(now)}::timestamptz FROM unnest(${userIds}::integer[]) AS seen (id)
    ORDER BY id
    ON CONFLICT (user_id) DO UPDATE SET seen_at = greatest(known.seen_at, excluded.seen_at)`.execute(
    db,
  )
}
