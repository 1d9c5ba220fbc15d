import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ApiRequest, ApiResponse } from '../../src/client/api.ts'
import type { ALL_ERRORS } from '../../src/contract/all-errors.ts'
import { UPLOAD_PART_MAX_BYTES } from '../../src/rules/uploads.ts'
import { Refusal } from '../../src/stores/shared/problem.ts'
import { refusal } from './fake-shop.ts'
import { dispatchToWindow, officeStorage, openOffice } from './office-browser.ts'

beforeEach(() => {
  officeStorage.clear()
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const ID = '0d9cbb9e-7f4b-4f0e-8f55-2a3f1f7f0a11'

/** The uploads of a server, which stores matching parts and returns its offset. */
function uploadServer() {
  const server = {
    bytes: new Uint8Array(),
    size: 0,
    parts: [] as number[],
    opened: 0,
    finish: 'whole' as 'whole' | keyof typeof ALL_ERRORS,
    missingFonts: [] as string[],
    isSigned: false,
    answer(request: ApiRequest): ApiResponse | null {
      const { pathname, searchParams } = new URL(request.path, 'https://karras.test/api/')
      if (pathname.endsWith('/part')) {
        const offset = Number(searchParams.get('offset'))
        const part = request.bytes ?? new Uint8Array()
        server.parts.push(part.length)
        if (offset === server.bytes.length) {
          server.bytes = new Uint8Array(Buffer.concat([server.bytes, part]))
        }
      } else if (pathname === '/office/uploads') {
        server.opened++
        server.size = JSON.parse(request.body ?? '').size
        server.bytes = new Uint8Array()
      } else if (pathname.endsWith('/finish') && server.finish !== 'whole') {
        return refusal(server.finish)
      }
      const isChecked = pathname.endsWith('/finish')
      return {
        status: 200,
        body: {
          id: ID,
          purpose: 'document',
          name: 'a.pdf',
          size: server.size,
          received: server.bytes.length,
          isChecked,
          expiresAt: '2026-03-05T10:00:00Z',
          fileType: isChecked ? 'pdf' : null,
          pageCount: null,
          missingFonts: server.missingFonts,
          isSigned: server.isSigned,
          width: null,
          height: null,
          coverPath: null,
        },
      }
    },
  }
  return server
}

const aFile = (bytes: number) =>
  new File([new Uint8Array(bytes).map((_, at) => at % 251)], 'a.pdf', { type: 'application/pdf' })

describe('an upload', () => {
  const anUpload = async (answer: (request: ApiRequest) => ApiResponse | null) => {
    const office = await openOffice('/office', answer)
    const onDone = vi.fn(async (_id: string) => {})
    const upload = office.upload.createUpload({ purpose: 'document', keepAs: 'file', onDone })
    upload.open()
    return { ...upload, onDone, office }
  }
  const isIn = (upload: Awaited<ReturnType<typeof anUpload>>, phase: string) =>
    // Subscribes instead of polling: on a busy machine a phase may be over by the next poll.
    new Promise<void>((resolve) => {
      upload.$state.subscribe((state) => state.phase === phase && resolve())
    })

  test('sends parts that grow with the bandwidth, never more than the server accepts', async () => {
    const server = uploadServer()
    const upload = await anUpload(server.answer)
    const file = aFile(3_000_000)
    upload.choose(file)
    await isIn(upload, 'done')
    expect(server.bytes).toEqual(new Uint8Array(await file.arrayBuffer()))
    expect(server.parts[1]).toBeGreaterThan(server.parts[0] ?? 0)
    expect(Math.max(...server.parts)).toBeLessThanOrEqual(UPLOAD_PART_MAX_BYTES)
    expect(upload.onDone).toHaveBeenCalledOnce()
    expect(upload.office.officeStorage.kept('file')).toBeUndefined()
  })

  test('continues from the server’s offset after a lost response', async () => {
    const server = uploadServer()
    let parts = 0
    const upload = await anUpload((request) => {
      const answer = server.answer(request)
      const isLost = request.path.includes('/part') && ++parts === 2
      return isLost ? null : answer
    })
    const file = aFile(500_000)
    upload.choose(file)
    await isIn(upload, 'waiting')
    dispatchToWindow('online')
    await isIn(upload, 'done')
    expect(server.bytes).toEqual(new Uint8Array(await file.arrayBuffer()))
    expect(server.opened).toBe(1)
  })

  test('survives a reload: the same file resumes, another one starts from the beginning', async () => {
    const server = uploadServer()
    let isCut = false
    const first = await anUpload((request) => {
      if (isCut) return null
      const answer = server.answer(request)
      isCut = request.path.includes('/part')
      return answer
    })
    first.choose(aFile(500_000))
    await isIn(first, 'waiting')
    // This browser does not store the file itself.
    const second = await anUpload(server.answer)
    await isIn(second, 'file-missing')
    second.choose(aFile(500_000))
    await isIn(second, 'done')
    expect([server.opened, server.bytes.length]).toEqual([1, 500_000])
  })

  test('retries using the upload, not sending it, when that got no response: after a wait, and after a reload', async () => {
    const server = uploadServer()
    const first = await anUpload(server.answer)
    first.onDone.mockRejectedValue(new Refusal('network', 0))
    first.choose(aFile(1000))
    await isIn(first, 'waiting')
    dispatchToWindow('online')
    await isIn(first, 'checking')
    await isIn(first, 'waiting')
    expect(first.onDone.mock.calls).toEqual([[ID], [ID]])

    const second = await anUpload(() => null)
    await isIn(second, 'done')
    expect(second.onDone.mock.calls).toEqual([[ID]])
    expect([server.opened, second.office.officeStorage.kept('file')]).toEqual([1, undefined])
  })

  test('asks for the file when the checked upload is gone, and sends the same file again', async () => {
    const server = uploadServer()
    const upload = await anUpload(server.answer)
    upload.onDone.mockRejectedValueOnce(new Refusal('upload_not_found', 404))
    upload.choose(aFile(1000))
    await isIn(upload, 'file-missing')
    upload.choose(aFile(1000))
    await isIn(upload, 'done')
    expect(server.opened).toBe(2)
  })

  test('shows the server’s refusal, and lets another file be chosen', async () => {
    const server = uploadServer()
    const upload = await anUpload(server.answer)
    server.finish = 'pdf_encrypted'
    upload.choose(aFile(1000))
    await isIn(upload, 'failed')
    expect(upload.$state.get()).toMatchObject({ problem: { code: 'pdf_encrypted' } })
    server.finish = 'whole'
    upload.choose(aFile(2000))
    await isIn(upload, 'done')
    expect(server.opened).toBe(2)
  })

  test('tells which fonts the file lacks and that it is signed, and nothing of the next file', async () => {
    const server = uploadServer()
    const upload = await anUpload(server.answer)
    server.missingFonts = ['Arial']
    server.isSigned = true
    upload.choose(aFile(1000))
    await isIn(upload, 'done')
    expect(upload.$state.get()).toEqual({ phase: 'done', missingFonts: ['Arial'], isSigned: true })
    server.missingFonts = []
    server.isSigned = false
    upload.choose(aFile(2000))
    await isIn(upload, 'checking')
    await isIn(upload, 'done')
    expect(upload.$state.get()).toEqual({ phase: 'done', missingFonts: [], isSigned: false })
  })

  test('sends nothing while paused, resumes, and stops when cancelled', async () => {
    const server = uploadServer()
    const upload = await anUpload(server.answer)
    upload.choose(aFile(2_000_000))
    await isIn(upload, 'sending')
    upload.pause()
    const paused = server.parts.length
    await new Promise((resolve) => setImmediate(resolve))
    expect(server.parts.length).toBe(paused)
    upload.resume()
    await isIn(upload, 'done')
    expect(server.opened).toBe(1)

    upload.choose(aFile(2_000_000))
    await isIn(upload, 'sending')
    await upload.cancel()
    expect(upload.$state.get()).toEqual({ phase: 'none' })
  })
})
