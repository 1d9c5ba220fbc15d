import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
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
import type { S3Config } from '../config/config.ts'
import {
  type Blobs,
  type ByteRange,
  directoryBlobs,
  forgetOldest,
  type ListedBlob,
  StorageUnavailable,
} from './blobs.ts'

const DELETED_AT_ONCE = 1000

/** A storage that has not begun to answer by then, or to go on, is of no use to a reader. */
const ANSWER_MS = 5 * SECOND_MS
/** Writing and deleting may take longer: a file, as long as a slow line to the storage needs. */
const CHANGE_MS = 15 * SECOND_MS
const WRITTEN_BYTES_PER_MS = 1000
/** A connection is tried again within the time of an answer. */
const CONNECTION_MS = 1.5 * SECOND_MS
/**
 * How much of a file is read at a time. A download takes as long as its reader pauses, and holds this
 * much memory rather than one of the few connections to the storage.
 */
const PIECE_BYTES = 512 << 10
/** For how long a storage that did not answer in time is not asked again. */
const PAUSE_MS = 5 * SECOND_MS

/** Files of S3 or a compatible server; `cache` (absolute path) is for local copies. */
export function s3Blobs(config: S3Config, cache: string): Blobs & { close(): void } {
  const { bucket, prefix } = config
  const client = new S3Client(clientConfig(config))
  const at = (name: string) => ({ Bucket: bucket, Key: prefix + name })
  const ask = patience()

  const fetched = (name: string, range?: ByteRange) =>
    ask((limit) => {
      const Range = range && `bytes=${range.start}-${range.end}`
      return client.send(new GetObjectCommand({ ...at(name), ...(Range && { Range }) }), limit)
    })
  /** The whole file in one answer, for a reader that does not pause. */
  async function whole(name: string) {
    const answer = await fetched(name)
    return answer && unstalled(answer.Body as Readable)
  }
  async function piece(name: string, range: ByteRange) {
    const answer = await fetched(name, range)
    if (!answer) return null
    const bytes = await buffer(unstalled(answer.Body as Readable))
    // `bytes 0-99/1234`
    return { bytes, size: Number(answer.ContentRange?.split('/')[1] ?? bytes.length) }
  }

  async function pieces(name: string, { start, end }: ByteRange) {
    const until = (from: number) => Math.min(end, from + PIECE_BYTES - 1)
    const first = await piece(name, { start, end: until(start) })
    if (!first) return null
    async function* all({ bytes, size }: NonNullable<typeof first>) {
      yield bytes
      const last = Math.min(end, size - 1)
      for (let from = start + bytes.length; from <= last; ) {
        const next = await piece(name, { start: from, end: Math.min(last, until(from)) })
        if (!next?.bytes.length) throw new StorageUnavailable('S3: the file has ended early')
        yield next.bytes
        from += next.bytes.length
      }
    }
    return all(first)
  }
  const copies = localCopies(join(cache, 'copies'), whole)
  const spool = directoryBlobs(join(cache, 'spool'))

  return {
    async write(name, content) {
      if (content instanceof Uint8Array) {
        await ask(
          (limit) => client.send(new PutObjectCommand({ ...at(name), Body: content }), limit),
          timeToWrite(content.byteLength),
        )
        return
      }
      // S3 needs to know the length in advance.
      const aside = randomUUID()
      try {
        await spool.write(aside, content)
        const path = join(cache, 'spool', aside)
        const { size } = await stat(path)
        await ask(
          (limit) =>
            client.send(
              new PutObjectCommand({
                ...at(name),
                Body: createReadStream(path),
                ContentLength: size,
              }),
              limit,
            ),
          timeToWrite(size),
        )
      } finally {
        await spool.remove([aside])
      }
    },
    sizeOf: (name) =>
      ask(
        async (limit) =>
          (await client.send(new HeadObjectCommand(at(name)), limit)).ContentLength ?? 0,
      ),
    async read(name, range = { start: 0, end: Number.MAX_SAFE_INTEGER }) {
      const found = await pieces(name, range)
      return found && Readable.from(found, { objectMode: false })
    },
    pieces,
    async remove(names) {
      for (let from = 0; from < names.length; from += DELETED_AT_ONCE) {
        const objects = names
          .slice(from, from + DELETED_AT_ONCE)
          .map((name) => ({ Key: prefix + name }))
        const deletion = { Bucket: bucket, Delete: { Objects: objects, Quiet: true } }
        const answer = await ask(
          (limit) => client.send(new DeleteObjectsCommand(deletion), limit),
          CHANGE_MS,
        )
        const [refused] = answer?.Errors ?? []
        if (refused) throw new StorageUnavailable(`S3 refused to delete: ${refused.Code}`)
      }
    },
    list: (below) => listed(ask, client, { bucket, prefix, below }),
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
    // Its `requestTimeout` only warns: `patience` ends what takes too long.
    requestHandler: { connectionTimeout: CONNECTION_MS },
  }
}

/** Whether a file is given to a request without a key. Throws if the storage does not answer. */
export async function isPublic(config: S3Config, name: string): Promise<boolean> {
  const client = new S3Client({
    ...clientConfig(config),
    signer: { sign: async (request) => request },
  })
  try {
    await client.send(new HeadObjectCommand({ Bucket: config.bucket, Key: config.prefix + name }), {
      abortSignal: AbortSignal.timeout(ANSWER_MS),
    })
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
  ask: Ask,
  client: S3Client,
  { bucket, prefix, below }: { bucket: string; prefix: string; below: string },
): AsyncIterable<ListedBlob> {
  let token: string | undefined
  do {
    const page = await ask((limit) =>
      client.send(
        new ListObjectsV2Command({
          Bucket: bucket,
          Prefix: prefix + below,
          ...(token && { ContinuationToken: token }),
        }),
        limit,
      ),
    )
    for (const { Key = '', Size = 0, LastModified } of page?.Contents ?? []) {
      yield { name: Key.slice(prefix.length), size: Size, changedAt: LastModified ?? new Date() }
    }
    token = page?.NextContinuationToken
  } while (token)
}

/**
 * The answer of S3; null for a missing file. Throws `StorageUnavailable` for any other error, and if
 * no answer has begun within `limitMs`.
 */
type Ask = <T>(
  call: (limit: { abortSignal: AbortSignal }) => Promise<T>,
  limitMs?: number,
) => Promise<T | null>

/**
 * A storage may accept requests and stay silent, as behind a firewall that swallows them: then one
 * request at a time tries it every few seconds, and all others are refused at once, so that they do
 * not pile up.
 */
function patience(): Ask {
  /** When the storage answered last, if only by a refusal. */
  let answeredAt = 0
  let refusedUntil = 0
  let isTried = false
  let isSilent = false
  return async (call, limitMs = ANSWER_MS) => {
    if (isSilent && (isTried || performance.now() < refusedUntil)) {
      throw new StorageUnavailable('S3: no answer to earlier requests')
    }
    const isTrial = isSilent
    if (isTrial) isTried = true
    const ending = new AbortController()
    const startedAt = performance.now()
    const timer = setTimeout(() => ending.abort(), limitMs)
    try {
      const answer = await call({ abortSignal: ending.signal })
      answeredAt = performance.now()
      isSilent = false
      return answer
    } catch (error) {
      const isLate = ending.signal.aborted
      if (!isLate) answeredAt = performance.now()
      // One slow request, while others are answered, does not make the storage silent.
      isSilent = isLate && answeredAt < startedAt
      if (isSilent) refusedUntil = performance.now() + PAUSE_MS
      if (isLate) {
        const seconds = Math.round(limitMs / SECOND_MS)
        throw new StorageUnavailable(`S3: no answer in ${seconds} seconds`, { cause: error })
      }
      const { name, $metadata } = error as Error & { $metadata?: { httpStatusCode?: number } }
      if (name !== 'NoSuchBucket' && $metadata?.httpStatusCode === 404) return null
      throw new StorageUnavailable(`S3: ${name}: ${(error as Error).message}`, { cause: error })
    } finally {
      clearTimeout(timer)
      if (isTrial) isTried = false
    }
  }
}

const timeToWrite = (bytes: number): number => CHANGE_MS + bytes / WRITTEN_BYTES_PER_MS

/** The content of an answer, which fails if the storage stops sending it. */
function unstalled(body: Readable): Readable {
  async function* pieces() {
    const giveUp = () => body.destroy(new StorageUnavailable('S3: the answer has stopped'))
    let timer = setTimeout(giveUp, ANSWER_MS)
    try {
      for await (const piece of body) {
        clearTimeout(timer)
        yield piece
        timer = setTimeout(giveUp, ANSWER_MS)
      }
    } finally {
      clearTimeout(timer)
    }
  }
  // A reader that ends before it has begun does not reach the loop.
  return Readable.from(pieces(), { objectMode: false }).once('close', () => body.destroy())
}

/** How many bytes all copies may take; the least recently used are deleted first. */
const COPIES_MAX_BYTES = 2 * 1024 ** 3

interface LocalCopies {
  pathOf(name: string): Promise<string | null>
}

/** Copies of the files that `read` reads; files never change, so copies stay valid. */
function localCopies(directory: string, read: Blobs['read'], most = COPIES_MAX_BYTES): LocalCopies {
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
