import { normalisePhone } from '../../rules/phone.ts'
import {
  checkConfirmation,
  checkPassword,
  composeValidators,
  EMAIL_MAX_LENGTH,
  email,
  maxLength,
  NAME_MAX_LENGTH,
  required,
} from '../../rules/validators.ts'

/** The fields of section 2 in their order on the page. */
export const REGISTRATION_FIELDS = [
  'username',
  'firstName',
  'lastName',
  'phone',
  'gender',
  'email',
  'password',
  'confirmPassword',
] as const
export type RegistrationField = (typeof REGISTRATION_FIELDS)[number]
export type RegistrationValues = Record<RegistrationField, string>

/** What can be wrong with a field; the sentences are `account:register.errors` of locales. */
export const REGISTRATION_ERRORS = [
  'required',
  'email',
  'phone',
  'minLength',
  'maxLength',
  'mismatch',
  'invalid',
] as const
export type RegistrationError = (typeof REGISTRATION_ERRORS)[number]
export type RegistrationErrors = Partial<Record<RegistrationField, RegistrationError>>

const name = composeValidators(required, maxLength(NAME_MAX_LENGTH))
const address = composeValidators(required, maxLength(EMAIL_MAX_LENGTH), email)

/** What the form finds wrong before it asks the server (section 5). */
export function registrationErrors(values: RegistrationValues): RegistrationErrors {
  const { password, confirmPassword } = values
  const phone = normalisePhone(values.phone) === null ? 'phone' : null
  return found({
    username: name(values.username),
    firstName: name(values.firstName),
    lastName: name(values.lastName),
    phone: required(values.phone) ?? phone,
    gender: required(values.gender),
    email: address(values.email.trim()),
    password: checkPassword(password),
    confirmPassword: checkConfirmation(password, confirmPassword),
  })
}

/** What the server found wrong, by the reasons of the contract. */
export function serverErrors(fields: Readonly<Record<string, string>>): RegistrationErrors {
  return found(Object.fromEntries(REGISTRATION_FIELDS.map((field) => [field, fields[field]])))
}

function found(reasons: Partial<Record<RegistrationField, string | null>>): RegistrationErrors {
  const errors: RegistrationErrors = {}
  for (const field of REGISTRATION_FIELDS) {
    const reason = reasons[field]
    if (reason) errors[field] = REGISTRATION_ERRORS.find((known) => known === reason) ?? 'invalid'
  }
  return errors
}
