import pg from 'pg'
import { type Connection, clientConfig } from './pool.ts'

/** One connection that listens, until it is lost. */
export interface ListeningClient {
  /** Resolves when the channel is listened to. */
  listen(channel: string): Promise<void>
  /** Resolves when the connection is gone, noticed by itself or by a heartbeat without answer. */
  readonly lost: Promise<void>
  close(): void
}

// Milliseconds that an answer may take, when the heartbeat gives it that long.
const ANSWER_TIMEOUT = 5_000

/** Connects; `deliver` gets every notification, `heartbeat` is the milliseconds between signs of life. */
export async function connectListener(
  connection: Connection,
  heartbeat: number,
  deliver: (channel: string, payload: string) => void,
): Promise<ListeningClient> {
  const client = new pg.Client({
    ...clientConfig(connection),
    connectionTimeoutMillis: ANSWER_TIMEOUT,
    query_timeout: Math.min(ANSWER_TIMEOUT, heartbeat),
  })
  const { promise: lost, resolve: lose } = Promise.withResolvers<void>()
  client.on('error', () => lose())
  client.on('end', () => lose())
  client.on('notification', ({ channel, payload = '' }) => deliver(channel, payload))

  // One after the other: `pg` no longer wants to queue queries itself.
  let last: Promise<unknown> = Promise.resolve()
  const query = (text: string) => {
    const answer = last.then(() => client.query(text))
    last = answer.catch(() => {})
    return answer
  }
  const close = () => {
    clearInterval(beat)
    lose()
    // It may be closed already.
    client.end().catch(() => {})
  }
  const beat = setInterval(() => query('SELECT 1').catch(close), heartbeat)
  lost.then(close)

  try {
    await client.connect()
  } catch (error) {
    close()
    throw error
  }
  return {
    lost,
    close,
    async listen(channel) {
      await query(`LISTEN ${client.escapeIdentifier(channel)}`)
    },
  }
}
