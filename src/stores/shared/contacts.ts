import { type CONTACT_KINDS, readCode } from '../../rules/sms.ts'
import { normalisePhone } from '../../rules/typed-numbers.ts'
import { email as emailMistake } from '../../rules/validators.ts'
import { createForm } from './form.ts'
import type { Proof } from './leaving.ts'

export type ContactKind = (typeof CONTACT_KINDS)[number]
type Mistake = 'required' | 'email' | 'phone' | 'code'

const CONTACT_FIELDS = ['value', 'password', 'code'] as const
export type ContactField = (typeof CONTACT_FIELDS)[number]

/** The new address or number, with what shows that its owner asks. */
export const contactForm = (kind: ContactKind, proof: readonly Proof[]) =>
  createForm<ContactField, Mistake>(CONTACT_FIELDS, ({ value, ...proofs }) => {
    const isWrong = kind === 'email' ? emailMistake(value) !== null : normalisePhone(value) === null
    const mistakes: { [Field in ContactField]?: Mistake } = {}
    if (isWrong) mistakes.value = kind
    if (value.trim() === '') mistakes.value = 'required'
    for (const each of proof) if (proofs[each] === '') mistakes[each] = 'required'
    return mistakes
  })

const CODES_FIELDS = ['code', 'oldCode'] as const
export type CodesField = (typeof CODES_FIELDS)[number]

/** The codes to both numbers; the one to the number so far may be left out. */
export const codesForm = () =>
  createForm<CodesField, Mistake>(CODES_FIELDS, ({ code, oldCode }) => ({
    ...(readCode(code) === null && { code: 'code' }),
    ...(oldCode.trim() !== '' && readCode(oldCode) === null && { oldCode: 'code' }),
  }))
