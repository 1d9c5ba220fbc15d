import type { Struct } from 'superstruct'
import type { AnyCall } from '../../contract/call.ts'
import { CALLS } from '../../contract/index.ts'
import type { Reason } from '../../contract/values.ts'
import { describeStruct, isOptional, type Schema } from './describe-struct.ts'

// biome-ignore lint/suspicious/noExplicitAny: a struct of any shape
export type AnyStruct = Struct<any, any>
const PLACES = ['params', 'query', 'body'] as const

/** A field of a call; one that is typed goes to each place that has it. */
export interface Field {
  readonly name: string
  readonly places: readonly (typeof PLACES)[number][]
  readonly struct: AnyStruct
  readonly isNeeded: boolean
}

export function fieldsOf(call: AnyCall): Field[] {
  const fields = new Map<string, Field>()
  for (const place of PLACES) {
    for (const [name, struct] of Object.entries<AnyStruct>(call[place]?.schema ?? {})) {
      const places = [...(fields.get(name)?.places ?? []), place]
      fields.set(name, { name, places, struct, isNeeded: !isOptional(struct) })
    }
  }
  return [...fields.values()]
}

/** The fields with what each takes, one a line; parts of objects stand for themselves. */
export function fieldLines(call: AnyCall): string[] {
  const leaves = fieldsOf(call).flatMap(({ name, struct, isNeeded }) =>
    leavesOf(name, struct, isNeeded),
  )
  const width = Math.max(0, ...leaves.map(({ path }) => path.length + 1))
  const lines = leaves.map(({ path, struct, isNeeded }) => {
    const name = `${path}${isNeeded ? '*' : ''}`
    return `  ${name.padEnd(width)}  ${describeInWords(struct)}`
  })
  return call.takes === 'bytes' ? [...lines, '  and the bytes of a part'] : lines
}

interface Leaf {
  readonly path: string
  readonly struct: AnyStruct
  readonly isNeeded: boolean
}

function leavesOf(path: string, struct: AnyStruct, isNeeded: boolean): Leaf[] {
  if (struct.type !== 'object' && struct.type !== 'type') return [{ path, struct, isNeeded }]
  return Object.entries<AnyStruct>(struct.schema).flatMap(([key, inner]) =>
    leavesOf(`${path}.${key}`, inner, isNeeded && !isOptional(inner)),
  )
}

/** What a struct accepts, such as `a whole number from 1 to 200 or null`. */
export function describeInWords(struct: AnyStruct): string {
  return inWords(describeStruct(struct))
}

function inWords(schema: Schema): string {
  const { anyOf, enum: values, examples, items, properties, maxLength, minLength = 0 } = schema
  if (Array.isArray(anyOf) && !schema.type) return anyOf.map(inWords).join(' or ')
  if (Array.isArray(values)) return values.join(' | ')
  if ('const' in schema) return schema.const === '' ? 'empty' : String(schema.const)
  if (items) return `a list of: ${inWords(items as Schema)}`
  const [type, none] = [schema.type].flat() as [string, string?]
  const [example] = (examples ?? []) as string[]
  const text = schema.format ?? (example ? `text such as ${example}` : 'text')
  const about: Readonly<Record<string, string>> = {
    boolean: 'true | false',
    integer: `a whole number${within(schema)}`,
    number: `${'multipleOf' in schema ? 'dinars' : 'a number'}${within(schema)}`,
    string: `${text}${maxLength ? ` of ${minLength} to ${maxLength} characters` : ''}`,
    object: properties ? `{${Object.keys(properties).join(', ')}} as JSON` : 'JSON',
    null: 'null',
  }
  return `${about[type] ?? 'JSON'}${none ? ' or null' : ''}`
}

/** The bounds of a number; that of ids says nothing to people. */
function within({ minimum, maximum }: Schema): string {
  const most = Number(maximum) < 2 ** 31 - 1 ? ` to ${maximum}` : ''
  return minimum === undefined ? most : ` from ${minimum}${most}`
}

const SENTENCES: Readonly<Record<Reason, string>> = {
  required: 'is needed',
  min: 'is too small',
  max: 'is too large',
  minLength: 'is too short',
  maxLength: 'is too long',
  pattern: 'does not have the right form',
  thirdDecimal: 'has a third decimal that is not 0',
  email: 'is not an e-mail address',
  phone: 'is not a phone number',
  html: 'contains HTML',
  picture: 'contains a picture',
  link: 'has a link that is not allowed',
  deep: 'is nested too deeply',
  placeholder: 'does not fill in what the shipped text fills in',
  invalid: 'is not valid',
}

/** What the contract refuses, by field, as one line. */
export function mistakes(call: AnyCall, fields: Readonly<Record<string, Reason>>): string {
  const known = fieldsOf(call)
  const lines = Object.entries(fields).map(([path, reason]) => {
    const field = known.find(({ name }) => name === path)
    return `${path} ${SENTENCES[reason]}${field ? ` (${describeInWords(field.struct)})` : ''}`
  })
  return `${lines.join('; ')}.`
}

/** A script for bash that completes `karras call`, names and fields alike. */
export function bashCompletion(): string {
  const cases = Object.entries(CALLS).map(([name, call]) => {
    const fields = fieldsOf(call).map((field) => `${field.name}=`)
    return `    ${name}) words="${fields.join(' ')}" ;;`
  })
  return `_karras() {
  local words="call calls" current="\${COMP_WORDS[COMP_CWORD]}"
  [ "\${COMP_WORDS[1]}" = call ] && words="${Object.keys(CALLS).join(' ')}"
  if [ "$COMP_CWORD" -gt 2 ]; then case "\${COMP_WORDS[2]}" in
${cases.join('\n')}
  esac; fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o nospace -F _karras karras`
}
