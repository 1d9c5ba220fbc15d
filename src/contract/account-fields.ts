import * as s from 'superstruct'
import { LANGUAGES } from '../rules/languages.ts'
import { LINK_NAME_MAX_LENGTH } from '../rules/link-visits.ts'
import { plainEmail, plainSigns } from '../rules/pasted-text.ts'
import { readCode } from '../rules/sms.ts'
import { normalisePhone } from '../rules/typed-numbers.ts'
import { checkPassword, EMAIL_MAX_LENGTH, email, NAME_MAX_LENGTH } from '../rules/validators.ts'
import { checked, id, nameText, text } from './values.ts'

/** A first, last or user name. */
export const Name = nameText(1, NAME_MAX_LENGTH)
export const Email = checked(text(1, EMAIL_MAX_LENGTH, plainEmail), (value) =>
  email(value) === null ? null : 'email',
)
export const Phone = checked(text(1, 32, plainSigns), (value) =>
  normalisePhone(value) === null ? 'phone' : null,
)
/** An e-mail address, or '' for an account with a phone number alone. */
export const EmailOrNone = checked(text(0, EMAIL_MAX_LENGTH, plainEmail), (value) =>
  value === '' || email(value) === null ? null : 'email',
)
/** An e-mail address, or a Tunisian phone number. */
export const EmailOrPhone = checked(text(1, EMAIL_MAX_LENGTH, plainEmail), (value) =>
  normalisePhone(value) !== null || email(value) === null ? null : 'email',
)
/** The code that was sent to a phone. */
export const PhoneCode = checked(text(1, 32, plainSigns), (value) =>
  readCode(value) === null ? 'pattern' : null,
)
/** An e-mail address or a phone number. */
export const Username = text(1, EMAIL_MAX_LENGTH, plainEmail)
/** An existing password, typed to prove one's identity. */
export const GivenPassword = checked(s.string(), (value) => (value === '' ? 'required' : null))
export const NewPassword = checked(s.string(), checkPassword)

const LINK_TOKEN_MAX_LENGTH = 200
/** The token of a link in a mail. */
export const LinkToken = text(1, LINK_TOKEN_MAX_LENGTH)

/** The language of an account's e-mails. */
export const MailLanguage = s.enums(LANGUAGES)

/** What a buyer agrees to with a purchase; other clients leave it out. */
export const consent = {
  /** The number of the terms that the buyer accepts with it, as `terms_not_accepted` names it. */
  acceptedTerms: s.optional(id()),
  /** The language in which the buyer read that what is delivered at once cannot be given back. */
  notice: s.optional(MailLanguage),
}

/** How a buyer came; other clients leave it out. */
export const arrival = {
  /** The teacher's link by which the buyer came to the shop within the day; an unknown one says nothing. */
  link: s.optional(text(0, LINK_NAME_MAX_LENGTH)),
}

/** What shows that the owner of an account asks. */
export const proof = {
  password: GivenPassword,
  /** Only for staff whose second factor is on. */
  code: s.optional(s.nullable(s.string())),
}
