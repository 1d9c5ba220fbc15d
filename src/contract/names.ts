import { enums, type Infer, nullable, optional, string, type } from 'superstruct'
import { inEachLanguage } from '../rules/languages.ts'
import { LEVELS } from '../rules/price-bands.ts'
import { id } from './values.ts'

/** A text in each language. */
export const InEachLanguage = type(inEachLanguage(string))

const named = {
  id: id(),
  name: string(),
  /** The code by which the interface translates the name; other backends may lack it. */
  code: optional(nullable(string())),
  /** The names that administrators have written, if any; they take precedence over translations. */
  names: optional(nullable(InEachLanguage)),
}

/** A category, subject or class. */
export const Named = type(named)
export type Named = Infer<typeof Named>

export const SchoolClass = type({
  ...named,
  level: optional(nullable(enums(LEVELS))),
})
export type SchoolClass = Infer<typeof SchoolClass>

export const CoverMapping = type({
  coverPath: nullable(string()),
  livrePath: nullable(string()),
  color: nullable(string()),
})
export type CoverMapping = Infer<typeof CoverMapping>
