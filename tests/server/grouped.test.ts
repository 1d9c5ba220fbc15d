import { expect, test } from 'vitest'
import { grouped } from '../../src/server/concurrency/grouped.ts'

test('one owner leaves slots to others, and each call gets one result', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const answer = grouped<string, string>({
    ownerOf: (piece) => piece[0],
    work: async (pieces) => {
      await released
      return pieces.map((piece) => `${piece} done`)
    },
    atOnce: 1,
    crowd: 2,
    patienceMs: 1000,
    most: 4,
    waiting: 4,
    waitingOfOne: 2,
    refusal: () => new Error('full'),
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
