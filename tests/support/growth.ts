import fc from 'fast-check'
import { RUN } from './amount.ts'

/** How many times the work may grow when its text doubles: twice, and half again for noise. */
const GROWTH_MAX = 2.5

/** The lengths that are compared, in characters. Two doublings show more than one. */
const LENGTH = 2000
const DOUBLINGS = 2
const LONGER = 2 ** DOUBLINGS

/** Work below this is too short to compare, in milliseconds; quadratic work is far above it. */
const COMPARABLE_MS = 3

/** Work above this is long enough for one comparison, in milliseconds. */
const CERTAIN_MS = 200

/** How often a work is measured by the clock, and then by its processor time. */
const RUNS = 3
const ROUNDS = 4

/** How long a work is repeated where its processor time decides: the system counts in 4 ms. */
const MEASURED_MS = 30

const TESTED = RUN === 'long' ? 1000 : 10

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

type Work = (text: string) => unknown
type TextOf = (length: number) => string

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
export function expectLinear(work: Work): void {
  const property = fc.property(pattern, ({ start, piece, end }) => {
    const textOf = (length: number) => start + piece.repeat(Math.ceil(length / piece.length)) + end
    if (seemsLinear(work, textOf)) return
    const times = timesOf(work, textOf, LENGTH)
    if (areLinear(times)) return
    // Short works vary more; what grows faster does so for longer texts too.
    const later = times.longer < CERTAIN_MS ? timesOf(work, textOf, LENGTH * LONGER) : times
    if (areLinear(later)) return
    throw new Error(`takes ${times.text} ms, ${LONGER} times the text ${times.longer} ms`)
  })
  fc.assert(property, { examples: runs, numRuns: runs.length + TESTED, endOnFailure: true })
}

interface Times {
  /** In milliseconds. */
  readonly text: number
  /** For `LONGER` times the text. */
  readonly longer: number
}

const areLinear = ({ text, longer }: Times): boolean =>
  longer <= Math.max(COMPARABLE_MS, text * GROWTH_MAX ** DOUBLINGS)

/**
 * Whether the clock shows that a work is linear, or takes next to no time. It cannot show the
 * contrary, since other processes may stop this one for a while.
 */
function seemsLinear(work: Work, textOf: TextOf): boolean {
  let [text, longer] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let run = 0; run < RUNS; run++) {
    longer = Math.min(longer, elapsed(work, textOf(LENGTH * LONGER)))
    text = Math.min(text, elapsed(work, textOf(LENGTH)))
    if (areLinear({ text, longer })) return true
  }
  return false
}

/** The processor times that a work takes: of several measurements the least. */
function timesOf(work: Work, textOf: TextOf, length: number): Times {
  const [shorter, longer] = [textOf(length), textOf(length * LONGER)]
  let times = { text: Number.POSITIVE_INFINITY, longer: Number.POSITIVE_INFINITY }
  for (let round = 0; round < ROUNDS && !(round > 0 && areLinear(times)); round++) {
    times = {
      text: Math.min(times.text, processorTime(work, shorter)),
      longer: Math.min(times.longer, processorTime(work, longer)),
    }
  }
  return times
}

function elapsed(work: Work, text: string): number {
  const start = performance.now()
  work(text)
  return performance.now() - start
}

/** The processor time of this thread for one run, the mean of as many as can be measured. */
function processorTime(work: Work, text: string): number {
  const start = process.threadCpuUsage()
  for (let run = 1; ; run++) {
    work(text)
    const { user, system } = process.threadCpuUsage(start)
    const used = (user + system) / 1000
    if (used >= MEASURED_MS) return used / run
  }
}
