import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '../../src/server/database/embedded.ts'
import { migrate } from '../../src/server/database/migrate.ts'
import { openDatabase } from '../../src/server/database/pool.ts'
import { factories } from './factories.ts'
import { type ShopProcess, spawnShop } from './shop-process.ts'

const SECRET = 'a secret that only these tests know'

/** Several instances in processes of their own on one database, and a proxy in front of them. */
export async function openCluster(size: number, env: Record<string, string> = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'karras-cluster-'))
  const server = await startEmbedded({ dataDir, settings: { max_connections: '200' } })
  const { host, user, database: name } = server.connection
  const url = `postgres://${user}@localhost/${name}?host=${encodeURIComponent(host)}`
  await migrate(url)
  const database = openDatabase(url)
  const secret = new TextEncoder().encode(SECRET)
  const made = factories({ database, secret, dataDir, now: Date.now })

  const start = (at: number) =>
    spawnShop(
      {
        DATABASE_URL: url,
        JWT_SECRET: SECRET,
        DATA_DIR: join(dataDir, `${at}`),
        DEMO: '0',
        ...env,
      },
      { command: [process.execPath, 'tests/support/chat-instance.ts'] },
    )
  const instances: ShopProcess[] = []
  for (let at = 0; at < size; at++) instances.push(await start(at))
  const door = await openDoor(() => instances.map(({ url }) => Number(new URL(url).port)))

  return {
    database,
    secret,
    made,
    instances,
    door,
    /** `kill -9` for one of them, and starts another in its place. */
    async replace(at: number) {
      await instances[at]?.kill()
      instances[at] = await start(at)
    },
    async close() {
      door.close()
      for (const instance of instances) await instance.stop()
      await database.close()
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/**
 * A TCP proxy that assigns connections to the instances in turn, or to another one that answers.
 */
async function openDoor(portsOf: () => number[]) {
  const open = new Set<Socket>()
  let turn = 0
  const server = createServer((client) => {
    open.add(client)
    client.on('close', () => open.delete(client))
    client.on('error', () => client.destroy())
    const ports = portsOf()
    const first = turn++
    reach(
      ports.map((_, at) => ports[(first + at) % ports.length] ?? 0),
      client,
    )
  })
  function reach([port, ...others]: number[], client: Socket): void {
    if (port === undefined) {
      client.destroy()
      return
    }
    const backend = connect(port, '127.0.0.1')
    backend.on('error', () => {
      if (backend.connecting) reach(others, client)
      else client.destroy()
    })
    backend.once('connect', () => {
      client.on('close', () => backend.destroy())
      backend.on('close', () => client.destroy())
      client.pipe(backend).pipe(client)
    })
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}
