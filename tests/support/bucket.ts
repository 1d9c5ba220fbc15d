import { createRequire } from 'node:module'

/** A bucket on an S3-compatible server, with the environment for a shop. */
interface TestBucket {
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

/**
 * Starts an S3 server on this machine, with an empty bucket in an empty directory; null if it is not
 * installed.
 */
export async function startBucket(
  directory: string,
  host = '127.0.0.1',
): Promise<TestBucket | null> {
  const S3Server = load()
  if (!S3Server) return null
  const server = new S3Server({
    port: 0,
    address: host,
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
      FILES_URL: `s3://${BUCKET}/shop?endpoint=http://${host}:${port}`,
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
    },
    stop: () => server.close(),
  }
}

function load(): (new (options: object) => S3rver) | null {
  try {
    return createRequire(import.meta.url)('@20minutes/s3rver')
  } catch {
    return null
  }
}
