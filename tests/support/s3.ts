import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A bucket on an S3-compatible server, with the environment for a shop. */
export interface TestBucket {
  readonly env: Readonly<Record<string, string>>
  stop(): Promise<void>
}

type Middleware = (context: { path: string; app: object }, next: () => unknown) => unknown

interface S3rver {
  readonly middleware: Middleware[]
  run(): Promise<{ port: number }>
  close(): Promise<void>
}

const BUCKET = 'karras-test'

/** Starts an S3 server on this machine with an empty bucket; null if it is not installed. */
export async function aBucket(): Promise<TestBucket | null> {
  const S3Server = load()
  if (!S3Server) return null
  const directory = await mkdtemp(join(tmpdir(), 'karras-s3-'))
  const server = new S3Server({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: [{ name: BUCKET, configs: [] }],
  })
  server.middleware.unshift((context, next) => {
    // It signs a bucket's URL without the trailing slash that the client writes: there alone, for
    // lists and deletions, a wrong signature is accepted.
    const allowMismatchedSignatures = { value: context.path === `/${BUCKET}/` }
    context.app = Object.create(server, { allowMismatchedSignatures })
    return next()
  })
  const { port } = await server.run()
  return {
    env: {
      FILES_URL: `s3://${BUCKET}/shop?endpoint=http://127.0.0.1:${port}`,
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
    },
    async stop() {
      await server.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

function load(): (new (options: object) => S3rver) | null {
  try {
    return createRequire(import.meta.url)('@20minutes/s3rver')
  } catch {
    return null
  }
}
