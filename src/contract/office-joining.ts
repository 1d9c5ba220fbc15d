import * as s from 'superstruct'
import { LANGUAGES } from '../rules/languages.ts'
import { JOIN_REASON_MAX_LENGTH } from '../rules/roles.ts'
import { defineCall } from './call.ts'
import { byId, id, moment, nothing, text } from './values.ts'

/** A request to sell here, from a confirmed e-mail address or phone. */
export const JoinRequestRow = s.type({
  id: id(),
  /** The account, which may write and submit already; null: an earlier version asked for it. */
  userId: s.nullable(id()),
  firstName: s.string(),
  lastName: s.string(),
  /** Null: the phone is the confirmed contact. */
  email: s.nullable(s.string()),
  /** How many of the account's documents wait for review. */
  submitted: s.number(),
  /** 8 Tunisian digits. */
  phone: s.string(),
  subjects: s.string(),
  message: s.string(),
  /** The language of e-mails to them, and therefore of a reason. */
  locale: s.enums(LANGUAGES),
  confirmedAt: moment(),
})
export type JoinRequestRow = s.Infer<typeof JoinRequestRow>

/** The first of the waiting requests, oldest first, and how many wait in all. */
export const listJoinRequests = defineCall('GET /office/admin/join-requests', 'admin', {
  result: s.type({ requests: s.array(JoinRequestRow), total: s.number() }),
})

/** Approves the account; a request without one, left by an earlier version, gets an invitation by mail. */
export const acceptJoinRequest = defineCall(
  'POST /office/admin/join-requests/:id/accept',
  'admin',
  {
    params: byId,
    result: nothing(),
    errors: ['join_request_not_found', 'done_before', 'email_of_other_role', 'invited_is_blocked'],
  },
)

/** Refuses a teacher, who is told why; the account is blocked, and deleted some days later. */
export const refuseJoinRequest = defineCall(
  'POST /office/admin/join-requests/:id/refuse',
  'admin',
  {
    params: byId,
    body: s.object({ reason: text(1, JOIN_REASON_MAX_LENGTH) }),
    result: nothing(),
    errors: ['join_request_not_found', 'done_before', 'teacher_has_published'],
  },
)
