import { diffWordsWithSpace } from 'diff'

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
 * How long a comparison may take, in milliseconds; a text that takes longer, because it was
 * rewritten throughout, is shown whole.
 */
const COMPARING_MS = 200

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

/** The differences between two values, field by field. */
export function differences(before: unknown, after: unknown): Difference[] {
  const [was, is] = [fieldsOf(before), fieldsOf(after)]
  const fields = [...new Set([...is.keys(), ...was.keys()])]
  return fields.flatMap((field) => {
    const [old, next] = [was.get(field) ?? '', is.get(field) ?? '']
    return old === next ? [] : [{ field, parts: partsOf(old, next) }]
  })
}

function partsOf(before: string, after: string): Part[] {
  const whole = [
    { kind: 'removed' as const, text: before },
    { kind: 'added' as const, text: after },
  ]
  const compared = diffWordsWithSpace(before, after, { timeout: COMPARING_MS })?.map(
    ({ value, added, removed }): Part => ({
      kind: added ? 'added' : removed ? 'removed' : 'same',
      text: value,
    }),
  )
  return (compared ?? whole).filter(({ text }) => text !== '')
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
