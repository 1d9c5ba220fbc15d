import { rmSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { writeWholeSync } from '../files/files.ts'
import { findPackage, prepareBinaries } from './binaries.ts'
import { prepareCluster, SUPERUSER } from './cluster.ts'
import {
  prepareDataDirectory,
  prepareSocketDirectory,
  refuseHalfRestored,
} from './data-directory.ts'
import { settleLeftovers } from './leftovers.ts'
import { takeOwnership } from './ownership.ts'
import { launchServer } from './server-process.ts'
import { type ServerUser, serverUserFor } from './server-user.ts'
import type { Connection } from './servers.ts'
import { explainDisk } from './start-error.ts'
import { supervise } from './supervise.ts'
import { isToTakeOver, takeOver } from './take-over.ts'

/** The address of the embedded server: `host` is the directory of its Unix socket. */
export type EmbeddedConnection = Exclude<Connection, string>

interface EmbeddedOptions {
  /** `DATA_DIR`, created if missing; the cluster is its folder `postgres`. */
  dataDir: string
  /** Receives each line of the server's log and of its supervision. */
  log?: (line: string) => void
  /** PostgreSQL settings that override ours; for tests. */
  settings?: Record<string, string>
}

/**
 * Starts the embedded PostgreSQL on `dataDir`, which this process owns until `stop()` or its end.
 * Throws a `StartError` if that is impossible.
 */
export async function startEmbedded({ dataDir, log = () => {}, settings = {} }: EmbeddedOptions) {
  const packageDir = findPackage()
  const home = prepareDataDirectory(dataDir)
  const ownership = takeOwnership(home)
  try {
    refuseHalfRestored(home)
    const cluster = join(home, 'postgres')
    const user = serverUserFor(cluster, home)
    const binaries = prepareBinaries(packageDir, user, home)
    const socketDirectory = prepareSocketDirectory(home, user)
    if (isToTakeOver(cluster, user)) {
      await settleLeftovers(cluster, socketDirectory, log)
      takeOver(cluster, user)
    }
    await prepareCluster(cluster, binaries, user)
    limitAccess(cluster, user)

    const server = await supervise(async () => {
      await settleLeftovers(cluster, socketDirectory, log)
      return launchServer({ binaries, user, cluster, socketDirectory, settings, log })
    }, log)

    const connection: EmbeddedConnection = {
      host: socketDirectory,
      user: SUPERUSER,
      database: 'postgres',
    }
    return {
      connection,
      /** The id of the server process; it changes after a crash and restart. */
      get pid() {
        return server.pid
      },
      /** Stops the server, which first writes everything to the disk, and releases `dataDir`. */
      async stop() {
        await server.stop()
        rmSync(socketDirectory, { recursive: true, force: true })
        ownership.release()
      },
    }
  } catch (error) {
    ownership.release()
    throw explainDisk(error, home)
  }
}

const MAP = 'karras'

/**
 * Writes who may connect to a cluster: over its socket, only the user that this process runs as, or
 * root, as identified by the kernel. The server refuses every other user who reaches the socket.
 * Rewritten at every start, since older clusters are protected only by the socket's directory.
 */
function limitAccess(cluster: string, user: ServerUser): void {
  const names = new Set(['root', nameOfOurs()])
  // Without a user name the server cannot identify us: then only the directory protects it.
  const method = names.has(undefined) ? 'trust' : `peer map=${MAP}`
  const options = { mode: 0o600, owner: user }
  writeWholeSync(join(cluster, 'pg_hba.conf'), `local all ${SUPERUSER} ${method}\n`, options)
  const map = [...names].map((name) => `${MAP} "${name}" ${SUPERUSER}\n`).join('')
  writeWholeSync(join(cluster, 'pg_ident.conf'), map, options)
}

function nameOfOurs(): string | undefined {
  try {
    return userInfo().username
  } catch {
    return undefined
  }
}
