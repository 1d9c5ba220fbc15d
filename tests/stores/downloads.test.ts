import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { CUT_WAITS_MS, PART_BYTES, waitAfterCut } from '../../src/rules/download-tries.ts'
import { aToken, emptyStorage, type OpenPage, openPage, storage } from './browser.ts'
import { fakeShop } from './fake-shop.ts'

/** The file of a document at the server, and how its line behaves; of an earlier version by its negative number. */
interface FakeFile {
  bytes: Uint8Array<ArrayBuffer>
  etag: string | null
  /** An answer in place of the file. */
  status?: number
  /** After how many bytes each of the next answers is cut; whole afterwards. */
  cuts: number[]
  /** Whether it answers a range with a range. */
  hasRanges: boolean
}

const bytesOf = (length: number, seed = 7) =>
  Uint8Array.from({ length }, (_, at) => (at * seed + (at >> 8)) % 251)

const aFile = (length = 3 * PART_BYTES + 17, given: Partial<FakeFile> = {}): FakeFile => ({
  bytes: bytesOf(length),
  etag: '"first"',
  cuts: [],
  hasRanges: true,
  ...given,
})

let files: Map<number, FakeFile>
let requests: { id: number; range: string | null; version?: string }[]
let saved: { name: string; file: Blob }[]
/** Resolves when a request for this document may be answered. */
let gate: (id: number) => Promise<void> | undefined

/** Answers as the shop does; see `send-file.ts`. */
async function answer(url: string, init: RequestInit): Promise<Response> {
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

beforeEach(() => {
  emptyStorage()
  storage.token = aToken()
  files = new Map()
  requests = []
  saved = []
  gate = () => undefined
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  vi.stubGlobal('fetch', answer)
  vi.stubGlobal('document', {
    createElement: () => ({
      href: '',
      download: '',
      click() {
        const link = this as unknown as { href: string; download: string }
        saved.push({ name: link.download, file: objects.get(link.href) as Blob })
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
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const titled = (documentId: number) => ({ documentId, title: 'درس: الكسور / 1', fileType: 'pdf' })

/** Lets the waits between tries pass until a document is in a phase. */
async function until({ downloads }: OpenPage, id: number, phase: string | undefined) {
  const isThere = () => downloads.$downloads.get()[id]?.phase === phase
  for (let turn = 0; turn < 400 && !isThere(); turn += 1) await vi.advanceTimersByTimeAsync(250)
  expect(downloads.$downloads.get()[id]?.phase).toBe(phase)
}

/** A page of the shop, looked at. */
async function aPage(): Promise<OpenPage> {
  const page = await openPage(fakeShop())
  page.downloads.$downloads.listen(() => undefined)
  return page
}

const savedBytes = async (at = 0) => new Uint8Array((await saved[at]?.file.arrayBuffer()) ?? [])

describe('a download', () => {
  test('is saved under the title, and its link cleaned up after 100 ms', async () => {
    files.set(3, aFile())
    const page = await aPage()
    const revoked = vi.spyOn(URL, 'revokeObjectURL')
    void page.downloads.download(titled(3), 'library')
    expect(page.downloads.$downloads.get()[3]).toMatchObject({ phase: 'waiting' })
    await vi.waitFor(() => expect(saved).toHaveLength(1))
    expect(saved[0]?.name).toBe('درس الكسور  1.pdf')
    expect(await savedBytes()).toEqual(files.get(3)?.bytes)
    expect(revoked).not.toHaveBeenCalled()
    vi.advanceTimersByTime(100)
    expect(revoked).toHaveBeenCalledOnce()
    await until(page, 3, 'done')
  })

  test.each([
    ['library', 403, 'download_forbidden'],
    ['library', 404, 'download_not_found'],
    ['library', 500, 'download_server_error'],
    ['library', 503, 'download_failed'],
    ['library', 0, 'download_failed'],
    ['details', 500, 'download_file_missing'],
    ['details', 403, 'download_failed'],
  ] as const)('in %s, status %i: %s', async (place, status, problem) => {
    files.set(3, aFile(0, { status }))
    const page = await aPage()
    await page.downloads.download(titled(3), place)
    expect(page.downloads.$downloads.get()[3]).toMatchObject({ phase: 'failed', problem })
    expect(requests).toHaveLength(1)
  })

  test('needs a token', async () => {
    delete storage.token
    const page = await aPage()
    await page.downloads.download(titled(3), 'library')
    expect(page.downloads.$downloads.get()[3]).toMatchObject({ problem: 'not_logged_in' })
    expect(requests).toEqual([])
  })

  test('an empty file is none', async () => {
    files.set(3, aFile(0))
    const page = await aPage()
    await page.downloads.download(titled(3), 'library')
    expect(page.downloads.$downloads.get()[3]).toMatchObject({ problem: 'download_failed' })
  })

  test('goes on after each cut where it stopped, and is whole in the end', async () => {
    files.set(3, aFile(undefined, { cuts: [PART_BYTES + 5, 0, 3, PART_BYTES, 0, 0] }))
    const page = await aPage()
    const phases: boolean[] = []
    page.downloads.$downloads.listen(({ 3: state }) => {
      if (state?.phase === 'running') phases.push(state.isCut)
    })
    void page.downloads.download(titled(3), 'library')
    await until(page, 3, 'done')
    expect(requests).toHaveLength(7)
    expect(requests[1]?.range).toBe(`bytes=${PART_BYTES + 5}-`)
    expect(phases).toContain(true)
    expect(await savedBytes()).toEqual(files.get(3)?.bytes)
  })

  test('gives up when no byte comes, keeps what it has and goes on from there', async () => {
    const cuts = [PART_BYTES, ...CUT_WAITS_MS.map(() => 0)]
    files.set(3, aFile(undefined, { cuts }))
    const page = await aPage()
    void page.downloads.download(titled(3), 'library')
    await until(page, 3, 'failed')
    expect(page.downloads.$downloads.get()[3]).toMatchObject({
      problem: 'download_failed',
      received: PART_BYTES,
    })
    expect(requests).toHaveLength(1 + CUT_WAITS_MS.length)
    void page.downloads.download(titled(3), 'library')
    await until(page, 3, 'done')
    expect(requests.at(-1)?.range).toBe(`bytes=${PART_BYTES}-`)
    expect(await savedBytes()).toEqual(files.get(3)?.bytes)
  })

  test.each([
    ['changed meanwhile', { etag: '"second"', hasRanges: true }],
    ['has no ranges', { etag: '"first"', hasRanges: false }],
    ['has no version', { etag: null, hasRanges: true }],
  ])('a file that %s begins again', async (_, later) => {
    const first = aFile(undefined, { cuts: [PART_BYTES * 2], ...(later.etag ? {} : later) })
    files.set(3, first)
    const page = await aPage()
    page.downloads.$downloads.listen(({ 3: state }) => {
      if (state?.phase === 'running' && state.isCut) {
        files.set(3, aFile(PART_BYTES + 3, { bytes: bytesOf(PART_BYTES + 3, 11), ...later }))
      }
    })
    void page.downloads.download(titled(3), 'library')
    await until(page, 3, 'done')
    expect(await savedBytes()).toEqual(bytesOf(PART_BYTES + 3, 11))
  })

  test('a server that no longer has that range is asked for the whole file', async () => {
    files.set(3, aFile(undefined, { cuts: [PART_BYTES] }))
    const page = await aPage()
    page.downloads.$downloads.listen(({ 3: state }) => {
      const file = files.get(3)
      if (state?.phase === 'running' && state.isCut && file && requests.length === 1) {
        gate = async () => {
          if (requests.length === 2) file.status = 416
          else delete file.status
        }
      }
    })
    void page.downloads.download(titled(3), 'library')
    await until(page, 3, 'done')
    expect(requests.map(({ range }) => range)).toEqual([null, `bytes=${PART_BYTES}-`, null])
    expect(await savedBytes()).toEqual(files.get(3)?.bytes)
  })

  test('without space it says so', async () => {
    vi.stubGlobal('navigator', { storage: { estimate: async () => ({ quota: 10, usage: 9 }) } })
    files.set(3, aFile())
    const page = await aPage()
    await page.downloads.download(titled(3), 'library')
    expect(page.downloads.$downloads.get()[3]).toMatchObject({ problem: 'download_no_space' })
    expect(saved).toEqual([])
  })
})

describe('several downloads', () => {
  test('run one after the other, in the order they were started; each once', async () => {
    for (const id of [3, 4, 5]) files.set(id, aFile(PART_BYTES))
    const page = await aPage()
    let most = 0
    page.downloads.$downloads.listen((states) => {
      const count = Object.values(states).filter((state) => state?.phase === 'running').length
      most = Math.max(most, count)
    })
    for (const id of [4, 3, 5, 4]) void page.downloads.download(titled(id), 'library')
    await until(page, 5, 'done')
    expect(requests.map(({ id }) => id)).toEqual([4, 3, 5])
    expect(saved).toHaveLength(3)
    expect(most).toBe(1)
  })

  test('can be paused, resumed and cancelled, running or waiting; the next one runs meanwhile', async () => {
    for (const id of [3, 4, 5]) files.set(id, aFile())
    files.get(3)?.cuts.push(PART_BYTES * 2)
    const page = await aPage()
    const { download, pauseDownload, cancelDownload, $downloads } = page.downloads
    $downloads.listen(({ 3: state }) => {
      if (state?.phase === 'running' && state.isCut) pauseDownload({ documentId: 3 })
    })
    for (const id of [3, 4, 5]) void download(titled(id), 'library')
    pauseDownload({ documentId: 4 })
    void cancelDownload({ documentId: 5 })
    expect($downloads.get()[4]?.phase).toBe('paused')
    expect($downloads.get()[5]).toBeUndefined()
    await until(page, 3, 'paused')
    expect(saved).toEqual([])
    void download(titled(4), 'library')
    await until(page, 4, 'done')
    void download(titled(3), 'library')
    await until(page, 3, 'done')
    expect(requests.map(({ id, range }) => [id, range])).toEqual([
      [3, null],
      [4, null],
      [3, `bytes=${PART_BYTES * 2}-`],
    ])
    expect(await savedBytes(1)).toEqual(files.get(3)?.bytes)
  })

  test('an earlier version is a download of its own, which goes on where it stopped', async () => {
    files.set(3, aFile(PART_BYTES))
    files.set(-2, aFile(undefined, { bytes: bytesOf(3 * PART_BYTES, 11), cuts: [PART_BYTES] }))
    const page = await aPage()
    const { download, $downloads } = page.downloads
    const earlier = { ...titled(3), version: 2, title: 'الكسور - النسخة 2' }
    void download(earlier, 'library')
    void download(titled(3), 'library')
    expect($downloads.get()['3-2']?.phase).toBe('waiting')
    await until(page, 3, 'done')
    expect($downloads.get()['3-2']).toMatchObject({ phase: 'done', title: earlier.title })
    expect(requests).toEqual([
      { id: 3, range: null, version: '2' },
      { id: 3, range: `bytes=${PART_BYTES}-`, version: '2' },
      { id: 3, range: null },
    ])
    expect(saved.map(({ name }) => name)).toEqual(['الكسور - النسخة 2.pdf', 'درس الكسور  1.pdf'])
    expect(await savedBytes()).toEqual(files.get(-2)?.bytes)
    expect(await savedBytes(1)).toEqual(files.get(3)?.bytes)
  })

  test('an earlier version that is no longer offered says so', async () => {
    files.set(-2, aFile(1, { status: 410 }))
    const page = await aPage()
    await page.downloads.download({ ...titled(3), version: 2 }, 'library')
    expect(page.downloads.$downloads.get()['3-2']).toMatchObject({ problem: 'download_gone' })
  })

  test('what was cancelled begins anew', async () => {
    files.set(3, aFile(undefined, { cuts: [PART_BYTES * 2] }))
    const page = await aPage()
    const { download, cancelDownload, $downloads } = page.downloads
    let isCancelled = false
    $downloads.listen(({ 3: state }) => {
      if (state?.phase !== 'running' || !state.isCut || isCancelled) return
      isCancelled = true
      void cancelDownload({ documentId: 3 })
    })
    void download(titled(3), 'library')
    await until(page, 3, undefined)
    void download(titled(3), 'library')
    await until(page, 3, 'done')
    expect(requests.map(({ range }) => range)).toEqual([null, null])
  })

  test('end with the session, and nothing of them is saved', async () => {
    files.set(3, aFile(undefined, { cuts: [PART_BYTES, 0, 0, 0] }))
    const page = await aPage()
    page.downloads.$downloads.listen(({ 3: state }) => {
      if (state?.phase === 'running' && state.isCut) void page.session.logOut()
    })
    void page.downloads.download(titled(3), 'library')
    await until(page, 3, undefined)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(requests).toHaveLength(1)
    expect(saved).toEqual([])
    expect(storage.has_downloads).toBeUndefined()
  })
})

test('only passing failures are waited for, and not for ever', () => {
  for (const status of [0, 408, 429, 502, 503, 504]) expect(waitAfterCut(status, 0)).toBe(500)
  for (const status of [200, 401, 403, 404, 500]) expect(waitAfterCut(status, 0)).toBeNull()
  expect(CUT_WAITS_MS).toEqual(CUT_WAITS_MS.toSorted((a, b) => a - b))
  expect(waitAfterCut(0, CUT_WAITS_MS.length)).toBeNull()
})
