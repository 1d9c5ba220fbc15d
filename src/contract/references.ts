import {
  array,
  assign,
  enums,
  type Infer,
  nullable,
  optional,
  partial,
  type Struct,
  string,
  type,
} from 'superstruct'
import { DETAILS, type Detail, type Details, ruleOf } from '../rules/document-fields.ts'
import { inEachLanguage } from '../rules/languages.ts'
import { LEVELS } from '../rules/price-bands.ts'
import { defineCall } from './call.ts'
import { id, text, whole } from './values.ts'

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

function detailStruct(name: Detail) {
  const rule = ruleOf(name)
  if (rule.kind === 'number') return nullable(whole(rule.least, rule.most))
  return nullable(text(1, rule.kind === 'text' ? rule.most : 0))
}

/** The optional details of a document, by the table of its fields. */
const detailStructs = Object.fromEntries(DETAILS.map((name) => [name, detailStruct(name)])) as {
  [Name in Detail]: Struct<Details[Name], null>
}
export const DocumentDetails = type(detailStructs)
/** The same where each may be left out: other backends lack some. */
export const SomeDetails = partial(DocumentDetails)

const standing = type({
  /**
   * Only if the entry is no longer offered for new documents: whether a document for sale still has
   * it.
   */
  retired: optional(enums(['in use', 'unused'])),
})

/**
 * An entry of a list, including retired ones, so that documents that have them can be described.
 */
export const Listed = assign(Named, standing)
export type Listed = Infer<typeof Listed>
export const ListedClass = assign(SchoolClass, standing)
export type ListedClass = Infer<typeof ListedClass>

export const listCategories = defineCall('GET /category', 'anyone', { result: array(Listed) })
export const listMatieres = defineCall('GET /matieres', 'anyone', { result: array(Listed) })
export const listClasses = defineCall('GET /niveaux', 'anyone', { result: array(ListedClass) })
