import * as s from 'superstruct'
import { UNSTAMPABLE } from '../rules/stamp.ts'
import { defineCall } from './call.ts'
import { id, LastChange, moment } from './values.ts'

/** How many documents each list of problems names, latest first. */
export const TROUBLES_SHOWN = 100

const trouble = { documentId: id(), title: s.string(), teacher: s.string(), at: moment() }

/** A document whose file goes to its buyers without a footer. */
const Unstamped = s.type({ ...trouble, reason: s.enums(UNSTAMPABLE) })

/** A document for sale whose pages cannot be rendered, so that it has no sample. */
const Undrawn = s.type({ ...trouble, isTriedAgain: s.boolean() })
export type Undrawn = s.Infer<typeof Undrawn>

/** The stamp on bought PDFs, and the files that the shop had trouble with. */
export const Stamp = s.type({
  isOn: s.boolean(),
  changed: LastChange,
  /** The last time it was switched, which the next switch must name; null if it never was. */
  seen: s.nullable(id()),
  /** `total` also counts those beyond `TROUBLES_SHOWN`. */
  unstamped: s.type({ total: s.number(), newest: s.array(Unstamped) }),
  undrawn: s.type({ total: s.number(), newest: s.array(Undrawn) }),
})
export type Stamp = s.Infer<typeof Stamp>

export const getStamp = defineCall('GET /office/admin/stamp', 'admin', { result: Stamp })

/** Switches the stamp on or off for downloads from now on. */
export const setStamp = defineCall('POST /office/admin/stamp', 'admin', {
  body: s.object({ isOn: s.boolean(), seen: s.nullable(id()) }),
  result: Stamp,
  errors: ['done_before'],
})

/**
 * Retries all files of a list: the footer at the next download of each (`unstamped`), the pages
 * within the next minutes (`undrawn`).
 */
export const retryFiles = defineCall('POST /office/admin/stamp/retry', 'admin', {
  body: s.object({ what: s.enums(['unstamped', 'undrawn']) }),
  result: Stamp,
})
