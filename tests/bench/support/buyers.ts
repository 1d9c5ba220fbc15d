/**
 * Concurrent buyers who download and read, in a process of their own: the clients' work must not
 * hold up the calls that are measured beside them.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { PAGE_WIDTHS } from '../../../src/rules/reading.ts'

export const DOWNLOADS = 50
export const READERS = 20
/** The page count of the document that is read. */
export const READ_PAGES = 40
/** The bandwidth of each download, in bytes a second: 4 Mbit/s. */
const LINE = 1024 ** 2 / 2
/** How long a reader stays on a page on average, in milliseconds. */
const PAGE_TURN = 2000

export interface Person {
  readonly id: number
  readonly token: string
}

export interface Cast {
  readonly people: readonly Person[]
  /** The documents that are downloaded and read, by id. */
  readonly large: number
  readonly read: number
}

export const downloadOf = (url: string, { large }: Cast, { id }: Person) =>
  `${url}/api/documents/download/${large}/${id}`

/**
 * Starts the downloads and readers; the returned function stops them and returns how many bytes
 * they received.
 */
export function startBuyers(url: string, cast: Cast): () => Promise<number> {
  const child = spawn(process.execPath, [import.meta.filename, url, JSON.stringify(cast)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const received = text(child.stdout)
  const ended = once(child, 'close')
  return async () => {
    child.stdin.end()
    const [code] = await ended
    if (code !== 0) throw new Error(`the buyers ended with ${code}`)
    return Number(await received)
  }
}

/** Runs downloads and readers until the signal; returns how many bytes they received. */
async function loadUntil(signal: AbortSignal, url: string, cast: Cast): Promise<number> {
  const received = await Promise.all([
    ...cast.people.slice(0, DOWNLOADS).map((each) => keepDownloading(url, cast, each, signal)),
    ...cast.people.slice(0, READERS).map((each) => keepReading(url, cast, each, signal)),
  ])
  return received.reduce((sum, bytes) => sum + bytes, 0)
}

async function askShop(url: string, token = ''): Promise<Response> {
  const answer = await fetch(url, { headers: token ? { authorization: `Bearer ${token}` } : {} })
  if (answer.status === 200) return answer
  throw new Error(`${url} is answered with ${answer.status}: ${await answer.text()}`)
}

/** Downloads the large file again and again at the speed of `LINE`; returns how many bytes arrived. */
async function keepDownloading(url: string, cast: Cast, person: Person, signal: AbortSignal) {
  let received = 0
  while (!signal.aborted) {
    const answer = await askShop(downloadOf(url, cast, person), person.token)
    const startedAt = performance.now()
    let bytes = 0
    // Leaving the loop early ends the download.
    for await (const chunk of answer.body ?? []) {
      bytes += chunk.length
      if (signal.aborted) break
      const early = (bytes / LINE) * 1000 - (performance.now() - startedAt)
      if (early > 0) await wait(early)
    }
    received += bytes
  }
  return received
}

/** Turns the pages of a document; returns the bytes of their images. */
async function keepReading(url: string, { read }: Cast, { token }: Person, signal: AbortSignal) {
  let received = 0
  const reading = await askShop(`${url}/api/library/documents/${read}/reading`, token)
  const { pages } = (await reading.json()) as { pages: string }
  for (let page = 1; !signal.aborted; page = (page % READ_PAGES) + 1) {
    const picture = await askShop(`${url}${pages}${page}-${PAGE_WIDTHS[1]}.webp`)
    received += (await picture.arrayBuffer()).byteLength
    await wait(PAGE_TURN * (0.5 + Math.random()), null, { signal }).catch(() => {})
  }
  return received
}

if (import.meta.main) {
  const [url = '', cast = ''] = process.argv.slice(2)
  const ending = new AbortController()
  // It also ends with its parent process.
  process.stdin.resume().once('end', () => ending.abort())
  console.log(await loadUntil(ending.signal, url, JSON.parse(cast) as Cast))
}
