import { createHash, type Hash } from 'node:crypto'
import { get, type IncomingMessage } from 'node:http'

interface Download {
  readonly url: string
  readonly token: string
  /** Where it is cut, in bytes from the beginning, in order. */
  readonly cuts: readonly number[]
}

/**
 * Downloads a file over a connection that is cut at these places, resuming each time as browsers
 * do; returns the SHA-256 of the received bytes, and how many responses resumed rather than
 * restarted.
 */
export async function cutDownload({ url, token, cuts }: Download) {
  const hash = createHash('sha256')
  let received = 0
  let etag: string | undefined
  let resumed = 0
  for (const end of [...cuts, Number.POSITIVE_INFINITY]) {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(etag && { range: `bytes=${received}-`, 'if-range': etag }),
    }
    const answer = await open(url, headers)
    if (etag && answer.statusCode !== 206) throw new Error(`resumed with ${answer.statusCode}`)
    if (etag) resumed += 1
    etag = answer.headers.etag
    received += await take(answer, hash, end - received)
  }
  return { sha256: hash.digest('hex'), bytes: received, resumed }
}

function open(url: string, headers: Record<string, string>): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(url, { headers, agent: false }, resolve).on('error', reject)
  })
}

/** Reads at most so many bytes, and cuts the connection. */
async function take(answer: IncomingMessage, hash: Hash, most: number): Promise<number> {
  let taken = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    const part = chunk.subarray(0, most - taken)
    hash.update(part)
    taken += part.length
    if (taken >= most) break
  }
  answer.destroy()
  return taken
}
