import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createPasswords } from '../../../src/server/accounts/passwords.ts'
import { createTurns } from '../../../src/server/concurrency/turns.ts'

const refusal = () => new Error('full')

/** Work that begins when its turn comes and ends when the test says so. */
function workshop(turns: ReturnType<typeof createTurns>) {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const refused: string[] = []
  return {
    begun,
    refused,
    running: () => [...ends.keys()],
    async send(name: string, owner: string | null = name.charAt(0)) {
      const work = () => {
        begun.push(name)
        return new Promise<void>((resolve) => ends.set(name, resolve))
      }
      void turns.take(work, owner).catch(() => refused.push(name))
      await settled()
    },
    async end(name: string) {
      ends.get(name)?.()
      ends.delete(name)
      await settled()
    },
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('owners have their turns one after the other, however much one of them sends', async () => {
  const shop = workshop(createTurns(1, { waiting: 10, refusal }))
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) await shop.send(name)
  for (let [name] = shop.running(); name !== undefined; [name] = shop.running()) {
    await shop.end(name)
  }
  expect(shop.begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
})

test('an owner leaves a place free for others', async () => {
  const bounds = { waiting: 10, ofOwner: { atOnce: 1, waiting: 10 }, refusal }
  const shop = workshop(createTurns(2, bounds))
  for (const name of ['a1', 'a2', 'b1']) await shop.send(name)
  expect(shop.running()).toEqual(['a1', 'b1'])
})

test('the one whose own queue is full is refused, and a full queue takes from the longest', async () => {
  const bounds = { waiting: 4, ofOwner: { atOnce: 1, waiting: 3 }, refusal }
  const shop = workshop(createTurns(1, bounds))
  for (const name of ['x1', 'a1', 'a2', 'a3', 'a4', 'b1']) await shop.send(name)
  expect(shop.refused).toEqual(['a4'])
  await shop.send('c1')
  expect(shop.refused).toEqual(['a4', 'a3'])
  await shop.send('d1')
  expect(shop.refused).toEqual(['a4', 'a3', 'a2'])
  // Four owners wait with one piece each: nobody has more than the newcomer.
  await shop.send('e1')
  expect(shop.refused).toEqual(['a4', 'a3', 'a2', 'e1'])
})

test('bounds hold, nothing is lost, and no place stays free while work may begin', async () => {
  const steps = fc.array(
    fc.oneof(
      { weight: 3, arbitrary: fc.record({ owner: fc.constantFrom('a', 'b', 'c', 'd', null) }) },
      { weight: 2, arbitrary: fc.record({ ends: fc.nat(20) }) },
    ),
    { maxLength: 60 },
  )
  await fc.assert(
    fc.asyncProperty(steps, fc.integer({ min: 1, max: 3 }), async (all, atOnce) => {
      const ofOwner = { atOnce: Math.max(1, atOnce - 1), waiting: 3 }
      const shop = workshop(createTurns(atOnce, { waiting: 6, ofOwner, refusal }))
      const sent: string[] = []
      for (const [at, step] of all.entries()) {
        if ('owner' in step) {
          const name = `${step.owner ?? '-'}${at}`
          sent.push(name)
          await shop.send(name, step.owner)
        } else {
          const running = shop.running()
          const name = running[step.ends % Math.max(1, running.length)]
          if (name !== undefined) await shop.end(name)
        }
        const running = shop.running()
        const waiting = sent.filter((n) => !shop.begun.includes(n) && !shop.refused.includes(n))
        const of = (names: string[], owner: string) => names.filter((n) => n.startsWith(owner))
        expect(running.length).toBeLessThanOrEqual(atOnce)
        expect(waiting.length).toBeLessThanOrEqual(6)
        for (const owner of ['a', 'b', 'c', 'd']) {
          expect(of(running, owner).length).toBeLessThanOrEqual(ofOwner.atOnce)
          expect(of(waiting, owner).length).toBeLessThanOrEqual(ofOwner.waiting)
          expect(of(shop.begun, owner)).toEqual(
            of(sent, owner).filter((name) => shop.begun.includes(name)),
          )
        }
        const mayBegin = (name: string) =>
          name.startsWith('-') || of(running, name.charAt(0)).length < ofOwner.atOnce
        if (running.length < atOnce) expect(waiting.filter(mayBegin)).toEqual([])
      }
      for (let [name] = shop.running(); name !== undefined; [name] = shop.running()) {
        await shop.end(name)
      }
      expect([...shop.begun, ...shop.refused].sort()).toEqual(sent.toSorted())
    }),
  )
})

test('an address that checks passwords as fast as it can is refused alone', async () => {
  const passwords = createPasswords()
  const own = Array.from({ length: 60 }, () => passwords.isRight('wrong', null, 'one address'))
  const other = Array.from({ length: 10 }, () => passwords.isRight('wrong', null, 'another'))
  const answers = await Promise.allSettled(own)
  const refused = answers.filter(({ status }) => status === 'rejected')
  // One is checked, and 40 wait.
  expect(refused).toHaveLength(19)
  for (const answer of refused) expect(answer).toMatchObject({ reason: { code: 'unavailable' } })
  expect(await Promise.all(other)).toEqual(Array(10).fill(false))
})
