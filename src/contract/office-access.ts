import * as s from 'superstruct'
import { plainCode } from '../rules/pasted-text.ts'
import { JOIN_MESSAGE_MAX_LENGTH, JOIN_SUBJECTS_MAX_LENGTH, STAFF_ROLES } from '../rules/roles.ts'
import {
  EmailOrNone,
  GivenPassword,
  LinkToken,
  MailLanguage,
  Name,
  NewPassword,
  Phone,
  PhoneCode,
  Username,
} from './account-fields.ts'
import { defineCall } from './call.ts'
import { nothing, text } from './values.ts'

const StaffRole = s.enums(STAFF_ROLES)

/** Six digits from the authenticator, or a recovery code; spaces and dashes are ignored. */
const Code = text(1, 40, plainCode)

/** The token of a renewed session; all other sessions of the account have ended. */
const NewSession = s.type({ accessToken: s.string() })

/**
 * Logs in to the office. `accessToken` is null if the password is right but the second factor is
 * needed: repeat the call with `code`.
 */
export const officeLogIn = defineCall('POST /office/login', 'anyone', {
  body: s.object({
    username: Username,
    password: GivenPassword,
    code: s.optional(s.nullable(Code)),
    /** The page's language, which becomes the account's. */
    locale: s.optional(s.nullable(MailLanguage)),
  }),
  result: s.type({ accessToken: s.nullable(s.string()) }),
  errors: ['wrong_credentials', 'account_blocked', 'wrong_role', 'wrong_code'],
})

/** The person who is logged in to the office. */
export const getStaff = defineCall('GET /office/me', 'staff', {
  beforeSecondFactor: true,
  result: s.type({
    userId: s.integer(),
    role: StaffRole,
    name: s.string(),
    email: s.string(),
    /** The teacher of the account; null for administrators. */
    teacherId: s.nullable(s.integer()),
    /** Whether a second factor has to be set up before anything else is allowed. */
    lacksSecondFactor: s.boolean(),
    /** False for a teacher whose account an administrator has yet to approve. */
    isApproved: s.boolean(),
  }),
})

/** Sets a new password; every other session of the account ends. */
export const changeOfficePassword = defineCall('POST /office/password', 'staff', {
  body: s.object({ password: GivenPassword, newPassword: NewPassword }),
  result: NewSession,
  errors: ['wrong_password'],
})

/** Ends every other session of the account, in the office and in the shop. */
export const endOtherSessions = defineCall('POST /office/sessions/end-others', 'staff', {
  beforeSecondFactor: true,
  result: NewSession,
})

/** The state of the caller's second factor. */
export const getSecondFactor = defineCall('GET /office/second-factor', 'staff', {
  beforeSecondFactor: true,
  result: s.type({
    isOn: s.boolean(),
    /** Whether it is required and cannot be turned off. */
    isNeeded: s.boolean(),
    recoveryCodesLeft: s.integer(),
  }),
})

/**
 * Creates a secret for an authenticator, which takes effect once a code from it was entered. An
 * existing second factor stays valid until then, and `code` must be one of its codes.
 */
export const startSecondFactor = defineCall('POST /office/second-factor/start', 'staff', {
  beforeSecondFactor: true,
  body: s.object({ password: GivenPassword, code: s.optional(s.nullable(Code)) }),
  result: s.type({
    /** The secret in base32, for users who cannot scan. */
    secret: s.string(),
    /** `otpauth://…`, for users who read this on the phone with the authenticator. */
    uri: s.string(),
    /** The URI as a QR code in SVG. */
    qr: s.string(),
  }),
  errors: ['wrong_password', 'wrong_code'],
})

/**
 * Turns the second factor on with its first code; earlier sessions and recovery codes become
 * invalid.
 */
export const confirmSecondFactor = defineCall('POST /office/second-factor/confirm', 'staff', {
  beforeSecondFactor: true,
  body: s.object({ code: Code }),
  result: s.type({ accessToken: s.string(), recoveryCodes: s.array(s.string()) }),
  errors: ['wrong_code'],
})

/** Creates new recovery codes; earlier ones no longer work. */
export const renewRecoveryCodes = defineCall('POST /office/second-factor/recovery-codes', 'staff', {
  body: s.object({ password: GivenPassword, code: Code }),
  result: s.type({ recoveryCodes: s.array(s.string()) }),
  errors: ['wrong_password', 'wrong_code', 'second_factor_off'],
})

export const turnOffSecondFactor = defineCall('POST /office/second-factor/off', 'staff', {
  body: s.object({ password: GivenPassword, code: Code }),
  result: nothing(),
  errors: ['wrong_password', 'wrong_code', 'second_factor_off', 'second_factor_needed'],
})

/** The account that an invitation is for. A POST, so that the token is not in a logged URL. */
export const readInvitation = defineCall('POST /office/invitation', 'anyone', {
  body: s.object({ token: LinkToken }),
  result: s.type({
    email: s.string(),
    role: StaffRole,
    firstName: s.string(),
    lastName: s.string(),
  }),
  errors: ['invalid_invitation'],
})

/**
 * Accepts an invitation with name and password. `accessToken` is null if the account has to log in
 * with a second factor.
 */
export const acceptInvitation = defineCall('POST /office/invitation/accept', 'anyone', {
  body: s.object({
    token: LinkToken,
    firstName: Name,
    lastName: Name,
    password: NewPassword,
    locale: s.optional(s.nullable(MailLanguage)),
  }),
  result: s.type({ accessToken: s.nullable(s.string()) }),
  errors: ['invalid_invitation'],
})

/** A teacher who wants to sell here. */
export const JoinRequest = s.object({
  firstName: Name,
  lastName: Name,
  /** '' where the phone is to be confirmed: only where the shop can reach phones. */
  email: EmailOrNone,
  phone: Phone,
  subjects: text(1, JOIN_SUBJECTS_MAX_LENGTH),
  message: text(0, JOIN_MESSAGE_MAX_LENGTH),
  /** The language of the e-mails; Arabic by default. */
  locale: s.optional(s.nullable(MailLanguage)),
})
export type JoinRequest = s.Infer<typeof JoinRequest>

/**
 * Asks for a teacher's account: the link or code that opens it is sent to the e-mail address, else to
 * the phone. The answer is the same whether or not they are known.
 */
export const askToJoin = defineCall('POST /office/join', 'anyone', {
  body: JoinRequest,
  result: s.type({
    status: s.enums(['SENT']),
    /** Names the code that was sent to a phone, as the `token` of `confirmJoining`. */
    request: s.optional(s.string()),
  }),
  errors: ['joining_full', 'no_texts_left'],
})

/** Opens the account that was asked for; an administrator approves it later. */
export const confirmJoining = defineCall('POST /office/join/confirm', 'anyone', {
  body: s.object({
    token: LinkToken,
    /** The code that was sent to the phone. */
    code: s.optional(s.nullable(PhoneCode)),
    password: NewPassword,
    locale: s.optional(s.nullable(MailLanguage)),
  }),
  result: s.type({ accessToken: s.string() }),
  errors: ['invalid_confirmation_token', 'wrong_phone_code', 'contact_taken', 'joining_full'],
})
