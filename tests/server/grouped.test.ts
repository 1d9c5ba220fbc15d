import { expect, test } from 'vitest'
import { grouped } from '../../src/server/concurrency/grouped.ts'

/** Room for all pieces of a test. */
const ROOMY = {
  atOnce: 4,
  patienceMs: 60_000,
  waiting: 100,
  waitingOfOne: 100,
  refusal: () => new Error('full'),
}

/** Resolves when all groups that may begin have begun. */
const allBegun = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

test('one owner leaves slots to others, and each call gets one result', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const answer = grouped<string, string>({
    ownerOf: (piece) => piece[0],
    work: async (pieces) => {
      await released
      return pieces.map((piece) => `${piece} done`)
    },
    ...ROOMY,
    atOnce: 1,
    most: 4,
    undivided: 4,
    waiting: 4,
    waitingOfOne: 2,
  })
  const calls = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map(answer)
  const outcomes = Promise.allSettled(calls)
  release()
  expect(
    (await outcomes).map((each) =>
      each.status === 'fulfilled' ? each.value : each.reason.message,
    ),
  ).toEqual(['a1 done', 'a2 done', 'full', 'b1 done', 'b2 done', 'full'])
})

test('the next group begins at the end of a group, or beside it once that allows it', async () => {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const answer = grouped<string, string>({
    ownerOf: (piece) => piece,
    work: async (pieces, letNextBegin) => {
      begun.push(pieces.join())
      if (pieces.includes('b')) letNextBegin()
      await new Promise<void>((resolve) => ends.set(pieces.join(), resolve))
      return [...pieces]
    },
    ...ROOMY,
    most: 3,
    undivided: 3,
  })
  const calls = [answer('a')]
  await allBegun()
  calls.push(answer('b'))
  await allBegun()
  expect(begun).toEqual(['a'])
  ends.get('a')?.()
  await calls[0]
  calls.push(answer('c'))
  await allBegun()
  expect(begun).toEqual(['a', 'b', 'c'])
  // A full group does not wait.
  calls.push(...['d', 'e', 'f'].map(answer))
  await allBegun()
  expect(begun).toEqual(['a', 'b', 'c', 'd,e,f'])
  for (const end of ends.values()) end()
  expect(await Promise.all(calls)).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
})

test('a large group takes half, so that two of the same size alternate', async () => {
  const sizes: number[] = []
  const ends: (() => void)[] = []
  const answer = grouped<number, number>({
    ownerOf: (piece) => piece,
    work: async (pieces, letNextBegin) => {
      sizes.push(pieces.length)
      letNextBegin()
      await new Promise<void>((resolve) => ends.push(resolve))
      return [...pieces]
    },
    ...ROOMY,
    most: 32,
    undivided: 2,
  })
  const calls = Array.from({ length: 20 }, (_, n) => answer(n))
  await allBegun()
  expect(sizes).toEqual([10, 10])
  for (const end of ends.splice(0)) end()
  await Promise.all(calls)
  calls.push(answer(20), answer(21))
  await allBegun()
  expect(sizes).toEqual([10, 10, 2])
  for (const end of ends) end()
  await Promise.all(calls)
})
