import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type ListenOptions, openListener } from '../../../src/server/database/listen.ts'
import type { Connection } from '../../../src/server/database/servers.ts'
import { aDatabase, runStatement } from '../../support/database.ts'
import { proxyTo } from '../../support/database-proxy.ts'
import { PATIENCE } from '../../support/patience.ts'

const fresh = await aDatabase()

function open(connection: Connection = fresh.url, options: ListenOptions = {}) {
  const listener = openListener(connection, options)
  onTestFinished(() => listener.close())
  return listener
}

const notify = (channel: string, payload: string) =>
  runStatement(fresh.url, `SELECT pg_notify('${channel}', '${payload}')`)

const cutListeners = () =>
  runStatement(
    fresh.url,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND query ~ '^(LISTEN|SELECT 1$)'`,
  )

describe('the listener', () => {
  test('receives announcements, per channel, in order', async () => {
    const listener = open()
    const received: string[] = []
    await listener.onNotify('chat', (payload) => received.push(`chat ${payload}`))
    await listener.onNotify('Pages "x"', (payload) => received.push(`pages ${payload}`))
    await notify('chat', '1')
    await notify('Pages "x"', '2')
    await notify('chat', '3')
    await vi.waitFor(() => expect(received).toEqual(['chat 1', 'pages 2', 'chat 3']), PATIENCE)
  })

  test('calls every handler of a channel until it is removed, and survives one that throws', async () => {
    const lines: string[] = []
    const listener = open(fresh.url, { log: (line) => lines.push(line) })
    const received: string[] = []
    await listener.onNotify('twice', () => {
      throw new Error('a fault')
    })
    const off = await listener.onNotify('twice', (payload) => received.push(`first ${payload}`))
    await listener.onNotify('twice', (payload) => received.push(`second ${payload}`))
    await notify('twice', '1')
    await vi.waitFor(() => expect(received).toEqual(['first 1', 'second 1']), PATIENCE)
    off()
    await notify('twice', '2')
    await vi.waitFor(() => expect(received).toEqual(['first 1', 'second 1', 'second 2']), PATIENCE)
    expect(lines[0]).toMatch('a fault')
  })

  test('reconnects after its connection is cut, and reports the gap', async () => {
    const listener = open()
    const received: string[] = []
    await listener.onNotify('chat', (payload) => received.push(payload))
    for (let gap = 1; gap <= 3; gap += 1) {
      const back = new Promise<void>((resolve) => {
        const off = listener.onReconnect(() => {
          off()
          resolve()
        })
      })
      await cutListeners()
      await back
      await notify('chat', `after gap ${gap}`)
      await vi.waitFor(() => expect(received).toHaveLength(gap), PATIENCE)
    }
    expect(received).toEqual(['after gap 1', 'after gap 2', 'after gap 3'])
  })

  test('connects as soon as the database is available', async () => {
    const server = await proxyTo(fresh.url)
    server.refuse()
    const lines: string[] = []
    const listener = open(server.url, { log: (line) => lines.push(line) })
    const received: string[] = []
    const listening = listener.onNotify('late', (payload) => received.push(payload))
    await vi.waitFor(() => expect(lines.length).toBeGreaterThan(1), PATIENCE)
    server.serve()
    await listening
    await notify('late', 'received')
    await vi.waitFor(() => expect(received).toEqual(['received']), PATIENCE)
  })

  test('notices a connection that died silently', async () => {
    const server = await proxyTo(fresh.url)
    // Also the limit of each answer, which a busy machine needs some of.
    const listener = open(server.url, { heartbeat: 500 })
    const received: string[] = []
    await listener.onNotify('chat', (payload) => received.push(payload))
    const back = new Promise<void>((resolve) => listener.onReconnect(() => resolve()))
    server.freezeAll()
    await back
    await notify('chat', 'received')
    await vi.waitFor(() => expect(received).toEqual(['received']), PATIENCE)
  })

  test('can be closed while it is trying to connect', async () => {
    const listener = openListener({ host: '/nowhere', user: 'nobody', database: 'none' })
    await listener.close()
  })
})
