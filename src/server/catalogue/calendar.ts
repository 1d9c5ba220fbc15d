import * as calls from '../../contract/office-calendar.ts'
import {
  CALENDAR_KINDS,
  type CalendarEntry,
  inOrder,
  lastDayProblem,
} from '../../rules/calendar.ts'
import { CALENDAR_TAG } from '../../rules/page-tags.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import { type Route, route } from '../http/route.ts'
import {
  changeSubject,
  describeDifferences,
  lastChanges,
  latestVersions,
  type Version,
} from '../versions/versions.ts'
import first from './first-calendar.json' with { type: 'json' }

// The calendar of tests is one versioned value, whose first version is a past year's, in the repository.

const SUBJECT = 'calendar'

/** The calendar in one of its versions. */
export const calendarOf = (version: Pick<Version, 'value'> | undefined): CalendarState =>
  (version?.value ?? { entries: first }) as CalendarState

interface CalendarState {
  readonly entries: readonly CalendarEntry[]
}

export async function readCalendar({
  database: { kysely },
}: Pick<Deps, 'database'>): Promise<readonly CalendarEntry[]> {
  return calendarOf((await latestVersions(kysely, [SUBJECT])).get(SUBJECT)).entries
}

export const calendarRoutes: Route[] = [
  route(calls.getCalendar, ({ deps }) => readOfficeCalendar(deps)),
  route(calls.saveCalendar, async ({ input, user, deps }) => {
    await saveCalendar(deps, { ...input.body, actor: user.actor })
    return readOfficeCalendar(deps)
  }),
]

async function readOfficeCalendar({
  database: { kysely },
}: Pick<Deps, 'database'>): Promise<calls.Calendar> {
  const versions = await latestVersions(kysely, [SUBJECT])
  const changes = await lastChanges(kysely, versions)
  return { entries: [...calendarOf(versions.get(SUBJECT)).entries], ...changes(SUBJECT) }
}

interface CalendarChange {
  readonly entries: readonly calls.SavedEntry[]
  readonly revision: number
  readonly actor: string
}

/** Throws `done_before`, or `invalid_input` for a wrong last day and for a class or kind that does not exist. */
async function saveCalendar(
  deps: Deps,
  { entries, revision, actor }: CalendarChange,
): Promise<void> {
  const subject = SUBJECT
  const problem = entries.map(lastDayProblem).find((found) => found !== null)
  if (problem) throw fault('invalid_input', { fields: { to: problem } })
  await changeSubject(deps, { subject, revision, actor }, async (tx, latest) => {
    const classes = await tx.selectFrom('niveaux').select('code').execute()
    const known = new Set(classes.map(({ code }) => code))
    if (entries.some((entry) => entry.classes.some((code) => !known.has(code)))) {
      throw fault('invalid_input', { fields: { classes: 'invalid' } })
    }
    const kinds = await tx.selectFrom('paperKinds').select('code').execute()
    const named = new Set<string | null>([...CALENDAR_KINDS, ...kinds.map(({ code }) => code)])
    if (entries.some(({ kind }) => !named.has(kind))) {
      throw fault('invalid_input', { fields: { kind: 'invalid' } })
    }
    const before = calendarOf(latest)
    const value = { entries: numbered(entries, before.entries) }
    const reason = describeDifferences(shownCalendar(before), shownCalendar(value))
    return reason === '' ? null : { value, reason, tags: [CALENDAR_TAG] }
  })
}

/** In their order. New ones, and those that name an id which none had just before, get one of their own. */
function numbered(
  entries: readonly calls.SavedEntry[],
  before: readonly CalendarEntry[],
): CalendarEntry[] {
  const kept = new Set(before.map(({ id }) => id))
  let last = Math.max(0, ...kept)
  return inOrder(entries).map((entry) => {
    // An id is given once.
    if (entry.id !== null && kept.delete(entry.id)) return { ...entry, id: entry.id }
    last += 1
    return { ...entry, id: last }
  })
}

/** As the log and the history show it: a line for each entry. */
export function shownCalendar({ entries }: CalendarState): Readonly<Record<string, string>> {
  const lines = entries.map(({ id, kind, trimester, from, to, source, classes }) => {
    const facts = [kind, trimester, `${from} – ${to}`, source, classes.join(', ')]
    return [`dates ${id}`, facts.filter(Boolean).join(' · ')] as const
  })
  return Object.fromEntries(lines)
}
