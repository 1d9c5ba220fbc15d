import * as s from 'superstruct'
import { isColour, LOGO_MAX_BYTES, readLogoName } from '../rules/brand.ts'
import { readVatRate } from '../rules/invoices.ts'
import { inEachLanguage } from '../rules/languages.ts'
import { plainEmail, plainLink } from '../rules/pasted-text.ts'
import {
  ADDRESSES_MAX,
  emailProblem,
  FACT_GROUPS,
  FACT_MAX_LENGTH,
  FOLLOWERS_MAX,
  LINK_MAX_LENGTH,
  LINKS_MAX,
  lineProblem,
  linkProblem,
  nameProblem,
  PHONES_MAX,
  PLACE_MAX,
  phoneProblem,
  registerProblem,
  ribProblem,
  shownPhone,
  shownRegister,
  shownRib,
  shownStampDuty,
  sloganProblem,
  stampDutyProblem,
  taxNumberProblem,
  vatRateProblem,
} from '../rules/site-facts.ts'
import { readTaxNumber } from '../rules/tax-number.ts'
import { defineCall } from './call.ts'
import { Facts } from './site.ts'
import {
  checked,
  fromText,
  LastChange,
  nameText,
  type Reason,
  revision,
  text,
  whole,
} from './values.ts'

const line = () => checked(nameText(0, FACT_MAX_LENGTH), lineProblem)
const inLanguages = () => s.object(inEachLanguage(line))
/** A text that is empty or that `problem` accepts. */
const optional = (
  problem: (text: string) => Reason | null,
  of: s.Struct<string, null> = text(0, FACT_MAX_LENGTH),
) => checked(of, (value) => (value === '' ? null : problem(value)))
/** A name of one line that may be empty. */
const optionalLine = () => optional(lineProblem, nameText(0, FACT_MAX_LENGTH))
const optionalInLanguages = () => s.object(inEachLanguage(optionalLine))
const phone = () => fromText(checked(text(0, FACT_MAX_LENGTH), phoneProblem), shownPhone)
const degrees = (of: keyof typeof PLACE_MAX) =>
  checked(s.number(), (value) => (Math.abs(value) <= PLACE_MAX[of] ? null : 'invalid'))

/**
 * Each group of facts as administrators save it: trimmed, with numbers in the notation of pages.
 */
export const FACTS = {
  brand: s.object({
    name: s.object(inEachLanguage(() => checked(nameText(0, FACT_MAX_LENGTH), nameProblem))),
    slogan: s.object(inEachLanguage(() => checked(nameText(0, FACT_MAX_LENGTH), sloganProblem))),
    logo: optional((name) => (readLogoName(name) ? null : 'invalid')),
    accent: fromText(
      optional((colour) => (isColour(colour) ? null : 'pattern')),
      (typed) => typed.trim().toLowerCase(),
    ),
    credit: s.object({
      name: optionalLine(),
      url: optional(linkProblem, text(0, LINK_MAX_LENGTH, plainLink)),
    }),
  }),
  contact: s.object({
    phones: s.size(s.array(phone()), 0, PHONES_MAX),
    email: optional(emailProblem, text(0, FACT_MAX_LENGTH, plainEmail)),
    school: optionalInLanguages(),
    addresses: s.size(s.array(inLanguages()), 0, ADDRESSES_MAX),
    place: s.nullable(s.object({ latitude: degrees('latitude'), longitude: degrees('longitude') })),
  }),
  community: s.object({
    followers: whole(0, FOLLOWERS_MAX),
    links: s.size(
      s.array(
        s.object({ name: line(), url: checked(text(0, LINK_MAX_LENGTH, plainLink), linkProblem) }),
      ),
      0,
      LINKS_MAX,
    ),
  }),
  bank: s.object({
    name: optionalInLanguages(),
    holder: optionalLine(),
    rib: fromText(optional(ribProblem), shownRib),
  }),
  d17: s.object({
    phone: fromText(optional(phoneProblem), shownPhone),
    holder: optionalLine(),
  }),
  legal: s.object({
    name: optionalLine(),
    taxNumber: fromText(optional(taxNumberProblem), (typed) => readTaxNumber(typed) ?? typed),
    register: fromText(optional(registerProblem), shownRegister),
    vatRate: fromText(optional(vatRateProblem), (typed) => readVatRate(typed) ?? typed),
    exemption: optionalInLanguages(),
    stamp: fromText(optional(stampDutyProblem), shownStampDuty),
  }),
}

/** The length of the largest logo in base64. */
const LOGO_MAX_LENGTH = 4 * Math.ceil(LOGO_MAX_BYTES / 3)

/** The facts, each group with the revision that its next change must name. */
export const OfficeFacts = s.type({
  facts: Facts,
  groups: s.record(s.enums(FACT_GROUPS), s.type({ revision: s.number(), changed: LastChange })),
})
export type OfficeFacts = s.Infer<typeof OfficeFacts>

export const getOfficeFacts = defineCall('GET /office/admin/facts', 'admin', {
  result: OfficeFacts,
})

/**
 * Saves a group of facts, which every page shows at once. `revision` is the one that was read: if
 * the group has changed since, the answer is 409 `done_before` and nothing is saved.
 */
export const saveBrand = defineCall('PUT /office/admin/facts/brand', 'admin', {
  body: s.object({ revision: revision(), value: FACTS.brand }),
  result: OfficeFacts,
  errors: ['done_before'],
})
export const saveContact = defineCall('PUT /office/admin/facts/contact', 'admin', {
  body: s.object({ revision: revision(), value: FACTS.contact }),
  result: OfficeFacts,
  errors: ['done_before'],
})
export const saveCommunity = defineCall('PUT /office/admin/facts/community', 'admin', {
  body: s.object({ revision: revision(), value: FACTS.community }),
  result: OfficeFacts,
  errors: ['done_before'],
})
export const saveBank = defineCall('PUT /office/admin/facts/bank', 'admin', {
  body: s.object({ revision: revision(), value: FACTS.bank }),
  result: OfficeFacts,
  errors: ['done_before'],
})
export const saveD17 = defineCall('PUT /office/admin/facts/d17', 'admin', {
  body: s.object({ revision: revision(), value: FACTS.d17 }),
  result: OfficeFacts,
  errors: ['done_before'],
})
export const saveLegal = defineCall('PUT /office/admin/facts/legal', 'admin', {
  body: s.object({ revision: revision(), value: FACTS.legal }),
  result: OfficeFacts,
  errors: ['done_before'],
})

/**
 * Checks an uploaded logo (base64 of an SVG or PNG of at most `LOGO_MAX_BYTES`), draws it anew and
 * stores it; returns the name under which `saveBrand` shows it.
 */
export const uploadLogo = defineCall('POST /office/admin/logos', 'admin', {
  body: s.object({
    content: s.pattern(s.size(s.string(), 4, LOGO_MAX_LENGTH), /^[A-Za-z\d+/]+={0,2}$/),
  }),
  takesAtMost: LOGO_MAX_LENGTH + 1024,
  result: s.type({ logo: s.string() }),
  errors: ['not_a_logo', 'logo_too_large'],
})
