import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { pageCount } from '../../src/server/library/pages/pictures.ts'
import {
  createRenderer,
  RendererBusy,
  UnreadablePdf,
} from '../../src/server/library/pages/renderer.ts'
import { pdf } from '../support/downloads.ts'

describe('the renderer', () => {
  async function storedPdf(bytes: Uint8Array = pdf): Promise<string> {
    const { tmpdir } = await import('node:os')
    const file = join(tmpdir(), `karras-renderer-${process.pid}`, `${Math.random()}.pdf`)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, bytes)
    onTestFinished(() => rm(file, { force: true }))
    return file
  }

  function aRenderer(limits?: Parameters<typeof createRenderer>[0]) {
    const renderer = createRenderer(limits)
    onTestFinished(() => renderer.close())
    return renderer
  }

  test('counts pages, and survives files that are no PDF', async () => {
    const renderer = aRenderer()
    expect(await pageCount(renderer, await storedPdf())).toBe(3)
    for (const bytes of [new Uint8Array(), Buffer.from('GIF89a'), pdf.subarray(0, 60)]) {
      await expect(pageCount(renderer, await storedPdf(bytes))).rejects.toThrow(UnreadablePdf)
    }
    await expect(pageCount(renderer, '/nowhere.pdf')).rejects.toThrow(UnreadablePdf)
    expect(await pageCount(renderer, await storedPdf())).toBe(3)
  })

  test('cancels what takes too long, and continues', async () => {
    const impatient = aRenderer({ waiting: 5, patience: 1, idle: 1000 })
    const path = await storedPdf()
    await expect(
      impatient.run({ kind: 'picture', path, page: 1, width: 900, format: 'webp' }),
    ).rejects.toThrow(UnreadablePdf)
    await expect(
      impatient.run({ kind: 'picture', path, page: 1, width: 900, format: 'webp' }),
    ).rejects.toThrow(UnreadablePdf)
  })

  test('refuses more than may wait, and the waiting ones at the end', async () => {
    const renderer = aRenderer({ waiting: 2, patience: 20_000, idle: 1000 })
    const path = await storedPdf()
    const jobs = Array.from({ length: 4 }, () => renderer.run({ kind: 'sizes', path, most: 9 }))
    const settled = Promise.allSettled(jobs)
    await expect(jobs[3]).rejects.toThrow(RendererBusy)
    await renderer.close()
    for (const job of await settled) expect(job.status).toBe('rejected')
  })

  test('draws for accounts in turn, whoever asked first', async () => {
    const renderer = aRenderer()
    const path = await storedPdf()
    const done: string[] = []
    const draw = async (account: number | null, name: string) => {
      await renderer.run({ kind: 'sizes', path, most: 9 }, account)
      done.push(name)
    }
    const jobs = ['a1', 'a2', 'a3'].map((name) => draw(1, name))
    jobs.push(draw(2, 'b1'), draw(2, 'b2'), draw(null, 'n1'), draw(null, 'n2'), draw(3, 'c1'))
    await Promise.all(jobs)
    expect(done).toEqual(['a1', 'b1', 'n1', 'c1', 'a2', 'b2', 'n2', 'a3'])
  })

  test('gives every account a slot, however many the others want', async () => {
    const path = await storedPdf()
    const newcomers = fc.array(fc.integer({ min: 6, max: 9 }), { minLength: 1, maxLength: 12 })
    const flood = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 21, maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(flood, newcomers, async (first, later) => {
        const renderer = createRenderer({ waiting: 20, patience: 20_000, idle: 1000 })
        const refused: number[] = []
        const ask = (account: number) =>
          renderer.run({ kind: 'sizes', path, most: 9 }, account).catch((error: unknown) => {
            if (error instanceof RendererBusy) refused.push(account)
          })
        const jobs = [...first, ...later].map(ask)
        await new Promise(setImmediate)
        // Nothing was drawn meanwhile: calls were refused, or wait.
        const isServed = [...new Set(later)].every((account) => {
          const count = (list: number[]) => list.filter((each) => each === account).length
          return count(refused) < count(later)
        })
        expect(refused).toHaveLength(first.length + later.length - 21)
        await renderer.close()
        await Promise.all(jobs)
        return isServed
      }),
      { numRuns: 30 },
    )
  })

  test('ends an idle thread and starts another', async () => {
    const renderer = aRenderer({ waiting: 5, patience: 20_000, idle: 0 })
    const path = await storedPdf()
    for (let turn = 0; turn < 3; turn++) {
      expect(await pageCount(renderer, path)).toBe(3)
      await new Promise((resolve) => setImmediate(resolve))
    }
  })
})
