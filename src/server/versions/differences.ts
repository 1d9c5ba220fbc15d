import { type ChangeObject, diffWordsWithSpace } from 'diff'

/** A piece of a text: unchanged, added or removed. */
export interface Part {
  kind: 'same' | 'added' | 'removed'
  text: string
}

/** The change of one field of a value; its path is for example `fr.title` or `items.3.ar.text`. */
export interface Difference {
  field: string
  parts: Part[]
}

/**
 * How many words, signs and letters of a text may be added or removed, since comparing takes a time
 * that grows with the square of their number; a text with more was rewritten and is shown whole.
 */
const EDITS_MAX = 1000
/** How many in all texts of a value together; the others are shown whole. */
const ALL_EDITS_MAX = 4 * EDITS_MAX

/**
 * Every text and number of a value, by its path; the path of an item that has an id contains the
 * id.
 */
export function fieldsOf(value: unknown, path = '', found = new Map<string, string>()) {
  if (typeof value !== 'object' || value === null) return found.set(path, String(value))
  const isNumbered = Array.isArray(value) && value.some((each) => each?.id !== undefined)
  if (isNumbered) found.set(`${path}.order`, value.map(({ id }) => id).join(', '))
  for (const [name, inner] of Object.entries(value)) {
    if (name === 'id') continue
    const key = isNumbered ? String((inner as { id: number }).id) : name
    fieldsOf(inner, path ? `${path}.${key}` : key, found)
  }
  return found
}

/** The paths of the fields in which two values differ. */
export function changedFields(before: unknown, after: unknown): string[] {
  return changesOf(before, after).map(({ field }) => field)
}

/** The differences between two values, field by field. */
export function differences(before: unknown, after: unknown): Difference[] {
  let editsLeft = ALL_EDITS_MAX
  return changesOf(before, after).map(({ field, old, next }) => {
    const maxEditLength = Math.min(EDITS_MAX, editsLeft)
    const compared = diffWordsWithSpace(old, next, { maxEditLength })
    editsLeft -= compared ? editsIn(compared) : maxEditLength
    return { field, parts: compared ? compared.map(partOf) : whole(old, next) }
  })
}

interface Change {
  readonly field: string
  readonly old: string
  readonly next: string
}

function changesOf(before: unknown, after: unknown): Change[] {
  const [was, is] = [fieldsOf(before), fieldsOf(after)]
  const fields = [...new Set([...is.keys(), ...was.keys()])]
  return fields
    .map((field) => ({ field, old: was.get(field) ?? '', next: is.get(field) ?? '' }))
    .filter(({ old, next }) => old !== next)
}

const editsIn = (changes: readonly ChangeObject<string>[]): number =>
  changes.reduce((sum, { added, removed, count }) => sum + (added || removed ? count : 0), 0)

const partOf = ({ value, added, removed }: ChangeObject<string>): Part => ({
  kind: added ? 'added' : removed ? 'removed' : 'same',
  text: value,
})

function whole(old: string, next: string): Part[] {
  const parts: Part[] = [
    { kind: 'removed', text: old },
    { kind: 'added', text: next },
  ]
  return parts.filter(({ text }) => text !== '')
}

/** The longest description of differences, in characters. */
const DESCRIPTION_MAX_LENGTH = 1000

/**
 * The differences between two values, for the log: `names.fr: "Maths" → "Mathématiques"`; '' for
 * nothing.
 */
export function describeDifferences(before: unknown, after: unknown): string {
  const [was, is] = [fieldsOf(before), fieldsOf(after)]
  const quoted = (text = '') => `"${text.replaceAll('\n', ' · ')}"`
  return [...new Set([...was.keys(), ...is.keys()])]
    .filter((field) => was.get(field) !== is.get(field))
    .map((field) => `${field}: ${quoted(was.get(field))} → ${quoted(is.get(field))}`)
    .join('; ')
    .slice(0, DESCRIPTION_MAX_LENGTH)
}
