import { array, enums, type Infer, number, object, string, type } from 'superstruct'
import { LANGUAGES } from '../rules/languages.ts'
import { JOIN_REASON_MAX_LENGTH } from '../rules/roles.ts'
import { defineCall } from './call.ts'
import { byId, id, moment, nothing, text } from './values.ts'

/** A teacher who wants to sell here, and whose e-mail address is confirmed. */
export const JoinRequestRow = type({
  id: id(),
  firstName: string(),
  lastName: string(),
  email: string(),
  /** 8 Tunisian digits. */
  phone: string(),
  subjects: string(),
  message: string(),
  /** The language of e-mails to them, and therefore of a reason. */
  locale: enums(LANGUAGES),
  confirmedAt: moment(),
})
export type JoinRequestRow = Infer<typeof JoinRequestRow>

/** The first of the waiting requests, oldest first, and how many wait in all. */
export const listJoinRequests = defineCall('GET /office/admin/join-requests', 'admin', {
  result: type({ requests: array(JoinRequestRow), total: number() }),
})

/** Creates the teacher's account and mails its invitation. */
export const acceptJoinRequest = defineCall(
  'POST /office/admin/join-requests/:id/accept',
  'admin',
  {
    params: byId,
    result: nothing(),
    errors: ['join_request_not_found', 'done_before', 'email_of_other_role', 'invited_is_blocked'],
  },
)

/** Refuses a teacher; the reason is mailed to them. */
export const refuseJoinRequest = defineCall(
  'POST /office/admin/join-requests/:id/refuse',
  'admin',
  {
    params: byId,
    body: object({ reason: text(1, JOIN_REASON_MAX_LENGTH) }),
    result: nothing(),
    errors: ['join_request_not_found', 'done_before'],
  },
)
