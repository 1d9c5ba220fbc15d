import * as s from 'superstruct'
import { DETAILS, type Detail, type Details, ruleOf } from '../rules/document-fields.ts'
import { inEachLanguage } from '../rules/languages.ts'
import { LEVELS } from '../rules/price-bands.ts'
import { defineCall } from './call.ts'
import { id, text, whole } from './values.ts'

/** A text in each language. */
export const InEachLanguage = s.type(inEachLanguage(s.string))

const named = {
  id: id(),
  name: s.string(),
  /** The code by which the interface translates the name; other backends may lack it. */
  code: s.optional(s.nullable(s.string())),
  /** The names that administrators have written, if any; they take precedence over translations. */
  names: s.optional(s.nullable(InEachLanguage)),
}

/** A category, subject or class. */
export const Named = s.type(named)
export type Named = s.Infer<typeof Named>

export const SchoolClass = s.type({
  ...named,
  level: s.optional(s.nullable(s.enums(LEVELS))),
})
export type SchoolClass = s.Infer<typeof SchoolClass>

export const CoverMapping = s.type({
  coverPath: s.nullable(s.string()),
  livrePath: s.nullable(s.string()),
  color: s.nullable(s.string()),
})
export type CoverMapping = s.Infer<typeof CoverMapping>

function detailStruct(name: Detail) {
  const rule = ruleOf(name)
  if (rule.kind === 'number') return s.nullable(whole(rule.least, rule.most))
  return s.nullable(text(1, rule.kind === 'text' ? rule.most : 0))
}

/** The optional details of a document, by the table of its fields. */
const detailStructs = Object.fromEntries(DETAILS.map((name) => [name, detailStruct(name)])) as {
  [Name in Detail]: s.Struct<Details[Name], null>
}
export const DocumentDetails = s.type(detailStructs)
/** The same where each may be left out: other backends lack some. */
export const SomeDetails = s.partial(DocumentDetails)

const standing = s.type({
  /**
   * Only if the entry is no longer offered for new documents: whether a document for sale still has
   * it.
   */
  retired: s.optional(s.enums(['in use', 'unused'])),
})

/**
 * An entry of a list, including retired ones, so that documents that have them can be described.
 */
export const Listed = s.assign(Named, standing)
export type Listed = s.Infer<typeof Listed>
export const ListedClass = s.assign(SchoolClass, standing)
export type ListedClass = s.Infer<typeof ListedClass>

export const listCategories = defineCall('GET /category', 'anyone', { result: s.array(Listed) })
export const listMatieres = defineCall('GET /matieres', 'anyone', { result: s.array(Listed) })
export const listClasses = defineCall('GET /niveaux', 'anyone', { result: s.array(ListedClass) })
