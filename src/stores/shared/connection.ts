import type { Api } from '../../client/api.ts'

/**
 * Creates a connection that loads the client and the calls once, when a store first needs the
 * backend.
 */
export function createConnection<Client extends { api: Api }>(load: () => Promise<Client>) {
  let client: Promise<Client> | undefined
  return {
    connect(): Promise<Client> {
      client ??= load().catch((error: unknown) => {
        client = undefined // probably offline; the next call tries again
        throw error
      })
      return client
    },
    /** Replaces the browser's API; for tests. */
    connectTo(api: Api): void {
      client = load().then((loaded) => ({ ...loaded, api }))
    },
  }
}
