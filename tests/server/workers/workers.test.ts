import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { JOB } from '../../../src/server/workers/bounds.ts'
import {
  AccountBusy,
  ExhaustingFile,
  openLane,
  UnreadableFile,
  WorkersBusy,
} from '../../../src/server/workers/lane.ts'
import { inTime, openWorkers, tasksOf } from '../../../src/server/workers/workers.ts'
import { aDatabase } from '../../support/database.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import type * as Tasks from './tasks.ts'

const MODULE = new URL('./tasks.ts', import.meta.url)
const task = tasksOf<typeof Tasks>(MODULE)
const MEGABYTE = 1024 ** 2
/** A job that a test lets go over its bounds does so at once. */
const SMALL = { memoryBytes: 220 * MEGABYTE, processorMs: 1500 }

function someWorkers() {
  const workers = openWorkers(null)
  onTestFinished(() => workers.close())
  return workers
}

const drafts = { lane: 'drafts', account: 'user 1' } as const

describe('a job', () => {
  test('returns what its task does, bytes too, whatever it was given', async () => {
    const workers = someWorkers()
    const given = { text: 'كرّاس', list: [1, null, undefined], bytes: new Uint8Array([1, 2, 3]) }
    expect(await workers.run(task('echo'), given, drafts)).toEqual(given)
  })

  test('that throws says so of its file, and the next one is done', async () => {
    const workers = someWorkers()
    const failing = workers.run(task('fail'), { message: 'not so' }, drafts)
    await expect(failing).rejects.toThrow(new UnreadableFile('not so'))
    await expect(failing).rejects.not.toBeInstanceOf(ExhaustingFile)
    expect(await workers.run(task('echo'), 7, drafts)).toBe(7)
  })

  test.each(['fillBuffers', 'fillWasm'] as const)(
    'that takes more memory than allowed is ended with its process (%s)',
    async (name) => {
      const workers = someWorkers()
      const running = workers.run(task(name, SMALL), undefined, drafts)
      await expect(running).rejects.toThrow(new ExhaustingFile('memory'))
      expect(await workers.run(task('echo'), 7, drafts)).toBe(7)
    },
  )

  test('that fills the heap is ended, by its bound or by a crash', async () => {
    const running = someWorkers().run(task('fillHeap', SMALL), undefined, drafts)
    await expect(running).rejects.toThrow(ExhaustingFile)
  })

  test('that takes more processor time than allowed is ended, although it never yields', async () => {
    const running = someWorkers().run(task('spin', SMALL), { ms: 60_000 }, drafts)
    await expect(running).rejects.toThrow(new ExhaustingFile('time'))
  })

  test('may take its time if it does not use the processor', async () => {
    const limit = { processorMs: 1000 }
    expect(await someWorkers().run(task('rest', limit), { ms: 1200 }, drafts)).toBe(1200)
  })

  test('that returns too much is refused', async () => {
    const running = someWorkers().run(task('bytes'), { count: JOB.outputBytes + 1 }, drafts)
    await expect(running).rejects.toThrow(new ExhaustingFile('output'))
  })

  test('whose process is ended from outside says nothing about its file', async () => {
    const running = someWorkers().run(task('endFromOutside'), undefined, drafts)
    await expect(running).rejects.toThrow(WorkersBusy)
  })

  test('that cannot read says nothing about its file', async () => {
    await expect(someWorkers().run(task('readNothing'), undefined, drafts)).rejects.toThrow(
      WorkersBusy,
    )
  })

  test('that crashes twice is the fault of its file', async () => {
    const running = someWorkers().run(task('crash'), undefined, drafts)
    await expect(running).rejects.toThrow(ExhaustingFile)
  })

  test('sees none of the secrets of the shop', async () => {
    vi.stubEnv('JWT_SECRET', 'a secret')
    const seen = await someWorkers().run(task('environment'), undefined, drafts)
    expect(Object.keys(seen).sort()).not.toContain('JWT_SECRET')
    vi.unstubAllEnvs()
  })

  test('that somebody waits for is refused after a while, and goes on', async () => {
    const running = someWorkers().run(task('rest'), { ms: 300 }, drafts)
    await expect(inTime(running, 1)).rejects.toThrow(WorkersBusy)
    expect(await running).toBe(300)
  })
})

describe('a lane', () => {
  const bounds = { waiting: 20, ofAccount: 40, tries: 3, crashes: 2, idleMs: 1000 }
  const message = (name: keyof typeof Tasks, input: unknown = null) => ({
    module: MODULE.href,
    name,
    input,
    bounds: JOB,
  })

  function aLane(processes = 1, changed: Partial<typeof bounds> = {}) {
    const lane = openLane({ processes, niceness: 0 }, { ...bounds, ...changed })
    onTestFinished(() => lane.close())
    return lane
  }

  test('serves the account next that has used least, in seconds and not in jobs', async () => {
    const lane = aLane()
    const done: string[] = []
    const run = async (account: string, ms: number) => {
      await lane.run({ message: message('spin', { ms }), account, file: null })
      done.push(account)
    }
    // The first job takes a second; each other account may do ten of its own before the second one.
    const jobs = [run('heavy', 1000), run('heavy', 1000)]
    for (let turn = 0; turn < 3; turn++) jobs.push(run('a', 20), run('b', 20))
    await Promise.all(jobs)
    expect(done[0]).toBe('heavy')
    expect(done.at(-1)).toBe('heavy')
  })

  test('never opens two files of an account, or one file twice, at the same time', async () => {
    const lane = aLane(3)
    const path = join(temporaryDirectory(), 'go')
    const order: string[] = []
    const run = async (account: string, file: string, name: 'waitFor' | 'echo') => {
      await lane.run({ message: message(name, { path }), account, file })
      order.push(`${account} ${file}`)
    }
    const held = [run('a', 'x', 'waitFor'), run('a', 'y', 'echo'), run('b', 'x', 'echo')]
    await run('c', 'z', 'echo')
    await run('d', 'z', 'echo')
    expect(order).toEqual(['c z', 'd z'])
    await writeFile(path, '')
    await Promise.all(held)
    expect(order[2]).toBe('a x')
  })

  test('refuses more of an account than it may have under way', async () => {
    const lane = aLane(1, { ofAccount: 3 })
    const jobs = Array.from({ length: 4 }, () =>
      lane.run({ message: message('echo'), account: 'a', file: null }),
    )
    const settled = await Promise.allSettled(jobs)
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    await expect(jobs[3]).rejects.toThrow(AccountBusy)
  })

  test('gives every account a place, however many the others want', async () => {
    const newcomers = fc.array(fc.integer({ min: 6, max: 9 }), { minLength: 1, maxLength: 12 })
    const flood = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 21, maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(flood, newcomers, async (first, later) => {
        const lane = openLane({ processes: 1, niceness: 0 }, bounds)
        const refused: number[] = []
        const ask = (account: number) =>
          lane
            .run({ message: message('echo'), account: `user ${account}`, file: null })
            .catch((error: unknown) => {
              if (error instanceof WorkersBusy) refused.push(account)
            })
        const jobs = [...first, ...later].map(ask)
        await new Promise(setImmediate)
        // Nothing was done meanwhile: jobs were refused, or wait.
        const count = (list: number[], account: number) =>
          list.filter((each) => each === account).length
        const isServed = [...new Set(later)].every(
          (account) => count(refused, account) < count(later, account),
        )
        expect(refused).toHaveLength(first.length + later.length - 21)
        lane.close()
        await Promise.all(jobs)
        return isServed
      }),
      { numRuns: 20 },
    )
  })

  test('refuses what is under way and what waits when it is closed', async () => {
    const lane = aLane()
    const jobs = [1, 2].map(() =>
      lane.run({ message: message('spin', { ms: 60_000 }), account: 'a', file: null }),
    )
    const settled = Promise.allSettled(jobs)
    lane.close()
    for (const { status } of await settled) expect(status).toBe('rejected')
    await expect(lane.run({ message: message('echo'), account: 'a', file: null })).rejects.toThrow(
      WorkersBusy,
    )
  })
})

describe('what is known of a file', () => {
  const of = (sha256: string, part?: number) => ({
    ...drafts,
    file: { sha256, ...(part !== undefined && { part }) },
  })

  test('is remembered by its hash, for every process, and paid for once', async () => {
    const { database } = await aDatabase()
    const [one, other] = [openWorkers(database), openWorkers(database)]
    onTestFinished(async () => void (await Promise.all([one.close(), other.close()])))
    const spin = task('spin', SMALL)
    await expect(one.run(spin, { ms: 60_000 }, of('a', 3))).rejects.toThrow(ExhaustingFile)
    // It would succeed now, and is not tried.
    for (const workers of [one, other]) {
      await expect(workers.run(spin, { ms: 1 }, of('a', 3))).rejects.toThrow(ExhaustingFile)
    }
    expect(await other.run(spin, { ms: 1 }, of('a', 4))).toBeGreaterThan(0)
    expect(await other.run(spin, { ms: 1 }, of('b', 3))).toBeGreaterThan(0)
    expect(await other.run(task('echo'), 1, of('a', 3))).toBe(1)
  })

  test('holds for all of its parts after three faults', async () => {
    const { database } = await aDatabase()
    const workers = openWorkers(database)
    onTestFinished(() => workers.close())
    for (const part of [1, 2, 3]) {
      const fault = { sha256: 'a', task: 'spin', part, reason: 'time' } as const
      await database.kysely.insertInto('fileFaults').values(fault).execute()
    }
    await expect(workers.run(task('spin'), { ms: 1 }, of('a', 9))).rejects.toThrow(ExhaustingFile)
  })

  test('is nothing where the machine was at fault', async () => {
    const { database } = await aDatabase()
    const workers = openWorkers(database)
    onTestFinished(() => workers.close())
    await expect(workers.run(task('endFromOutside'), undefined, of('a'))).rejects.toThrow(
      WorkersBusy,
    )
    expect(await database.kysely.selectFrom('fileFaults').selectAll().execute()).toEqual([])
  })
})
