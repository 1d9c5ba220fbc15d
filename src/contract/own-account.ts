import * as s from 'superstruct'
import { MailLanguage } from './account-fields.ts'
import { defineCall } from './call.ts'
import { byId, dinarAmount, moment, nothing } from './values.ts'

/** A log-in of the account that has not ended. */
const LogIn = s.type({
  id: s.number(),
  /** Such as `Chrome, Android`; '' if it cannot be told. */
  device: s.string(),
  begunAt: moment(),
  /** To within an hour. */
  seenAt: moment(),
  /** Whether this call was made by it. */
  isThis: s.boolean(),
})
export type LogIn = s.Infer<typeof LogIn>

export const OwnAccount = s.type({
  username: s.string(),
  firstName: s.string(),
  lastName: s.string(),
  phone: s.nullable(s.string()),
  email: s.nullable(s.string()),
  isEmailConfirmed: s.boolean(),
  /** Of the mails to it. */
  language: MailLanguage,
  since: moment(),
  /** What the shop keeps of it. */
  kept: s.type({
    documents: s.number(),
    orders: s.number(),
    ratings: s.number(),
    wishes: s.number(),
    shelves: s.number(),
    conversations: s.number(),
  }),
  /** The wallet's balance; null for staff, who have no wallet. */
  balance: s.nullable(dinarAmount()),
  logIns: s.array(LogIn),
})
export type OwnAccount = s.Infer<typeof OwnAccount>

/** What the caller's account is, and what the shop keeps of it. */
export const getOwnAccount = defineCall('GET /account', 'user', { result: OwnAccount })

/** Ends a log-in on another device. */
export const endLogIn = defineCall('DELETE /account/log-ins/:id', 'user', {
  params: byId,
  result: nothing(),
  errors: ['not_found'],
})

/** Ends every log-in but this one, which goes on with the token that is returned. */
export const endOtherLogIns = defineCall('POST /account/log-ins/end-others', 'user', {
  result: s.type({ accessToken: s.string() }),
})
