import { describe, expect, test, vi } from 'vitest'
import { PART_BYTES } from '../../src/rules/downloads.ts'
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

describe('several downloads', () => {
  test('run one after the other, in the order they were started; each once', async () => {
    for (const id of [3, 4, 5]) server.files.set(id, aFile(PART_BYTES))
    const page = await aPage()
    let most = 0
    page.downloads.$downloads.listen((states) => {
      const count = Object.values(states).filter((state) => state?.phase === 'running').length
      most = Math.max(most, count)
    })
    for (const id of [4, 3, 5, 4]) void page.downloads.download(titled(id), 'library')
    await until(page, 5, 'done')
    expect(server.requests.map(({ id }) => id)).toEqual([4, 3, 5])
    expect(server.saved).toHaveLength(3)
    expect(most).toBe(1)
  })

  test('can be paused, resumed and cancelled, running or queued; the next one runs meanwhile', async () => {
    for (const id of [3, 4, 5]) server.files.set(id, aFile())
    server.files.get(3)?.cuts.push(PART_BYTES * 2)
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
    expect(server.saved).toEqual([])
    void download(titled(4), 'library')
    await until(page, 4, 'done')
    void download(titled(3), 'library')
    await until(page, 3, 'done')
    expect(server.requests.map(({ id, range }) => [id, range])).toEqual([
      [3, null],
      [4, null],
      [3, `bytes=${PART_BYTES * 2}-`],
    ])
    expect(await savedBytes(1)).toEqual(server.files.get(3)?.bytes)
  })

  test('an earlier version is a separate download, which resumes where it stopped', async () => {
    server.files.set(3, aFile(PART_BYTES))
    server.files.set(
      -2,
      aFile(undefined, { bytes: bytesOf(3 * PART_BYTES, 11), cuts: [PART_BYTES] }),
    )
    const page = await aPage()
    const { download, $downloads } = page.downloads
    const earlier = { ...titled(3), version: 2, title: 'الكسور - النسخة 2' }
    void download(earlier, 'library')
    void download(titled(3), 'library')
    expect($downloads.get()['3-2']?.phase).toBe('waiting')
    await until(page, 3, 'done')
    expect($downloads.get()['3-2']).toMatchObject({ phase: 'done', title: earlier.title })
    expect(server.requests).toEqual([
      { id: 3, range: null, version: '2' },
      { id: 3, range: `bytes=${PART_BYTES}-`, version: '2' },
      { id: 3, range: null },
    ])
    expect(server.saved.map(({ name }) => name)).toEqual([
      'الكسور - النسخة 2.pdf',
      'درس الكسور 1.pdf',
    ])
    expect(await savedBytes()).toEqual(server.files.get(-2)?.bytes)
    expect(await savedBytes(1)).toEqual(server.files.get(3)?.bytes)
  })

  test('an earlier version that is no longer offered is reported', async () => {
    server.files.set(-2, aFile(1, { status: 410 }))
    const page = await aPage()
    await page.downloads.download({ ...titled(3), version: 2 }, 'library')
    expect(page.downloads.$downloads.get()['3-2']).toMatchObject({ problem: 'download_gone' })
  })

  test('restart from the beginning after being cancelled', async () => {
    server.files.set(3, aFile(undefined, { cuts: [PART_BYTES * 2] }))
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
    expect(server.requests.map(({ range }) => range)).toEqual([null, null])
  })

  test('end with the session, and save nothing', async () => {
    server.files.set(3, aFile(undefined, { cuts: [PART_BYTES, 0, 0, 0] }))
    const page = await aPage()
    page.downloads.$downloads.listen(({ 3: state }) => {
      if (state?.phase === 'running' && state.isCut) void page.session.logOut()
    })
    void page.downloads.download(titled(3), 'library')
    await until(page, 3, undefined)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(server.requests).toHaveLength(1)
    expect(server.saved).toEqual([])
    expect(storage.has_downloads).toBeUndefined()
  })
})
