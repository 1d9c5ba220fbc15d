import * as s from 'superstruct'
import { CALENDAR_MAX, type CalendarEntry } from '../rules/calendar.ts'
import { ENTRIES_MAX } from '../rules/catalogue-lists.ts'
import { defineCall } from './call.ts'
import { dates } from './programme.ts'
import { id, LastChange, revision, text } from './values.ts'

/** The calendar of tests, in the order of its days. */
export const Calendar = s.type({
  entries: s.array(
    s.type({
      ...dates,
      id: id(),
      classes: s.array(s.string()),
    }) satisfies s.Describe<CalendarEntry>,
  ),
  revision: s.number(),
  changed: LastChange,
})
export type Calendar = s.Infer<typeof Calendar>

const classCode = () => text(1, 200)
const saved = s.object({
  ...dates,
  /** null: a new entry. */
  id: s.nullable(id()),
  classes: s.size(s.array(classCode()), 0, ENTRIES_MAX),
})
export type SavedEntry = s.Infer<typeof saved>

export const getCalendar = defineCall('GET /office/admin/calendar', 'admin', { result: Calendar })

/**
 * Saves the whole calendar. `revision` is the one that was read: if it has changed since, the answer is 409
 * `done_before` and nothing is saved. `classes` and `kind` are codes; an unknown one is refused, and a
 * last day before the first or long after it.
 */
export const saveCalendar = defineCall('PUT /office/admin/calendar', 'admin', {
  body: s.object({ revision: revision(), entries: s.size(s.array(saved), 0, CALENDAR_MAX) }),
  takesAtMost: 512 * 1024,
  result: Calendar,
  errors: ['done_before'],
})
