import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3'
import { SECOND_MS } from '../../rules/durations.ts'
import { sharedWork } from '../concurrency/shared-work.ts'
import type { S3Config } from '../config/files.ts'
import {
  type Blobs,
  directoryBlobs,
  forgetOldest,
  type ListedBlob,
  StorageUnavailable,
} from './blobs.ts'

const DELETED_AT_ONCE = 1000

/** Files of S3 or a compatible server; `cache` (absolute path) is for local copies. */
export function s3Blobs(config: S3Config, cache: string): Blobs & { close(): void } {
  const { bucket, prefix } = config
  const client = new S3Client(clientConfig(config))
  const at = (name: string) => ({ Bucket: bucket, Key: prefix + name })

  const read: Blobs['read'] = (name, range) =>
    ask(async () => {
      const answer = await client.send(
        new GetObjectCommand({
          ...at(name),
          ...(range && { Range: `bytes=${range.start}-${range.end}` }),
        }),
      )
      return answer.Body as Readable
    })
  const copies = localCopies(join(cache, 'copies'), read)
  const spool = directoryBlobs(join(cache, 'spool'))

  return {
    async write(name, content) {
      if (content instanceof Uint8Array) {
        await ask(() => client.send(new PutObjectCommand({ ...at(name), Body: content })))
        return
      }
      // S3 needs to know the length in advance.
      const aside = randomUUID()
      try {
        await spool.write(aside, content)
        const path = join(cache, 'spool', aside)
        const { size } = await stat(path)
        await ask(() =>
          client.send(
            new PutObjectCommand({
              ...at(name),
              Body: createReadStream(path),
              ContentLength: size,
            }),
          ),
        )
      } finally {
        await spool.remove([aside])
      }
    },
    sizeOf: (name) =>
      ask(async () => (await client.send(new HeadObjectCommand(at(name)))).ContentLength ?? 0),
    read,
    pieces: read,
    async remove(names) {
      for (let from = 0; from < names.length; from += DELETED_AT_ONCE) {
        const objects = names
          .slice(from, from + DELETED_AT_ONCE)
          .map((name) => ({ Key: prefix + name }))
        const deletion = { Bucket: bucket, Delete: { Objects: objects, Quiet: true } }
        const answer = await ask(() => client.send(new DeleteObjectsCommand(deletion)))
        const [refused] = answer?.Errors ?? []
        if (refused) throw new StorageUnavailable(`S3 refused to delete: ${refused.Code}`)
      }
    },
    list: (below) => listed(client, bucket, prefix, below),
    async removeHalfWritten(before) {
      for await (const { name, changedAt } of spool.list('')) {
        if (changedAt < before) await spool.remove([name])
      }
    },
    localPath: (name) => copies.pathOf(name),
    close: () => client.destroy(),
  }
}

function clientConfig(config: S3Config): S3ClientConfig {
  return {
    region: config.region,
    ...(config.endpoint && { endpoint: config.endpoint }),
    // Only Amazon reliably serves buckets as subdomains.
    forcePathStyle: config.endpoint !== null,
    credentials: {
      accessKeyId: config.accessKeyId,
      secretAccessKey: config.secretAccessKey,
      ...(config.sessionToken && { sessionToken: config.sessionToken }),
    },
    maxAttempts: 3,
    // Not every server supports these checksums; our files are named by their hashes anyway.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: 5 * SECOND_MS, requestTimeout: 60 * SECOND_MS },
  }
}

/** Whether a file is given to a request without a key. Throws if the storage does not answer. */
export async function isPublic(config: S3Config, name: string): Promise<boolean> {
  const client = new S3Client({
    ...clientConfig(config),
    signer: { sign: async (request) => request },
  })
  try {
    await client.send(new HeadObjectCommand({ Bucket: config.bucket, Key: config.prefix + name }))
    return true
  } catch (error) {
    const { $metadata } = error as { $metadata?: { httpStatusCode?: number } }
    const status = $metadata?.httpStatusCode ?? 0
    if (status >= 400 && status < 500) return false
    throw error
  } finally {
    client.destroy()
  }
}

async function* listed(
  client: S3Client,
  bucket: string,
  prefix: string,
  below: string,
): AsyncIterable<ListedBlob> {
  let token: string | undefined
  do {
    const page = await ask(() =>
      client.send(
        new ListObjectsV2Command({
          Bucket: bucket,
          Prefix: prefix + below,
          ...(token && { ContinuationToken: token }),
        }),
      ),
    )
    for (const { Key = '', Size = 0, LastModified } of page?.Contents ?? []) {
      yield { name: Key.slice(prefix.length), size: Size, changedAt: LastModified ?? new Date() }
    }
    token = page?.NextContinuationToken
  } while (token)
}

/** The answer of S3; null for a missing file. Throws `StorageUnavailable` for any other error. */
async function ask<T>(call: () => Promise<T>): Promise<T | null> {
  try {
    return await call()
  } catch (error) {
    const { name, $metadata } = error as Error & { $metadata?: { httpStatusCode?: number } }
    if (name !== 'NoSuchBucket' && $metadata?.httpStatusCode === 404) return null
    throw new StorageUnavailable(`S3: ${name}: ${(error as Error).message}`, { cause: error })
  }
}

/** How many bytes all copies may take; the least recently used are deleted first. */
const COPIES_MAX_BYTES = 2 * 1024 ** 3

export interface LocalCopies {
  pathOf(name: string): Promise<string | null>
}

/** Copies of the files that `read` reads; files never change, so copies stay valid. */
export function localCopies(
  directory: string,
  read: Blobs['read'],
  most = COPIES_MAX_BYTES,
): LocalCopies {
  const kept = directoryBlobs(directory)
  const copying = sharedWork<string | null>()

  async function fetched(name: string): Promise<string | null> {
    const path = join(directory, name)
    if ((await kept.sizeOf(name)) !== null) {
      const now = new Date()
      await utimes(path, now, now).catch(() => {})
      return path
    }
    const content = await read(name)
    if (!content) return null
    await kept.write(name, content)
    await forgetOldest(kept, most, name)
    return path
  }

  return {
    pathOf: (name) => copying(name, () => fetched(name)),
  }
}
