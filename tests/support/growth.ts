import { expect } from 'vitest'

/** How many times the work may grow when the input doubles: twice, and half again for noise. */
const GROWTH_MAX = 2.5

/** The first measured length, in characters: short enough that cubic work ends. */
const SHORTEST = 500
/** The longest measured length; a quarter of the longest input. */
const LONGEST = 64_000

/** Work that takes less processor time, in microseconds, is too short to compare. */
const MEASURABLE_US = 4000

/** How often a length is measured at first, and how often again before it fails. */
const RUNS = 5
const RETRIES = 4

/**
 * Runs of one piece, and mixtures, in which expressions and loops that look for an end start again at
 * each character.
 */
export const PIECES = [
  ...'aاءئؤوة٣1 \t\n.,-_@/:\\*~`"\'!?#&=+%',
  ...'()[]{}<>|^$',
  '\u0654', // the hamza of ئ
  'َ',
  '\u0301\u0316', // marks that normalisation sorts
  '\u0640\u0674',
  '\u200f',
  '\uff9e\u0654', // a letter that becomes a mark
  'ﷺ',
  '🙂',
  '👩‍👩‍👧',
  'ال',
  'لل',
  'ئ ',
  'ئ1',
  'ءو',
  'a ',
  'a1',
  'ab-',
  'a@',
  'a@b.',
  'a.',
  '//',
  '> ',
  '- ',
  '1. ',
  '**',
  '*_',
  '*a_ ',
  '![',
  '](',
  '[a](',
  '{{',
  '}}',
  'http://',
  'https://a.b/',
  '12 34',
  ' \n',
  '\n\t',
] as const

/** A text of about this length made of one piece, with an end that makes many matches fail. */
export const run =
  (piece: string, end = '') =>
  (length: number): string =>
    piece.repeat(Math.ceil(length / piece.length)) + end

/**
 * Fails if the work for twice the input is more than `GROWTH_MAX` times the work. Measured in
 * processor time of this thread, of which the least of several runs counts, so that other processes
 * do not matter; with four times the input, so that noise matters less.
 */
export function expectLinear<Input>(
  work: (input: Input) => unknown,
  inputOf: (length: number) => Input,
  { longest = LONGEST, name = '' } = {},
): void {
  let length = SHORTEST
  let least = leastTime(work, inputOf(length), 1)
  while (least < MEASURABLE_US && length < longest) {
    length *= 2
    least = leastTime(work, inputOf(length), 1)
  }
  const [input, larger] = [inputOf(length), inputOf(4 * length)]
  let most = Number.POSITIVE_INFINITY
  for (let round = 0; round <= RETRIES; round++) {
    least = Math.min(least, leastTime(work, input, RUNS))
    most = Math.min(most, leastTime(work, larger, round === 0 ? 1 : RUNS))
    if (most <= Math.max(MEASURABLE_US, least * GROWTH_MAX ** 2)) return
  }
  expect.fail(
    `${name}: ${length} characters take ${least} µs, four times as many ${most} µs of the processor`,
  )
}

function leastTime<Input>(work: (input: Input) => unknown, input: Input, runs: number): number {
  let least = Number.POSITIVE_INFINITY
  for (let each = 0; each < runs; each++) {
    const before = process.threadCpuUsage()
    work(input)
    const { user, system } = process.threadCpuUsage(before)
    least = Math.min(least, user + system)
  }
  return least
}
