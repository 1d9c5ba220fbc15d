import {
  array,
  boolean,
  enums,
  type Infer,
  integer,
  nullable,
  object,
  optional,
  string,
  type,
} from 'superstruct'
import { plainCode } from '../rules/pasted-text.ts'
import { JOIN_MESSAGE_MAX_LENGTH, JOIN_SUBJECTS_MAX_LENGTH, STAFF_ROLES } from '../rules/roles.ts'
import {
  Email,
  GivenPassword,
  LinkToken,
  MailLanguage,
  Name,
  NewPassword,
  Phone,
  Username,
} from './account-fields.ts'
import { defineCall } from './call.ts'
import { nothing, text } from './values.ts'

const StaffRole = enums(STAFF_ROLES)

/** Six digits from the authenticator, or a recovery code; spaces and dashes are ignored. */
const Code = text(1, 40, plainCode)

/** The token of a renewed session; all other sessions of the account have ended. */
const NewSession = type({ accessToken: string() })

/**
 * Logs in to the office. `accessToken` is null if the password is right but the second factor is
 * needed: repeat the call with `code`.
 */
export const officeLogIn = defineCall('POST /office/login', 'anyone', {
  body: object({
    username: Username,
    password: GivenPassword,
    code: optional(nullable(Code)),
    /** The page's language, which becomes the account's. */
    locale: optional(nullable(MailLanguage)),
  }),
  result: type({ accessToken: nullable(string()) }),
  errors: ['wrong_credentials', 'account_blocked', 'wrong_role', 'wrong_code'],
})

/** Who is logged in to the office. */
export const getStaff = defineCall('GET /office/me', 'staff', {
  beforeSecondFactor: true,
  result: type({
    userId: integer(),
    role: StaffRole,
    name: string(),
    email: string(),
    /** The teacher of the account; null for administrators. */
    teacherId: nullable(integer()),
    /** Whether a second factor has to be set up before anything else is allowed. */
    lacksSecondFactor: boolean(),
  }),
})

/** Sets a new password; every other session of the account ends. */
export const changeOfficePassword = defineCall('POST /office/password', 'staff', {
  body: object({ password: GivenPassword, newPassword: NewPassword }),
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
  result: type({
    isOn: boolean(),
    /** Whether it is required and cannot be turned off. */
    isNeeded: boolean(),
    recoveryCodesLeft: integer(),
  }),
})

/**
 * Creates a secret for an authenticator, which takes effect once a code from it was entered. An
 * existing second factor stays valid until then, and `code` must be one of its codes.
 */
export const startSecondFactor = defineCall('POST /office/second-factor/start', 'staff', {
  beforeSecondFactor: true,
  body: object({ password: GivenPassword, code: optional(nullable(Code)) }),
  result: type({
    /** The secret in base32, for users who cannot scan. */
    secret: string(),
    /** `otpauth://…`, for users who read this on the phone with the authenticator. */
    uri: string(),
    /** The URI as a QR code in SVG. */
    qr: string(),
  }),
  errors: ['wrong_password', 'wrong_code'],
})

/**
 * Turns the second factor on with its first code; earlier sessions and recovery codes become
 * invalid.
 */
export const confirmSecondFactor = defineCall('POST /office/second-factor/confirm', 'staff', {
  beforeSecondFactor: true,
  body: object({ code: Code }),
  result: type({ accessToken: string(), recoveryCodes: array(string()) }),
  errors: ['wrong_code'],
})

/** Creates new recovery codes; earlier ones no longer work. */
export const renewRecoveryCodes = defineCall('POST /office/second-factor/recovery-codes', 'staff', {
  body: object({ password: GivenPassword, code: Code }),
  result: type({ recoveryCodes: array(string()) }),
  errors: ['wrong_password', 'wrong_code', 'second_factor_off'],
})

export const turnOffSecondFactor = defineCall('POST /office/second-factor/off', 'staff', {
  body: object({ password: GivenPassword, code: Code }),
  result: nothing(),
  errors: ['wrong_password', 'wrong_code', 'second_factor_off', 'second_factor_needed'],
})

/** The account that an invitation is for. A POST, so that the token is not in a logged URL. */
export const readInvitation = defineCall('POST /office/invitation', 'anyone', {
  body: object({ token: LinkToken }),
  result: type({
    email: string(),
    role: StaffRole,
    firstName: string(),
    lastName: string(),
  }),
  errors: ['invalid_invitation'],
})

/**
 * Accepts an invitation with name and password. `accessToken` is null if the account has to log in
 * with a second factor.
 */
export const acceptInvitation = defineCall('POST /office/invitation/accept', 'anyone', {
  body: object({
    token: LinkToken,
    firstName: Name,
    lastName: Name,
    password: NewPassword,
    locale: optional(nullable(MailLanguage)),
  }),
  result: type({ accessToken: nullable(string()) }),
  errors: ['invalid_invitation'],
})

/** A teacher's request to sell here. */
export const JoinRequest = object({
  firstName: Name,
  lastName: Name,
  email: Email,
  phone: Phone,
  subjects: text(1, JOIN_SUBJECTS_MAX_LENGTH),
  message: text(0, JOIN_MESSAGE_MAX_LENGTH),
  /** The language of the e-mails; Arabic by default. */
  locale: optional(nullable(MailLanguage)),
})
export type JoinRequest = Infer<typeof JoinRequest>

/**
 * Requests to join as a teacher. The answer is the same whether or not the e-mail address is known;
 * the request is valid once the address is confirmed with the mailed link.
 */
export const askToJoin = defineCall('POST /office/join', 'anyone', {
  body: JoinRequest,
  result: type({ status: enums(['SENT']) }),
})

/** Confirms the e-mail address of a request to join. */
export const confirmJoining = defineCall('POST /office/join/confirm', 'anyone', {
  body: object({ token: LinkToken }),
  result: type({ status: enums(['CONFIRMED', 'ALREADY_CONFIRMED']) }),
  errors: ['invalid_confirmation_token'],
})
