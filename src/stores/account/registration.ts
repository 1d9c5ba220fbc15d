import type { Language } from '../../rules/languages.ts'
import { plainEmail, plainName } from '../../rules/pasted-text.ts'
import { normalisePhone } from '../../rules/typed-numbers.ts'
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
import { createForm, type Mistakes, type Sent, type Values } from '../shared/form.ts'
import type { Problem } from '../shared/problem.ts'
import { registerAccount } from './account.ts'

/** The fields of the form, in their order on the page. */
const REGISTRATION_FIELDS = [
  'firstName',
  'lastName',
  'username',
  'phone',
  'gender',
  'email',
  'password',
  'confirmPassword',
  'terms',
] as const
export type RegistrationField = (typeof REGISTRATION_FIELDS)[number]

/** The mistakes of a field; their sentences are `account:register.errors`. */
const MISTAKES = [
  'required',
  'email',
  'phone',
  'minLength',
  'maxLength',
  'mismatch',
  'username',
  'invalid',
] as const
type RegistrationMistake = (typeof MISTAKES)[number]

const name = composeValidators(required, maxLength(NAME_MAX_LENGTH))
const address = composeValidators(required, maxLength(EMAIL_MAX_LENGTH), email)

/** `asksForTerms`: whether there are terms to accept. */
/** `needsEmail`: the shop cannot reach phones. */
export const registrationForm = ({
  asksForTerms,
  needsEmail,
}: Record<'asksForTerms' | 'needsEmail', boolean>) =>
  createForm<RegistrationField, RegistrationMistake>(REGISTRATION_FIELDS, (typed) => {
    const values = cleaned(typed)
    const { password, confirmPassword } = values
    const phone = normalisePhone(values.phone) === null ? 'phone' : null
    return mistakes({
      username: name(values.username),
      firstName: name(values.firstName),
      lastName: name(values.lastName),
      phone: required(values.phone) ?? phone,
      gender: required(values.gender),
      email: needsEmail || values.email !== '' ? address(values.email) : null,
      password: checkPassword(password),
      confirmPassword: checkConfirmation(password, confirmPassword),
      ...(asksForTerms && { terms: required(values.terms) }),
    })
  })

/**
 * The user name to fill in from the names; null once the user has changed it. `filled`: the one that
 * was filled in last.
 */
export function suggestUsername(
  { username, firstName, lastName }: Record<'username' | 'firstName' | 'lastName', string>,
  filled: string,
): string | null {
  if (username !== filled) return null
  const names = plainName(`${firstName} ${lastName}`)
  return [...names].slice(0, NAME_MAX_LENGTH).join('').trim()
}

/** Sends a registration. `givenSessionId` names a cart to bring along, if the URL has one. */
export async function sendRegistration(
  typed: Values<RegistrationField>,
  locale: Language,
  givenSessionId: string | null,
  acceptedTerms: number | null,
): Promise<Sent<RegistrationField, RegistrationMistake, Problem>> {
  const { confirmPassword: _, terms: __, gender, ...account } = cleaned(typed)
  const problem = await registerAccount(
    { ...account, gender: gender === 'male' ? 'male' : 'female', locale, acceptedTerms },
    givenSessionId,
  )
  return problem ? { problem, mistakes: mistakes(problem.fields) } : 'leaving'
}

/** The values without what a field's kind cannot mean; passwords stay as they were typed. */
function cleaned(values: Values<RegistrationField>): Values<RegistrationField> {
  return {
    ...values,
    username: plainName(values.username),
    firstName: plainName(values.firstName),
    lastName: plainName(values.lastName),
    email: plainEmail(values.email),
  }
}

/** The broken rule of each field; `invalid` for a rule without a sentence of its own. */
function mistakes(
  rules: Readonly<Partial<Record<string, string | null>>>,
): Mistakes<RegistrationField, RegistrationMistake> {
  const found: Partial<Record<RegistrationField, RegistrationMistake>> = {}
  for (const field of REGISTRATION_FIELDS) {
    const rule = rules[field]
    if (rule && field === 'username') found[field] = 'username'
    else if (rule) found[field] = MISTAKES.find((known) => known === rule) ?? 'invalid'
  }
  return found
}
