import type { CDPSession } from 'playwright'

interface TraceEvent {
  name: string
  ph: string
  pid: number
  tid: number
  /** Microseconds; `tdur`, where it is known, is what the thread itself worked. */
  ts: number
  dur?: number
  tdur?: number
  args?: { name?: string }
}

/** What the main thread of a page worked, in milliseconds. */
export interface Work {
  /** Every task, longest first. */
  readonly tasks: readonly number[]
  /** Of the tasks, what each is over 50 ms. */
  readonly blocked: number
  readonly total: number
  /** By kind: `style`, `layout`, `script`, `parse`, `paint`. */
  readonly byKind: Readonly<Record<string, number>>
}

const KINDS: Readonly<Record<string, string>> = {
  UpdateLayoutTree: 'style',
  ParseAuthorStyleSheet: 'style',
  Layout: 'layout',
  ParseHTML: 'parse',
  EvaluateScript: 'script',
  'v8.compile': 'script',
  FunctionCall: 'script',
  TimerFire: 'script',
  FireAnimationFrame: 'script',
  FireIdleCallback: 'script',
  RunMicrotasks: 'script',
  V8GCScavenge: 'script',
  PrePaint: 'paint',
  Paint: 'paint',
  Layerize: 'paint',
  Commit: 'paint',
  UpdateLayer: 'paint',
}

const CATEGORIES = ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline', 'v8']

/** Notes what the page's main thread does while `visit` runs. */
export async function workDuring(
  session: CDPSession,
  visit: () => Promise<unknown>,
): Promise<Work> {
  const events: TraceEvent[] = []
  const keep = ({ value }: { value: object[] }) => {
    for (const event of value) events.push(event as TraceEvent)
  }
  session.on('Tracing.dataCollected', keep)
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: CATEGORIES, excludedCategories: ['*'] },
  })
  await visit()
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve))
  await session.send('Tracing.end')
  await complete
  session.off('Tracing.dataCollected', keep)
  return workIn(events)
}

/** Of all threads that draw pages the one that worked most. */
function workIn(events: readonly TraceEvent[]): Work {
  const drawing = events.filter(
    ({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain',
  )
  const works = drawing.map(({ pid, tid }) =>
    workOf(events.filter((event) => event.pid === pid && event.tid === tid && event.ph === 'X')),
  )
  const most = works.toSorted((a, b) => b.total - a.total)[0]
  if (!most) throw new Error('The trace knows no thread that draws a page.')
  return most
}

function workOf(events: readonly TraceEvent[]): Work {
  const tasks = events
    .filter(({ name }) => name === 'RunTask' || name === 'ThreadControllerImpl::RunTask')
    .map(lasted)
    .sort((a, b) => b - a)
  const byKind: Record<string, number> = {}
  for (const [kind, time] of ownTimes(events)) byKind[kind] = (byKind[kind] ?? 0) + time
  return {
    tasks,
    blocked: tasks.reduce((sum, task) => sum + Math.max(0, task - 50), 0),
    total: tasks.reduce((sum, task) => sum + task, 0),
    byKind,
  }
}

/** What each event of a known kind worked without the events within it. */
function* ownTimes(events: readonly TraceEvent[]): Generator<[kind: string, time: number]> {
  const open: { end: number; kind: string; own: number }[] = []
  const byStart = events
    .filter(({ name }) => KINDS[name])
    .toSorted((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0))
  for (const event of byStart) {
    while (open.length > 0 && (open.at(-1)?.end ?? 0) <= event.ts) {
      const done = open.pop()
      if (done) yield [done.kind, done.own]
    }
    const around = open.at(-1)
    if (around) around.own -= lasted(event)
    open.push({
      end: event.ts + (event.dur ?? 0),
      kind: KINDS[event.name] ?? '',
      own: lasted(event),
    })
  }
  for (const { kind, own } of open) yield [kind, own]
}

/** Milliseconds, of the thread's own clock where the event has it: another process then counts less. */
function lasted({ dur = 0, tdur }: TraceEvent): number {
  return (tdur ?? dur) / 1000
}
