import * as s from 'superstruct'
import { REPORT_REASONS, REPORT_WORDS_MAX_LENGTH } from '../rules/reports.ts'
import { defineCall } from './call.ts'
import { NamedEvent } from './office-review.ts'
import { byId, id, moment, nothing, pageOf, pageQuery, text } from './values.ts'

/** What somebody wrote about a document; the teacher does not learn who. */
const Report = s.type({
  id: id(),
  at: moment(),
  reason: s.enums(REPORT_REASONS),
  words: s.string(),
})

const words = text(1, REPORT_WORDS_MAX_LENGTH)

/** The open reports about an own document, and the teacher's answer; null if there are none. */
export const getOwnReports = defineCall('GET /office/documents/:id/reports', 'teacher', {
  params: byId,
  result: s.nullable(s.type({ answer: s.nullable(s.string()), reports: s.array(Report) })),
  errors: ['document_not_found'],
})

/** Writes, or replaces, the teacher's answer to the open reports about an own document. */
export const answerReports = defineCall('POST /office/documents/:id/reports/answer', 'teacher', {
  params: byId,
  body: s.object({ answer: words }),
  result: nothing(),
  errors: ['document_not_found', 'report_not_found'],
})

export const CASE_STATES = ['open', 'closed'] as const

/** A case: all reports about a document until it is closed. */
const CaseRow = s.type({
  id: id(),
  document: s.type({ id: id(), title: s.string(), isOnSale: s.boolean() }),
  teacher: s.string(),
  openedAt: moment(),
  closedAt: s.nullable(moment()),
  isAnswered: s.boolean(),
  count: s.number(),
})
export type CaseRow = s.Infer<typeof CaseRow>

/** Open cases, the oldest first; or closed ones, the newest first. */
export const listCases = defineCall('GET /office/admin/reports', 'admin', {
  query: s.object({ ...pageQuery, state: s.optional(s.enums(CASE_STATES)) }),
  result: pageOf(CaseRow),
})

export const Case = s.assign(
  CaseRow,
  s.type({
    answer: s.nullable(s.string()),
    /** What those who reported and the teacher were told at the end. */
    reply: s.nullable(s.string()),
    /** The newest first; `who` is a name or an e-mail address, null for neither. */
    reports: s.array(s.assign(Report, s.type({ who: s.nullable(s.string()) }))),
    history: s.array(NamedEvent),
  }),
)
export type Case = s.Infer<typeof Case>

export const getCase = defineCall('GET /office/admin/reports/:id', 'admin', {
  params: byId,
  result: Case,
  errors: ['report_not_found'],
})

/** Takes the document off sale while the case is open; its teacher reads the reason. */
export const takeDownReported = defineCall('POST /office/admin/reports/:id/take-down', 'admin', {
  params: byId,
  body: s.object({ reason: words }),
  result: nothing(),
  errors: ['report_not_found', 'done_before', 'document_state_changed'],
})

export const putBackReported = defineCall('POST /office/admin/reports/:id/put-back', 'admin', {
  params: byId,
  result: nothing(),
  errors: ['report_not_found', 'done_before', 'document_state_changed', 'document_incomplete'],
})

/** Ends a case with the document on or off sale, as it is; mails `reply` to all concerned. */
export const closeCase = defineCall('POST /office/admin/reports/:id/close', 'admin', {
  params: byId,
  body: s.object({ reply: words }),
  result: nothing(),
  errors: ['report_not_found', 'done_before'],
})
