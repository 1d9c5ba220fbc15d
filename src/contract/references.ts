import * as s from 'superstruct'
import { DETAILS, type Detail, type Details, ruleOf } from '../rules/document-fields.ts'
import { UNKNOWN_ID } from '../rules/features.ts'
import { inEachLanguage } from '../rules/languages.ts'
import { KIND_CODE } from '../rules/papers.ts'
import { LEVELS } from '../rules/price-bands.ts'
import { defineCall } from './call.ts'
import { extra, id, idOrNone, ours, text, textOrNone, whole } from './values.ts'

/** A text in each language. */
export const InEachLanguage = s.type(inEachLanguage(s.string))

const translated = {
  /** The code by which the interface translates the name. */
  code: extra(s.nullable(s.string())),
  /** The names that administrators have written, if any; they take precedence over translations. */
  names: extra(s.nullable(InEachLanguage)),
}
const named = { id: id(), name: s.string(), ...translated }

/** A category, subject or class. */
export const Named = s.type(named)
export type Named = s.Infer<typeof Named>

const ofClass = { level: extra(s.nullable(s.enums(LEVELS))) }
export const SchoolClass = s.type({ ...named, ...ofClass })
export type SchoolClass = s.Infer<typeof SchoolClass>

// The same where a document names it: other backends may give the name alone, and no id.
const inDocument = { id: idOrNone(), name: textOrNone(), ...translated }
const NAMELESS = { id: UNKNOWN_ID, name: '' }
const byName = (value: unknown) =>
  typeof value === 'string' ? { ...NAMELESS, name: value } : value
export const NamedInDocument = ours(s.type(inDocument), NAMELESS, byName)
export const ClassInDocument = ours(s.type({ ...inDocument, ...ofClass }), NAMELESS, byName)

const path = () => ours(s.nullable(s.string()), null)
export const CoverMapping = s.type({
  coverPath: path(),
  livrePath: path(),
  color: path(),
})
export type CoverMapping = s.Infer<typeof CoverMapping>

function detailStruct(name: Detail) {
  const rule = ruleOf(name)
  if ('least' in rule) return s.nullable(whole(rule.least, rule.most))
  if (rule.kind === 'option') {
    return s.nullable(rule.isOpen ? s.pattern(s.string(), KIND_CODE) : s.enums(rule.options))
  }
  if (rule.kind === 'paper') return s.nullable(id())
  return s.nullable(text(1, rule.kind === 'text' ? rule.most : 0))
}

/** The optional details of a document, by the table of its fields. */
const detailStructs = Object.fromEntries(
  DETAILS.map((name) => [name, detailStruct(name)]),
) as unknown as {
  [Name in Detail]: s.Struct<Details[Name], null>
}
export const DocumentDetails = s.type(detailStructs)
/** The same where each may be left out. */
export const SomeDetails = s.partial(DocumentDetails)
/** The same in answers: other backends lack some. */
export const someDetails = Object.fromEntries(
  DETAILS.map((name) => [name, extra(detailStructs[name] as s.Struct<unknown, null>)]),
) as { [Name in Detail]: s.Struct<Details[Name] | undefined, null> }

const standing = s.type({
  /**
   * Only if the entry is no longer offered for new documents: whether a document for sale still has
   * it.
   */
  retired: extra(s.enums(['in use', 'unused'])),
})

/**
 * An entry of a list, including retired ones, so that documents that have them can be described.
 */
export const Listed = s.assign(Named, standing)
export type Listed = s.Infer<typeof Listed>
export const ListedClass = s.assign(
  SchoolClass,
  s.assign(
    standing,
    s.type({
      /** The subjects that it has; absent if it has all. */ subjectIds: extra(s.array(id())),
    }),
  ),
)
export type ListedClass = s.Infer<typeof ListedClass>

export const listCategories = defineCall('GET /category', 'anyone', { result: s.array(Listed) })
/** The kinds of papers that administrators have added; documents name them by their codes. */
export const listKinds = defineCall('GET /paper-kinds', 'anyone', {
  feature: 'programme',
  result: s.array(Listed),
})
export const listMatieres = defineCall('GET /matieres', 'anyone', { result: s.array(Listed) })
/** The chapters of a class and subject that are offered, in their order. */
export const listChapters = defineCall('GET /chapters', 'anyone', {
  feature: 'programme',
  query: s.object({ niveauId: id(), matiereId: id() }),
  result: s.array(Named),
})
export const listClasses = defineCall('GET /niveaux', 'anyone', { result: s.array(ListedClass) })
