import * as s from 'superstruct'
import { STAFF_REASON_MAX_LENGTH } from '../rules/ledger.ts'
import { WITHHOLDING_PERCENT_MAX } from '../rules/payouts.ts'
import { SHARE_PERCENT_MAX, SHARE_PERCENT_MIN } from '../rules/shares.ts'
import { defineCall } from './call.ts'
import {
  checked,
  id,
  moment,
  nothing,
  pageOf,
  pageQuery,
  searchedText,
  text,
  whole,
} from './values.ts'

const percent = () => whole(SHARE_PERCENT_MIN, SHARE_PERCENT_MAX)

/** The teacher's share of sales from now on; the rest of 100 is the shop's. */
const Share = {
  percent: percent(),
  /**
   * Whether it was set: for the shop, instead of the default; for a teacher, instead of the shop's.
   */
  isSet: s.boolean(),
  /** The last change of it, which the next change must name; null if there was none. */
  seen: s.nullable(id()),
}

/** A change of a share: of the shop's, if `teacher` is null. */
const ShareChange = s.type({
  id: id(),
  teacher: s.nullable(s.type({ id: id(), name: s.string() })),
  /** null: reset to the shop's share, or to the default. */
  percent: s.nullable(percent()),
  reason: s.string(),
  by: s.string(),
  at: moment(),
})
export type ShareChange = s.Infer<typeof ShareChange>

/** The shop's share, and the last changes of all shares, newest first. */
export const Commissions = s.type({ shop: s.type(Share), history: s.array(ShareChange) })
export type Commissions = s.Infer<typeof Commissions>

/** A rate in percent, with at most two decimals. */
const rate = () =>
  checked(s.number(), (value) => {
    if (value < 0) return 'min'
    if (value > WITHHOLDING_PERCENT_MAX) return 'max'
    return Math.abs(value * 100 - Math.round(value * 100)) < 1e-9 ? null : 'pattern'
  })

const TeacherShare = s.type({
  teacherId: id(),
  name: s.string(),
  ...Share,
  /** What is withheld of the teacher's payouts for the tax office; `seen` as for the share. */
  withholding: s.type({ percent: rate(), seen: s.nullable(id()) }),
})
export type TeacherShare = s.Infer<typeof TeacherShare>

export const getCommissions = defineCall('GET /office/admin/commissions', 'admin', {
  result: Commissions,
})

/** Every teacher's share, first those with their own; `q` is part of a name. */
export const listTeacherShares = defineCall('GET /office/admin/commissions/teachers', 'admin', {
  query: s.object({ ...pageQuery, q: s.optional(searchedText()) }),
  result: pageOf(TeacherShare),
})

/** Sets a share for sales from now on: the shop's, or with `teacherId` one teacher's. */
export const setCommission = defineCall('POST /office/admin/commissions', 'admin', {
  body: s.object({
    teacherId: s.nullable(id()),
    /** null: resets a teacher's share to the shop's, or the shop's share to the default. */
    percent: s.nullable(percent()),
    reason: text(1, STAFF_REASON_MAX_LENGTH),
    seen: s.nullable(id()),
  }),
  result: Commissions,
  errors: ['teacher_not_found', 'done_before'],
})

/** Sets what is withheld of a teacher's payouts that are requested from now on; 0: nothing. */
export const setWithholding = defineCall('POST /office/admin/withholdings', 'admin', {
  body: s.object({
    teacherId: id(),
    withholding: rate(),
    reason: text(1, STAFF_REASON_MAX_LENGTH),
    seen: s.nullable(id()),
  }),
  result: nothing(),
  errors: ['teacher_not_found', 'done_before'],
})
