import * as s from 'superstruct'
import { DOCUMENT_STATES } from '../rules/document-life.ts'
import { LANGUAGES } from '../rules/languages.ts'
import { ORDER_STATUSES } from '../rules/payment-states.ts'
import { ROLES, STAFF_ROLES } from '../rules/roles.ts'
import { NAME_MAX_LENGTH } from '../rules/validators.ts'
import { Email, MailLanguage } from './account-fields.ts'
import { defineCall } from './call.ts'
import { Leaving } from './leaving.ts'
import { LoggedAction } from './office-log.ts'
import {
  byId,
  dinarAmount,
  id,
  moment,
  nameText,
  nothing,
  pageOf,
  pageQuery,
  searchedText,
  signedDinars,
  text,
} from './values.ts'

/** The longest reason for an action on an account, in characters. */
export const ACCOUNT_REASON_MAX_LENGTH = 500

/** `closed`: the account was merged into another. */
export const PERSON_STATES = ['active', 'blocked', 'invited', 'closed', 'deleted'] as const

/** An account in the lists of the office. */
export const Person = s.type({
  id: id(),
  name: s.string(),
  email: s.nullable(s.string()),
  phone: s.nullable(s.string()),
  role: s.enums(ROLES),
  state: s.enums(PERSON_STATES),
  since: moment(),
  emailConfirmed: s.boolean(),
})
export type Person = s.Infer<typeof Person>

export const PERSON_SORTS = ['-since', 'since', 'name', '-name'] as const
export type PersonSort = (typeof PERSON_SORTS)[number]

/**
 * The filters of a list of people; `unconfirmed`: customers whose e-mail address is not confirmed.
 */
export const PERSON_FILTERS = ['blocked', 'invited', 'unconfirmed', 'closed', 'deleted'] as const

export const PeopleFilters = s.object({
  ...pageQuery,
  sort: s.optional(s.enums(PERSON_SORTS)),
  /** A part of the name (in Arabic or Latin letters), e-mail address or phone number, or the id. */
  q: s.optional(searchedText()),
  role: s.optional(s.enums(ROLES)),
  state: s.optional(s.enums(PERSON_FILTERS)),
})
export type PeopleFilters = s.Infer<typeof PeopleFilters>

export const listPeople = defineCall('GET /office/admin/people', 'admin', {
  query: PeopleFilters,
  result: pageOf(Person),
})

const Named = s.type({ id: id(), name: s.string() })

/**
 * A customer's wallet, orders, documents and ratings: the newest of each, and how many there are.
 */
const Customer = s.type({
  balance: dinarAmount(),
  orderCount: s.integer(),
  orders: s.array(
    s.type({
      id: id(),
      status: s.enums(ORDER_STATUSES),
      total: dinarAmount(),
      createdAt: moment(),
      titles: s.array(s.string()),
    }),
  ),
  documentCount: s.integer(),
  documents: s.array(
    s.type({ id: id(), title: s.string(), price: dinarAmount(), purchasedAt: moment() }),
  ),
  ratingCount: s.integer(),
  ratings: s.array(
    s.type({
      id: id(),
      /** The document's title or the teacher's name. */
      of: s.string(),
      stars: s.integer(),
      comment: s.string(),
      ratedAt: moment(),
      isHidden: s.boolean(),
    }),
  ),
  conversationCount: s.integer(),
})

/** A summary of a teacher's documents and money. */
const Teacher = s.type({
  id: id(),
  documents: s.array(s.type({ state: s.enums(DOCUMENT_STATES), count: s.integer() })),
  salesCount: s.integer(),
  /** The amount earned and not paid out yet; negative after refunds. */
  owed: signedDinars(),
  available: dinarAmount(),
  paidOut: dinarAmount(),
})

/** Everything about an account, for one page. */
export const PersonView = s.type({
  ...Leaving,
  person: Person,
  language: s.enums(LANGUAGES),
  blockedAt: s.nullable(moment()),
  /** Why it is blocked, if a reason was given. */
  blockedReason: s.nullable(s.string()),
  mergedInto: s.nullable(Named),
  /** The accounts that were merged into this one. */
  merged: s.array(Named),
  /** Until when an open invitation is valid. */
  invitedUntil: s.nullable(moment()),
  /** Only staff have one. */
  hasSecondFactor: s.boolean(),
  customer: s.nullable(Customer),
  teacher: s.nullable(Teacher),
  /** The actions of staff on the account or, for a staff account, its own actions; newest first. */
  log: s.array(LoggedAction),
})
export type PersonView = s.Infer<typeof PersonView>

const Reason = text(1, ACCOUNT_REASON_MAX_LENGTH)

/** One account; viewing it is logged. */
export const getPerson = defineCall('GET /office/admin/people/:id', 'admin', {
  params: byId,
  result: PersonView,
  errors: ['user_not_found'],
})

/** Blocks an account: it cannot log in, and its sessions end; its money stays. */
export const blockPerson = defineCall('POST /office/admin/people/:id/block', 'admin', {
  params: byId,
  body: s.object({ reason: Reason }),
  result: nothing(),
  errors: ['user_not_found', 'own_account', 'last_administrator', 'account_closed', 'done_before'],
})

export const unblockPerson = defineCall('POST /office/admin/people/:id/unblock', 'admin', {
  params: byId,
  body: s.object({ reason: Reason }),
  result: nothing(),
  errors: ['user_not_found', 'account_not_blocked', 'account_closed', 'done_before'],
})

/** Logs an account out everywhere. */
export const endSessionsOf = defineCall('POST /office/admin/people/:id/end-sessions', 'admin', {
  params: byId,
  result: nothing(),
  errors: ['user_not_found', 'own_account'],
})

/** Mails an account a link that sets a new password. */
export const sendPasswordLink = defineCall('POST /office/admin/people/:id/password-link', 'admin', {
  params: byId,
  result: nothing(),
  errors: ['user_not_found', 'account_not_active'],
})

/**
 * Makes a code that is read out at the counter to a customer without an e-mail, who chooses a new
 * password with it. The first call asks a second administrator; once they have confirmed, the next
 * one of the same caller within a day shows the code, once.
 */
export const readOutCode = defineCall('POST /office/admin/people/:id/phone-code', 'admin', {
  params: byId,
  body: s.object({ reason: Reason }),
  result: s.type({
    /** The act that waits for a second; null: here is the code. */
    waits: s.nullable(id()),
    code: s.nullable(s.type({ phone: s.string(), code: s.string(), expiresAt: moment() })),
  }),
  errors: ['user_not_found', 'account_not_active', 'account_has_email', 'act_waits'],
})

/**
 * Removes the second factor of an account whose phone and recovery codes are lost, and ends its
 * sessions.
 */
export const resetSecondFactorOf = defineCall(
  'POST /office/admin/people/:id/second-factor/reset',
  'admin',
  {
    params: byId,
    body: s.object({ reason: Reason }),
    result: nothing(),
    errors: ['user_not_found', 'own_account', 'no_second_factor', 'done_before'],
  },
)

/** The person invited, and the name proposed to them. */
export const InvitationForm = s.object({
  role: s.enums(STAFF_ROLES),
  email: Email,
  firstName: nameText(0, NAME_MAX_LENGTH),
  lastName: nameText(0, NAME_MAX_LENGTH),
  /** The language of the mail. */
  locale: MailLanguage,
  /** Needed for an administrator. */
  reason: s.optional(Reason),
})
export type InvitationForm = s.Infer<typeof InvitationForm>

/**
 * Invites an administrator or a teacher by e-mail. Inviting again sends a new link, and older links
 * expire. Where there are two administrators, the second confirms the invitation of a third.
 */
export const invitePerson = defineCall('POST /office/admin/invitations', 'admin', {
  body: InvitationForm,
  result: s.type({
    /** The invited account; null while the invitation waits. */
    id: s.nullable(id()),
    /** The act that waits for a second; null: the invitation is sent. */
    waits: s.nullable(id()),
  }),
  errors: ['email_of_other_role', 'invited_is_blocked', 'act_waits'],
})

/** Mails a new link to a person who was invited and has not joined yet; older links expire. */
export const inviteAgain = defineCall('POST /office/admin/invitations/:id/again', 'admin', {
  params: byId,
  result: nothing(),
  errors: ['user_not_found', 'already_joined'],
})

/** Withdraws an invitation that was not accepted yet; its e-mail address can be used again. */
export const withdrawInvitation = defineCall('DELETE /office/admin/invitations/:id', 'admin', {
  params: byId,
  result: nothing(),
  errors: ['user_not_found', 'already_joined', 'done_before'],
})

/** What a merge moves from one customer's account to another of the same family. */
const Moved = {
  balance: dinarAmount(),
  orders: s.integer(),
  /** Open payments, whose money would go to the remaining account. */
  openPayments: s.integer(),
  documents: s.integer(),
  /**
   * Documents that both have bought: one of them keeps the access, and neither price is refunded.
   */
  duplicates: s.array(s.type({ id: id(), title: text(0, 1000), price: dinarAmount() })),
  ratings: s.integer(),
  /** The number of ratings that are deleted because the remaining account has rated the same. */
  droppedRatings: s.integer(),
  wishes: s.integer(),
  cartItems: s.integer(),
  conversations: s.integer(),
}

/** What a merge would move now, and both accounts. */
export const MergePreview = s.type({
  from: Person,
  into: Person,
  /** Which of the two accounts are to be deleted, unless the merge ends that. */
  deletions: s.array(s.type({ id: id(), dueAt: moment() })),
  ...Moved,
})
export type MergePreview = s.Infer<typeof MergePreview>

const MERGE_ERRORS = ['user_not_found', 'not_two_customers', 'done_before'] as const

export const previewMerge = defineCall('GET /office/admin/people/:id/merge', 'admin', {
  /** The account that remains. */
  params: byId,
  query: s.object({ from: id() }),
  result: MergePreview,
  errors: MERGE_ERRORS,
})

/**
 * Moves everything from the account `fromId` to the remaining one, and closes `fromId` permanently.
 */
export const mergePeople = defineCall('POST /office/admin/people/:id/merge', 'admin', {
  idempotent: true,
  params: byId,
  body: s.object({
    fromId: id(),
    reason: text(1, ACCOUNT_REASON_MAX_LENGTH),
    /** The accounts whose deletion it ends; while another one is asked for, it is refused. */
    endsDeletionOf: s.optional(s.array(id())),
  }),
  result: s.type({
    ...Moved,
    /** The act that waits for a second administrator, who has to confirm; null: it is done. */
    waits: s.nullable(id()),
  }),
  errors: [
    ...MERGE_ERRORS,
    'deletion_asked',
    'return_waits',
    'account_merged',
    'act_waits',
    'act_changed',
  ],
})
