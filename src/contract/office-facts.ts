import { array, enums, type Infer, number, object, record, size, type } from 'superstruct'
import { inEachLanguage } from '../rules/in-each-language.ts'
import { plainEmail } from '../rules/pasted-text.ts'
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
  PHONES_MAX,
  phoneProblem,
  ribProblem,
  shownPhone,
  shownRib,
} from '../rules/site-facts.ts'
import { defineCall } from './call.ts'
import { LastChange, revision } from './office-site-versions.ts'
import { Facts } from './site.ts'
import { checked, fromText, nameText, text, whole } from './values.ts'

const line = () => checked(nameText(0, FACT_MAX_LENGTH), lineProblem)
const inLanguages = () => object(inEachLanguage(line))
const phone = () => fromText(checked(text(0, FACT_MAX_LENGTH), phoneProblem), shownPhone)
const degrees = (most: number) =>
  checked(number(), (value) => (Math.abs(value) <= most ? null : 'invalid'))

/**
 * Each group of facts as administrators save it: trimmed, with numbers in the notation of pages.
 */
export const FACTS = {
  contact: object({
    phones: size(array(phone()), 1, PHONES_MAX),
    email: checked(text(0, FACT_MAX_LENGTH, plainEmail), emailProblem),
    school: inLanguages(),
    addresses: size(array(inLanguages()), 1, ADDRESSES_MAX),
    place: object({ latitude: degrees(85), longitude: degrees(180) }),
  }),
  community: object({
    followers: whole(0, FOLLOWERS_MAX),
    links: size(
      array(object({ name: line(), url: checked(text(0, LINK_MAX_LENGTH), linkProblem) })),
      0,
      LINKS_MAX,
    ),
  }),
  bank: object({
    name: inLanguages(),
    holder: line(),
    rib: fromText(checked(text(0, FACT_MAX_LENGTH), ribProblem), shownRib),
  }),
  d17: object({ phone: phone(), holder: line() }),
}

/** The facts, each group with the revision that its next change must name. */
export const OfficeFacts = type({
  facts: Facts,
  groups: record(enums(FACT_GROUPS), type({ revision: number(), changed: LastChange })),
})
export type OfficeFacts = Infer<typeof OfficeFacts>

export const getOfficeFacts = defineCall({
  method: 'GET',
  path: '/office/admin/facts',
  caller: 'admin',
  result: OfficeFacts,
})

/**
 * Saves a group of facts, which every page shows at once. `revision` is the one that was read: if
 * the group has changed since, the answer is 409 `done_before` and nothing is saved.
 */
export const saveContact = defineCall({
  method: 'PUT',
  path: '/office/admin/facts/contact',
  caller: 'admin',
  body: object({ revision: revision(), value: FACTS.contact }),
  result: OfficeFacts,
  errors: ['done_before'],
})
export const saveCommunity = defineCall({
  method: 'PUT',
  path: '/office/admin/facts/community',
  caller: 'admin',
  body: object({ revision: revision(), value: FACTS.community }),
  result: OfficeFacts,
  errors: ['done_before'],
})
export const saveBank = defineCall({
  method: 'PUT',
  path: '/office/admin/facts/bank',
  caller: 'admin',
  body: object({ revision: revision(), value: FACTS.bank }),
  result: OfficeFacts,
  errors: ['done_before'],
})
export const saveD17 = defineCall({
  method: 'PUT',
  path: '/office/admin/facts/d17',
  caller: 'admin',
  body: object({ revision: revision(), value: FACTS.d17 }),
  result: OfficeFacts,
  errors: ['done_before'],
})
