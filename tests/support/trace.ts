import type { CDPSession, Page } from 'playwright'

interface TraceEvent {
  name: string
  ph: string
  pid: number
  tid: number
  /** Microseconds; `tdur`, where it is known, is the thread's own CPU time. */
  ts: number
  dur?: number
  tdur?: number
  args?: { name?: string }
}

/** The work of a page's main thread, in milliseconds of CPU time. */
export interface Work {
  /** Every task, longest first. */
  readonly tasks: readonly number[]
  /** The sum of what each task takes beyond 50 ms. */
  readonly blocked: number
  readonly total: number
  /**
   * The time of `STANDARD_WORK` on the same thread right afterwards. Ratios to it hardly change on
   * a busy machine.
   */
  readonly standard: number
}

const CATEGORIES = [
  'devtools.timeline',
  'disabled-by-default-devtools.timeline',
  'v8',
  'blink.user_timing',
]

const MARK = 'standard work'

/** Script, style and layout, in proportions like those of a page, in one task with a mark in it. */
const STANDARD_WORK = `{
  performance.mark(${JSON.stringify(MARK)})
  const box = document.createElement('div')
  box.style.cssText = 'position: absolute; visibility: hidden; width: 300px'
  for (let n = 0; n < 300; n++) {
    const part = box.appendChild(document.createElement('p'))
    part.append('one ', document.createElement('b'), 'three')
  }
  document.body.append(box)
  let sum = 0
  for (let width = 200; width < 210; width++) {
    box.style.width = width + 'px'
    sum += box.offsetHeight
  }
  box.remove()
  for (let n = 0; n < 3e5; n++) sum = (sum * 31 + n) % 65521
  sum
}`

/** Records the work of a page's main thread during a visit, which leaves the page open. */
export async function workDuring<Seen>(
  page: Page,
  session: CDPSession,
  visit: () => Promise<Seen>,
): Promise<{ seen: Seen; work: Work }> {
  const events: TraceEvent[] = []
  const keep = ({ value }: { value: object[] }) => {
    for (const event of value) events.push(event as TraceEvent)
  }
  session.on('Tracing.dataCollected', keep)
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: CATEGORIES, excludedCategories: ['*'] },
  })
  const seen = await visit()
  await page.evaluate(STANDARD_WORK)
  // The response comes from within the task, which ends before the next one.
  await page.evaluate('0')
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve))
  await session.send('Tracing.end')
  await complete
  session.off('Tracing.dataCollected', keep)
  return { seen, work: workIn(events) }
}

/** The work of the thread that has the mark, up to it. */
function workIn(events: readonly TraceEvent[]): Work {
  const mark = events.find(({ name }) => name === MARK)
  if (!mark) throw new Error('The trace has lost the mark.')
  const ofThread = events.filter(
    ({ pid, tid, ph }) => ph === 'X' && pid === mark.pid && tid === mark.tid,
  )
  const isAround = ({ name, ts, dur = 0 }: TraceEvent) =>
    isTask(name) && ts <= mark.ts && mark.ts <= ts + dur
  const standard = ofThread.find(isAround)
  if (!standard) throw new Error('The trace has lost the standard work.')
  return { ...workOf(ofThread.filter(({ ts }) => ts < standard.ts)), standard: lasted(standard) }
}

/** The category `toplevel` has another event around each of these, which would count twice. */
const isTask = (name: string) => name === 'RunTask'

function workOf(events: readonly TraceEvent[]): Omit<Work, 'standard'> {
  const tasks = events
    .filter(({ name }) => isTask(name))
    .map(lasted)
    .sort((a, b) => b - a)
  return {
    tasks,
    blocked: tasks.reduce((sum, task) => sum + Math.max(0, task - 50), 0),
    total: tasks.reduce((sum, task) => sum + task, 0),
  }
}

/** Milliseconds, of CPU time where the event has it, which other processes affect less. */
function lasted({ dur = 0, tdur }: TraceEvent): number {
  return (tdur ?? dur) / 1000
}
