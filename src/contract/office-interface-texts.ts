import {
  boolean,
  enums,
  type Infer,
  nullable,
  number,
  object,
  optional,
  string,
  type,
} from 'superstruct'
import { inEachLanguage } from '../rules/in-each-language.ts'
import { LANGUAGES } from '../rules/languages.ts'
import { defineCall } from './call.ts'
import { LastChange, revision } from './office-site-versions.ts'
import { pageOf, pageQuery } from './pages.ts'
import { text } from './values.ts'

/** Longer than any may be: the rules of `interface-texts.ts` say how long by the shipped one. */
const TEXT_MAX_LENGTH = 2000
const KEY_MAX_LENGTH = 100

/** A text in one language; null where this language has none, such as a plural form of another. */
const TextIn = nullable(
  type({
    /** With its `{{names}}`; '' where the shop has no such text any more. */
    shipped: string(),
    /** What stands in its place. */
    own: nullable(string()),
    /** That does not fit the shipped text any more, which is shown instead. */
    isIgnored: boolean(),
    revision: number(),
    changed: LastChange,
  }),
)

/** A text of the interface by its key, `shop:results_few`. */
export const InterfaceText = type({ key: string(), ...inEachLanguage(() => TextIn) })
export type InterfaceText = Infer<typeof InterfaceText>

/** `own`: those with a text in their place; `ignored`: those whose text does not fit any more. */
export const TEXT_STATES = ['own', 'ignored'] as const

const InterfaceTextPage = pageOf(InterfaceText)
export type InterfaceTextPage = Infer<typeof InterfaceTextPage>

/** The texts that can be others than the shipped ones, by their words in any language or by their keys. */
export const listInterfaceTexts = defineCall({
  method: 'GET',
  path: '/office/admin/interface-texts',
  caller: 'admin',
  query: object({
    q: optional(text(0, KEY_MAX_LENGTH)),
    state: optional(enums(TEXT_STATES)),
    sort: optional(enums(['key'])),
    ...pageQuery,
  }),
  result: InterfaceTextPage,
})

export const getInterfaceText = defineCall({
  method: 'GET',
  path: '/office/admin/interface-text',
  caller: 'admin',
  query: object({ key: text(1, KEY_MAX_LENGTH) }),
  result: InterfaceText,
  errors: ['not_found'],
})

/** Puts a text in place of the shipped one, or changes it; it is public at once. Two at once as with facts. */
export const saveInterfaceText = defineCall({
  method: 'PUT',
  path: '/office/admin/interface-text',
  caller: 'admin',
  body: object({
    key: text(1, KEY_MAX_LENGTH),
    locale: enums(LANGUAGES),
    revision: revision(),
    text: text(0, TEXT_MAX_LENGTH),
  }),
  result: InterfaceText,
  errors: ['done_before', 'not_found'],
})
