import * as s from 'superstruct'
import { inEachLanguage, LANGUAGES } from '../rules/languages.ts'
import { TEXT_GROUP_NAMES } from '../rules/text-groups.ts'
import { defineCall } from './call.ts'
import { LastChange, pageOf, pageQuery, revision, searchedText, text } from './values.ts'

/**
 * Above the limit of any text: the rules in `interface-texts.ts` limit each by its shipped text.
 */
const TEXT_MAX_LENGTH = 2000
const KEY_MAX_LENGTH = 100

/**
 * A text in one language; null if the language does not have it, such as a plural form of another.
 */
const TextIn = s.nullable(
  s.type({
    /** The shipped text with its `{{names}}`; '' if the shop no longer has such a text. */
    shipped: s.string(),
    /** The text that replaces it, if any. */
    own: s.nullable(s.string()),
    /** Whether that text no longer fits the shipped one, which is therefore shown instead. */
    isIgnored: s.boolean(),
    revision: s.number(),
    changed: LastChange,
  }),
)

/** A text of the interface by its key, `shop:results_few`. */
export const InterfaceText = s.type({ key: s.string(), ...inEachLanguage(() => TextIn) })
export type InterfaceText = s.Infer<typeof InterfaceText>

/** `own`: the replaced ones; `ignored`: those whose replacement no longer fits. */
export const TEXT_STATES = ['own', 'ignored'] as const

/** The texts that can be replaced, searched by their words in any language or by their keys. */
export const listInterfaceTexts = defineCall('GET /office/admin/interface-texts', 'admin', {
  query: s.object({
    q: s.optional(searchedText()),
    state: s.optional(s.enums(TEXT_STATES)),
    /** Only those that are seen on this page. */
    group: s.optional(s.enums(TEXT_GROUP_NAMES)),
    sort: s.optional(s.enums(['key'])),
    ...pageQuery,
  }),
  result: pageOf(InterfaceText),
})

/** How many of these texts are seen on a page of the shop, and how many are replaced. */
export const TextGroup = s.type({
  group: s.enums(TEXT_GROUP_NAMES),
  count: s.number(),
  own: s.number(),
})
export type TextGroup = s.Infer<typeof TextGroup>

/** The pages on which the texts are seen, without those that have none of them. */
export const listTextGroups = defineCall('GET /office/admin/interface-text-groups', 'admin', {
  query: s.object({ q: s.optional(searchedText()), state: s.optional(s.enums(TEXT_STATES)) }),
  result: s.array(TextGroup),
})

export const getInterfaceText = defineCall('GET /office/admin/interface-text', 'admin', {
  query: s.object({ key: text(1, KEY_MAX_LENGTH) }),
  result: InterfaceText,
  errors: ['not_found'],
})

/**
 * Replaces a shipped text, or changes its replacement; it is public at once. Concurrent changes are
 * handled as for facts.
 */
export const saveInterfaceText = defineCall('PUT /office/admin/interface-text', 'admin', {
  body: s.object({
    key: text(1, KEY_MAX_LENGTH),
    locale: s.enums(LANGUAGES),
    revision: revision(),
    text: text(0, TEXT_MAX_LENGTH),
  }),
  result: InterfaceText,
  errors: ['done_before', 'not_found'],
})
