import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH, passwordForm } from './password-strength.ts'
import { isBlank, plainEmail } from './pasted-text.ts'

export const EMAIL_MAX_LENGTH = 254

const EMAIL_LOCAL_MAX_LENGTH = 64

/** The longest user, first or last name, in characters. */
export const NAME_MAX_LENGTH = 100

/**
 * The longest description of a payment, and the longest details of a custom order, in characters.
 */
export const DESCRIPTION_MAX_LENGTH = 2000

type FieldValue = string | number | null | undefined

type ValidationCode = 'required' | 'min' | 'max' | 'minLength' | 'maxLength' | 'pattern' | 'email'

/** Returns the rule that a value breaks, or null. All except `required` accept an empty value. */
type Validator<Code extends string = ValidationCode> = (value: FieldValue) => Code | null

/** Rejects missing values, and those in which nothing can be seen. */
export const required: Validator = (value) => (isBlank(valueText(value)) ? 'required' : null)

/** Rejects numbers below the limit, and anything that is not a number. */
export function min(limit: number): Validator {
  return (value) => (isEmpty(value) || Number(value) >= limit ? null : 'min')
}

/** Rejects numbers above the limit, and anything that is not a number. */
export function max(limit: number): Validator {
  return (value) => (isEmpty(value) || Number(value) <= limit ? null : 'max')
}

/** Rejects texts with fewer characters (code points). */
export function minLength(limit: number): Validator {
  return (value) => (isEmpty(value) || lengthOf(value) >= limit ? null : 'minLength')
}

/** Rejects texts with more characters (code points). */
export function maxLength(limit: number): Validator {
  return (value) => (lengthOf(value) <= limit ? null : 'maxLength')
}

/** Rejects texts that do not match the expression. */
export function pattern(expression: RegExp): Validator {
  // `search`, unlike `test`, ignores the `lastIndex` of a global expression.
  return (value) =>
    isEmpty(value) || valueText(value).search(expression) !== -1 ? null : 'pattern'
}

/** A piece of an e-mail address between the dots, before and after the @. */
const ATOM = /^[\w!#$%&'*+/=?^`{|}~-]+$/
const LABEL = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i

/**
 * Rejects anything but an e-mail address, however it was pasted, of at most `EMAIL_MAX_LENGTH`
 * characters, with at most `EMAIL_LOCAL_MAX_LENGTH` before the @.
 */
export const email: Validator = (value) => {
  if (isEmpty(value)) return null
  const text = plainEmail(valueText(value))
  if (text.length > EMAIL_MAX_LENGTH) return 'email'
  const [local = '', domain = '', ...others] = text.split('@')
  const [atoms, labels] = [local.split('.'), domain.split('.')]
  const isEmail =
    others.length === 0 &&
    local.length <= EMAIL_LOCAL_MAX_LENGTH &&
    labels.length > 1 &&
    atoms.every((atom) => ATOM.test(atom)) &&
    labels.every((label) => LABEL.test(label))
  return isEmail ? null : 'email'
}

/** Combines validators: the first broken rule counts. */
export function composeValidators<Code extends string>(
  ...validators: readonly Validator<Code>[]
): Validator<Code> {
  return (value) => {
    for (const validator of validators) {
      const code = validator(value)
      if (code !== null) return code
    }
    return null
  }
}

/** The rule that a new password breaks, or null; spaces count as characters. */
export function checkPassword(password: string): 'required' | 'minLength' | 'maxLength' | null {
  const length = lengthOf(passwordForm(password))
  if (length === 0) return 'required'
  if (length < PASSWORD_MIN_LENGTH) return 'minLength'
  return length <= PASSWORD_MAX_LENGTH ? null : 'maxLength'
}

export function checkConfirmation(
  password: string,
  confirmPassword: string,
): 'required' | 'mismatch' | null {
  if (confirmPassword === '') return 'required'
  return passwordForm(confirmPassword) === passwordForm(password) ? null : 'mismatch'
}

function valueText(value: FieldValue): string {
  return String(value ?? '')
}

function isEmpty(value: FieldValue): boolean {
  return valueText(value) === ''
}

function lengthOf(value: FieldValue): number {
  return [...valueText(value)].length
}
