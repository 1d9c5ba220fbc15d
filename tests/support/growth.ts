import fc from 'fast-check'

/** How many times the work may grow when its text doubles: twice, and half again for noise. */
const GROWTH_MAX = 2.5

/** The lengths that are compared, in characters. Two doublings show more than one. */
const LENGTH = 6000
const DOUBLINGS = 2

/** Work below this is too short to compare, in milliseconds; quadratic work is far above it. */
const COMPARABLE_MS = 3

/** How often a work is measured, and how often more before it fails. */
const RUNS = 3
const ROUNDS = 4

/** How long a work is repeated where its processor time decides: the system counts in 4 ms. */
const MEASURED_MS = 80

const TESTED = process.env.TESTS_LONG ? 1000 : 30

/**
 * Letters, marks and signs at which expressions and loops that look for an end begin again, alone
 * and as they follow each other in texts.
 */
const PIECES = [
  ...'aاءئؤوة1٣ \n\t.,-_@/:\\*~`"\'!?#&=+%()[]{}<>|^$',
  'َ',
  '\u0654', // the hamza of ئ
  '\u0301\u0316', // marks that normalisation sorts
  '\uff9e\u0654', // a letter that becomes such a mark
  '\u0640\u0674',
  '\u200f',
  'ﷺ',
  '🙂',
  '👩‍👩‍👧',
  ...['ال', 'لل', 'ءو', 'ئ ', 'ئ1', 'a ', 'a1', 'a.', 'a@', 'a@b.c', 'ab-', '12 34', ' \n', '\n\t'],
  ...['//', 'http://', 'https://shop.example/', '{{', '}}', '**', '*_', '*a_ ', '[a](', '![', ']('],
  ...['> ', '- ', '1. ', '"a ', '--', '="', ';\n', '<a '],
]

/** A text made of a repeated piece, which may begin otherwise, and end so that a match fails. */
const pattern = fc.record({
  start: fc.constantFrom('', ...PIECES),
  piece: fc
    .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 3 })
    .map((all) => all.join('')),
  end: fc.constantFrom('', '\0', ...PIECES),
})

const runs = PIECES.map(
  (piece) => [{ start: '', piece, end: '\0' }] as [{ start: string; piece: string; end: string }],
)

/**
 * Checks that a work takes at most `GROWTH_MAX` times as long for a text of twice the length: for
 * runs of each piece, and for random patterns.
 */
export function expectLinear(work: (text: string) => unknown): void {
  const property = fc.property(pattern, ({ start, piece, end }) => {
    const textOf = (length: number) => start + piece.repeat(Math.ceil(length / piece.length)) + end
    const [text, longer] = [textOf(LENGTH), textOf(LENGTH * 2 ** DOUBLINGS)]
    const [least, most] = growthOf(work, text, longer)
    if (most > least * GROWTH_MAX ** DOUBLINGS) {
      throw new Error(
        `${text.length} characters take ${least} ms, ${longer.length} take ${most} ms`,
      )
    }
  })
  fc.assert(property, { examples: runs, numRuns: runs.length + TESTED, endOnFailure: true })
}

/**
 * How long a work takes for either text, in milliseconds. The clock may show that it is linear;
 * since other processes may have stopped it for a while, only the thread's processor time may show
 * that it is not.
 */
function growthOf(work: (text: string) => unknown, text: string, longer: string): [number, number] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let run = 0; run < RUNS; run++) {
    most = Math.min(most, elapsed(work, longer))
    if (most < COMPARABLE_MS) return [most, most]
    least = Math.min(least, elapsed(work, text))
    if (most <= least * GROWTH_MAX ** DOUBLINGS) return [least, most]
  }
  let [usedLeast, usedMost] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let round = 0; round < ROUNDS; round++) {
    usedLeast = Math.min(usedLeast, processorTime(work, text))
    usedMost = Math.min(usedMost, processorTime(work, longer))
    if (usedMost <= usedLeast * GROWTH_MAX ** DOUBLINGS) break
  }
  return [usedLeast, usedMost]
}

function elapsed(work: (text: string) => unknown, text: string): number {
  const start = performance.now()
  work(text)
  return performance.now() - start
}

/** The processor time of this thread for one run, the mean of many. */
function processorTime(work: (text: string) => unknown, text: string): number {
  const start = process.threadCpuUsage()
  for (let run = 1; ; run++) {
    work(text)
    const { user, system } = process.threadCpuUsage(start)
    const used = (user + system) / 1000
    if (used >= MEASURED_MS) return used / run
  }
}
