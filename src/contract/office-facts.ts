import * as s from 'superstruct'
import { LOGO_MAX_BYTES } from '../rules/brand.ts'
import { type FactKind, type FactRule, factKind } from '../rules/fact-fields.ts'
import { FACT_GROUPS, FACT_MAX_LENGTH, type FactGroup } from '../rules/site-facts.ts'
import { defineCall } from './call.ts'
import { Facts, factsIn } from './site.ts'
import { checked, fromText, LastChange, nameText, revision, text, whole } from './values.ts'

/** A value as administrators save it: trimmed, with numbers in the notation of pages. */
function saved(name: FactKind, { isNeeded, list }: FactRule) {
  const kind = factKind(name)
  if (!('problem' in kind)) {
    const { least, most, isWhole } = kind
    if (isWhole) return whole(least, most)
    return checked(s.number(), (value) => (least <= value && value <= most ? null : 'invalid'))
  }
  const { clean, most = FACT_MAX_LENGTH, isWords, problem, shown } = kind
  const mayBeEmpty = !isNeeded && !list
  const typed = checked(isWords ? nameText(0, most) : text(0, most, clean), (value) =>
    mayBeEmpty && value === '' ? null : problem(value),
  )
  return shown ? fromText(typed, shown) : typed
}

/** A group of facts as administrators save it. */
export const savedFacts = <Group extends FactGroup>(group: Group) =>
  factsIn(group, {
    object: s.object,
    value: saved,
    list: (entry, most) => s.size(s.array(entry), 0, most),
  })

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

const saveOf = <Group extends FactGroup>(group: Group) =>
  defineCall(`PUT /office/admin/facts/${group}`, 'admin', {
    body: s.object({ revision: revision(), value: savedFacts(group) }),
    result: OfficeFacts,
    errors: ['done_before'],
  })
/**
 * Saves a group of facts, which every page shows at once. `revision` is the one that was read: if
 * the group has changed since, the answer is 409 `done_before` and nothing is saved.
 */
export const saveBrand = saveOf('brand')
export const saveContact = saveOf('contact')
export const saveCommunity = saveOf('community')
export const saveBank = saveOf('bank')
export const saveD17 = saveOf('d17')
export const saveLegal = saveOf('legal')

/** The call that saves each group. */
export const FACT_CALLS = {
  brand: saveBrand,
  contact: saveContact,
  community: saveCommunity,
  bank: saveBank,
  d17: saveD17,
  legal: saveLegal,
} as unknown as Readonly<Record<FactGroup, ReturnType<typeof saveOf<FactGroup>>>>

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
