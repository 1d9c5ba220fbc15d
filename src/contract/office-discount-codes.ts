import * as s from 'superstruct'
import { BUNDLE_PRICE_MIN } from '../rules/bundles.ts'
import { CODE_SCOPE_MAX, CODE_SCOPES, CODE_STATES, CODE_USES_MAX } from '../rules/discount-codes.ts'
import { STAFF_REASON_MAX_LENGTH } from '../rules/ledger.ts'
import { defineCall } from './call.ts'
import { DiscountCode } from './discount-code-fields.ts'
import { byId, checked, dinarAmount, id, moment, pageOf, pageQuery, text, whole } from './values.ts'

const amount = () => checked(dinarAmount(), (value) => (value < BUNDLE_PRICE_MIN ? 'min' : null))

/** What a code takes off, when, and for whom. */
const terms = {
  /** One of `percent` and `amount`; `atMost` bounds what a percentage takes off an order. */
  percent: s.nullable(whole(1, 100)),
  atMost: s.nullable(amount()),
  amount: s.nullable(amount()),
  startsAt: moment(),
  /** null: until it is stopped. */
  endsAt: s.nullable(moment()),
  /** null: any number. A use is an order that is paid or waits for its payment. */
  usesMax: s.nullable(whole(1, CODE_USES_MAX)),
  usesPerPerson: s.nullable(whole(1, CODE_USES_MAX)),
  /** What the documents that it is for cost without it, at least. */
  leastTotal: s.nullable(dinarAmount()),
}

/** What a new code is for: of a teacher's code, the teacher's own documents among these alone. */
const NewScope = s.object({
  kind: s.enums(CODE_SCOPES),
  /** Documents, classes or teachers; none where it is for all. */
  ids: s.size(s.array(id()), 0, CODE_SCOPE_MAX),
})

/** What does not fit together (both reductions, an end before the beginning) is `invalid_input` too. */
export const NewCode = s.object({ code: DiscountCode, ...terms, scope: NewScope })
export type NewCode = s.Infer<typeof NewCode>

/** A code as its giver sees it. */
export const OwnCode = s.type({
  id: id(),
  code: s.string(),
  ...terms,
  state: s.enums(CODE_STATES),
  createdAt: moment(),
  scope: s.type({
    kind: s.enums(CODE_SCOPES),
    /** With their titles or names. */
    targets: s.array(s.type({ id: id(), name: s.string() })),
  }),
  /** The teacher whose code it is; null: the shop's. */
  teacher: s.nullable(s.type({ id: id(), name: s.string() })),
  /** Orders that are paid with it or wait for their payment. */
  uses: s.integer(),
  /** What was paid with it, and what it took off, without refunds. */
  paid: dinarAmount(),
  takenOff: dinarAmount(),
})
export type OwnCode = s.Infer<typeof OwnCode>

/** A teacher's codes, the newest first and the ended ones last. */
export const listOwnCodes = defineCall('GET /office/codes', 'teacher', {
  query: s.object(pageQuery),
  result: pageOf(OwnCode),
})

/** A code for own documents; it works like the teacher's own discount: what is paid is shared as usual. */
export const createOwnCode = defineCall('POST /office/codes', 'teacher', {
  body: NewCode,
  result: OwnCode,
  errors: [
    'account_not_approved',
    'code_taken',
    'codes_full',
    'document_not_found',
    'too_many_codes',
  ],
})

/** Ends a code for good; orders that wait keep their prices. It is no error if it has ended. */
export const stopOwnCode = defineCall('POST /office/codes/:id/stop', 'teacher', {
  params: byId,
  result: OwnCode,
  errors: ['discount_code_not_found'],
})

/** All codes, the shop's and the teachers', the newest first and the ended ones last. */
export const listCodes = defineCall('GET /office/admin/codes', 'admin', {
  query: s.object(pageQuery),
  result: s.assign(
    pageOf(OwnCode),
    s.type({
      /** What codes that the caller makes alone now may cost the shop. */
      leftAlone: dinarAmount(),
    }),
  ),
})

/**
 * A code of the shop, which has a bound of an order (`atMost` or `amount`) and of a person: teachers get their share
 * of the price before it, and what it takes off is booked to the account *codes*. What it may cost in all is what it
 * takes off an order at most, times its uses; above what one administrator does alone, or without a limit of uses, a
 * second one confirms it.
 */
export const createCode = defineCall('POST /office/admin/codes', 'admin', {
  body: s.assign(NewCode, s.object({ reason: text(1, STAFF_REASON_MAX_LENGTH) })),
  result: s.type({
    /** The act that waits for a second administrator; null: the code works. */
    waits: s.nullable(id()),
  }),
  errors: ['code_taken', 'codes_full', 'document_not_found', 'act_waits'],
})

/** Ends a code of the shop or of a teacher. */
export const stopCode = defineCall('POST /office/admin/codes/:id/stop', 'admin', {
  params: byId,
  result: OwnCode,
  errors: ['discount_code_not_found'],
})
