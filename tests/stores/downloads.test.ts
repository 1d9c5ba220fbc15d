import { describe, expect, test, vi } from 'vitest'
import { CUT_WAITS_MS, PART_BYTES, waitAfterCut } from '../../src/rules/downloads.ts'
import { storage } from './browser.ts'
import {
  aFile,
  aPage,
  bytesOf,
  savedBytes,
  server,
  startDownloadsForEachTest,
  titled,
  until,
} from './fake-downloads.ts'

startDownloadsForEachTest()

describe('a download', () => {
  test('is saved under the title, and its URL revoked after 100 ms', async () => {
    server.files.set(3, aFile())
    const page = await aPage()
    const revoked = vi.spyOn(URL, 'revokeObjectURL')
    void page.downloads.download(titled(3), 'library')
    expect(page.downloads.$downloads.get()[3]).toMatchObject({ phase: 'waiting' })
    await vi.waitFor(() => expect(server.saved).toHaveLength(1))
    expect(server.saved[0]?.name).toBe('درس الكسور 1.pdf')
    expect(await savedBytes()).toEqual(server.files.get(3)?.bytes)
    expect(revoked).not.toHaveBeenCalled()
    vi.advanceTimersByTime(100)
    expect(revoked).toHaveBeenCalledOnce()
    await until(page, 3, 'done')
  })

  test.each([
    ['library', 403, 'download_forbidden'],
    ['library', 404, 'download_not_found'],
    ['library', 500, 'download_server_error'],
    ['library', 422, 'download_failed'],
    ['library', 0, 'download_failed'],
    ['details', 500, 'download_file_missing'],
    // Not the buyer's connection: the machine before the shop does not reach it.
    ['library', 501, 'download_server_error'],
    ['details', 501, 'download_file_missing'],
    ['details', 403, 'download_failed'],
  ] as const)('in %s, status %i: %s', async (place, status, problem) => {
    server.files.set(3, aFile(0, { status }))
    const page = await aPage()
    await page.downloads.download(titled(3), place)
    expect(page.downloads.$downloads.get()[3]).toMatchObject({ phase: 'failed', problem })
    expect(server.requests).toHaveLength(1)
  })

  test('waits while the shop prepares the file', async () => {
    const file = aFile(undefined, { status: 503 })
    server.files.set(3, file)
    const page = await aPage()
    void page.downloads.download(titled(3), 'library')
    await vi.waitFor(() => expect(server.requests).toHaveLength(1))
    delete file.status
    for (const wait of CUT_WAITS_MS.slice(0, 2)) await vi.advanceTimersByTimeAsync(wait)
    await until(page, 3, 'done')
    expect(await savedBytes()).toEqual(file.bytes)
  })

  test('starts again at a press that comes as soon as its failure is shown', async () => {
    const file = aFile(undefined, { status: 404 })
    server.files.set(3, file)
    const page = await aPage()
    page.downloads.$downloads.listen(({ 3: state }) => {
      if (state?.phase !== 'failed') return
      delete file.status
      void page.downloads.download(titled(3), 'library')
    })
    void page.downloads.download(titled(3), 'library')
    await until(page, 3, 'done')
    expect(await savedBytes()).toEqual(file.bytes)
  })

  test('needs a token', async () => {
    delete storage.token
    const page = await aPage()
    await page.downloads.download(titled(3), 'library')
    expect(page.downloads.$downloads.get()[3]).toMatchObject({ problem: 'not_logged_in' })
    expect(server.requests).toEqual([])
  })

  test('an empty file is a failure', async () => {
    server.files.set(3, aFile(0))
    const page = await aPage()
    await page.downloads.download(titled(3), 'library')
    expect(page.downloads.$downloads.get()[3]).toMatchObject({ problem: 'download_failed' })
  })

  test('resumes after each cut where it stopped, and is complete in the end', async () => {
    server.files.set(3, aFile(undefined, { cuts: [PART_BYTES + 5, 0, 3, PART_BYTES, 0, 0] }))
    const page = await aPage()
    const phases: boolean[] = []
    page.downloads.$downloads.listen(({ 3: state }) => {
      if (state?.phase === 'running') phases.push(state.isCut)
    })
    void page.downloads.download(titled(3), 'library')
    await until(page, 3, 'done')
    expect(server.requests).toHaveLength(7)
    expect(server.requests[1]?.range).toBe(`bytes=${PART_BYTES + 5}-`)
    expect(phases).toContain(true)
    expect(await savedBytes()).toEqual(server.files.get(3)?.bytes)
  })

  test('gives up when no byte arrives, keeps what it has and resumes from there', async () => {
    const cuts = [PART_BYTES, ...CUT_WAITS_MS.map(() => 0)]
    server.files.set(3, aFile(undefined, { cuts }))
    const page = await aPage()
    void page.downloads.download(titled(3), 'library')
    await until(page, 3, 'failed')
    expect(page.downloads.$downloads.get()[3]).toMatchObject({
      problem: 'download_failed',
      received: PART_BYTES,
    })
    expect(server.requests).toHaveLength(1 + CUT_WAITS_MS.length)
    void page.downloads.download(titled(3), 'library')
    await until(page, 3, 'done')
    expect(server.requests.at(-1)?.range).toBe(`bytes=${PART_BYTES}-`)
    expect(await savedBytes()).toEqual(server.files.get(3)?.bytes)
  })

  test.each([
    ['changed meanwhile', { etag: '"second"', hasRanges: true }],
    ['has no ranges', { etag: '"first"', hasRanges: false }],
    ['has no version', { etag: null, hasRanges: true }],
  ])('a file that %s is downloaded from the start', async (_, later) => {
    const first = aFile(undefined, { cuts: [PART_BYTES * 2], ...(later.etag ? {} : later) })
    server.files.set(3, first)
    const page = await aPage()
    page.downloads.$downloads.listen(({ 3: state }) => {
      if (state?.phase === 'running' && state.isCut) {
        server.files.set(3, aFile(PART_BYTES + 3, { bytes: bytesOf(PART_BYTES + 3, 11), ...later }))
      }
    })
    void page.downloads.download(titled(3), 'library')
    await until(page, 3, 'done')
    expect(await savedBytes()).toEqual(bytesOf(PART_BYTES + 3, 11))
  })

  test('restarts when the server no longer has the range', async () => {
    server.files.set(3, aFile(undefined, { cuts: [PART_BYTES] }))
    const page = await aPage()
    page.downloads.$downloads.listen(({ 3: state }) => {
      const file = server.files.get(3)
      if (state?.phase === 'running' && state.isCut && file && server.requests.length === 1) {
        server.gate = async () => {
          if (server.requests.length === 2) file.status = 416
          else delete file.status
        }
      }
    })
    void page.downloads.download(titled(3), 'library')
    await until(page, 3, 'done')
    expect(server.requests.map(({ range }) => range)).toEqual([null, `bytes=${PART_BYTES}-`, null])
    expect(await savedBytes()).toEqual(server.files.get(3)?.bytes)
  })

  test('reports a lack of space', async () => {
    vi.stubGlobal('navigator', { storage: { estimate: async () => ({ quota: 10, usage: 9 }) } })
    server.files.set(3, aFile())
    const page = await aPage()
    await page.downloads.download(titled(3), 'library')
    expect(page.downloads.$downloads.get()[3]).toMatchObject({ problem: 'download_no_space' })
    expect(server.saved).toEqual([])
  })
})

test('waits only for transient failures, and not for ever', () => {
  for (const status of [0, 408, 429, 502, 503, 504]) expect(waitAfterCut(status, 0)).toBe(500)
  for (const status of [200, 401, 403, 404, 500]) expect(waitAfterCut(status, 0)).toBeNull()
  expect(CUT_WAITS_MS).toEqual(CUT_WAITS_MS.toSorted((a, b) => a - b))
  expect(waitAfterCut(0, CUT_WAITS_MS.length)).toBeNull()
})
