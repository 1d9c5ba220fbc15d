import { afterEach, beforeEach, expect, onTestFinished, vi } from 'vitest'
import { PART_BYTES } from '../../src/rules/downloads.ts'
import { aToken, emptyStorage, type OpenPage, openPage, storage } from './browser.ts'
import { fakeShop } from './fake-shop.ts'

/**
 * The file of a document on the server, and how its connection behaves; an earlier version has a
 * negative id.
 */
interface FakeFile {
  bytes: Uint8Array<ArrayBuffer>
  etag: string | null
  /** A status to answer with instead of the file. */
  status?: number
  /** After how many bytes each of the next responses is cut; complete afterwards. */
  cuts: number[]
  /** Whether it answers a range request with a range. */
  hasRanges: boolean
}

export const bytesOf = (length: number, seed = 7) =>
  Uint8Array.from({ length }, (_, at) => (at * seed + (at >> 8)) % 251)

export const aFile = (length = 3 * PART_BYTES + 17, options: Partial<FakeFile> = {}): FakeFile => ({
  bytes: bytesOf(length),
  etag: '"first"',
  cuts: [],
  hasRanges: true,
  ...options,
})

/** The shop's files, the requests it received, and what the browser has saved. */
interface DownloadServer {
  readonly files: Map<number, FakeFile>
  readonly requests: { id: number; range: string | null; version?: string }[]
  readonly saved: { name: string; file: Blob }[]
  /** Resolves when a request for this document may be answered. */
  gate: (id: number) => Promise<void> | undefined
}

/** Answers as the shop does; see `send-file.ts`. */
async function answer(
  { requests, gate, files }: DownloadServer,
  url: string,
  init: RequestInit,
): Promise<Response> {
  const headers = new Headers(init.headers)
  const id = Number(/\/download\/(\d+)\//.exec(url)?.[1])
  const range = headers.get('range')
  const version = /[?&]version=(\d+)/.exec(url)?.[1]
  requests.push({ id, range, ...(version && { version }) })
  await gate(id)
  const { bytes, etag, status, cuts, hasRanges } = files.get(version ? -version : id) ?? aFile()
  if (status === 0) throw new TypeError('Failed to fetch')
  if (status) return Response.json({ status, error: 'x', message: '' }, { status })
  const wanted = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0)
  const isPart = wanted > 0 && hasRanges && headers.get('if-range') === etag
  const start = isPart ? wanted : 0
  const cut = cuts.shift()
  const { signal } = init
  let at = start
  const body = new ReadableStream({
    pull(controller) {
      if (signal?.aborted) return controller.error(signal.reason)
      const end = Math.min(at + 16_384, bytes.length, cut === undefined ? Infinity : start + cut)
      if (end > at) controller.enqueue(bytes.slice(at, end))
      if (end === bytes.length) controller.close()
      else if (end === at) controller.error(new TypeError('network error'))
      at = end
    },
  })
  return new Response(body, {
    status: isPart ? 206 : 200,
    headers: {
      'content-type': 'application/pdf',
      'content-length': String(bytes.length - start),
      ...(etag && { etag }),
      ...(isPart && { 'content-range': `bytes ${start}-${bytes.length - 1}/${bytes.length}` }),
    },
  })
}

/** Replaces the shop by one that only has downloads, and the browser by one that saves them. */
function fakeDownloads(): DownloadServer {
  const server: DownloadServer = {
    files: new Map(),
    requests: [],
    saved: [],
    gate: () => undefined,
  }
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => answer(server, url, init))
  vi.stubGlobal('document', {
    createElement: () => ({
      href: '',
      download: '',
      click() {
        const link = this as unknown as { href: string; download: string }
        server.saved.push({ name: link.download, file: objects.get(link.href) as Blob })
      },
    }),
    dispatchEvent: () => true,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  })
  const objects = new Map<string, Blob>()
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    objects.set(`blob:${objects.size}`, file as Blob)
    return `blob:${objects.size - 1}`
  })
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => undefined)
  return server
}

export const titled = (documentId: number) => ({
  documentId,
  title: 'درس: الكسور / 1',
  fileType: 'pdf',
})

/** Advances the waits between retries until a download reaches a phase. */
export async function until({ downloads }: OpenPage, id: number, phase: string | undefined) {
  const isThere = () => downloads.$downloads.get()[id]?.phase === phase
  for (let turn = 0; turn < 400 && !isThere(); turn += 1) await vi.advanceTimersByTimeAsync(250)
  expect(downloads.$downloads.get()[id]?.phase).toBe(phase)
}

/** The shop's downloads of the running test. */
export let server: DownloadServer

/** Gives each test of a file a customer, downloads and a clock of its own. */
export function startDownloadsForEachTest(): void {
  beforeEach(() => {
    emptyStorage()
    storage.token = aToken()
    server = fakeDownloads()
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
  })
}

/** A page whose downloads are subscribed to. */
export async function aPage(): Promise<OpenPage> {
  const page = await openPage(fakeShop())
  onTestFinished(page.downloads.$downloads.listen(() => undefined))
  return page
}

export const savedBytes = async (at = 0) =>
  new Uint8Array((await server.saved[at]?.file.arrayBuffer()) ?? [])
