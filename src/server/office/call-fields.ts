import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { AnyCall } from '../../contract/call.ts'
import { DINARS } from '../../contract/values.ts'
import { parseDinars } from '../../rules/typed-numbers.ts'
import {
  type AnyStruct,
  describeInWords,
  type Field,
  fieldsOf,
} from '../api-reference/api-reference.ts'
import { fileFault } from '../database/start-error.ts'
import { type Monitor, wrongUsage } from './command.ts'

// The fields of a call as they are typed: `id=12 reason="…" value.name.fr=… ids=1,2,3 logo=@a.svg`.

/** What is typed of a call: its input as HTTP would bring it, and files that are uploaded first. */
export interface Typed {
  readonly input: Readonly<Record<Field['places'][number], Record<string, unknown>>>
  /** The path of the file behind `uploadId=@…`. */
  readonly upload: string | null
}

/** Fields that other users of the machine must not find in a list of processes. */
const SECRET = /password|^code$|^token$/i

/** Reads `field=value` for a call. Throws a wrong usage that names the field. */
export async function readFields(
  call: AnyCall,
  typed: readonly string[],
  monitor: Monitor,
): Promise<Typed> {
  const fields = fieldsOf(call)
  const input: Typed['input'] = { params: {}, query: {}, body: {} }
  let upload: string | null = null
  for (const word of typed) {
    const [, path = '', value = ''] = /^([\w.-]+)=(.*)$/s.exec(word) ?? []
    const [name = '', ...inner] = path.split('.')
    const field = fields.find((each) => each.name === name)
    if (!field) {
      const known = fields.map((each) => each.name).join(', ') || 'none'
      throw wrongUsage(
        `"${word.slice(0, 60)}" is no field=value of this call; its fields: ${known}.`,
      )
    }
    if (name === 'uploadId' && value.startsWith('@')) upload = value.slice(1)
    const struct = inner.reduce(
      (at: AnyStruct | undefined, key) =>
        at?.type === 'array' ? at.schema : (at?.schema as Record<string, AnyStruct>)?.[key],
      field.struct,
    )
    if (!struct) throw wrongUsage(`There is no field "${path}" in this call; see --help.`)
    const text = await textOf(path, value, monitor)
    for (const place of field.places) {
      // Over HTTP all that stands in an address is text.
      put(input[place], [name, ...inner], place === 'body' ? read(path, text, struct) : text)
    }
  }
  // With it a browser recognises its own message.
  if (fields.some(({ name }) => name === 'clientId')) input.body.clientId ??= randomUUID()
  const missing = fields.filter(
    ({ name, places, isNeeded }) => isNeeded && places.some((place) => !(name in input[place])),
  )
  if (missing.length === 0) return { input, upload }
  const wanted = missing.map(({ name, struct }) => `${name} (${describeInWords(struct)})`)
  throw wrongUsage(`Needed as well: ${wanted.join(', ')}.`)
}

/** The text of a value: `@path` is what the file holds, `-` what is typed or piped in. */
async function textOf(path: string, value: string, { ask, piped }: Monitor): Promise<string> {
  if (value === '-') {
    const text = ask ? await ask(`${path}: `, SECRET.test(path)) : await piped?.()
    return (text ?? '').replace(/\r?\n$/, '')
  }
  if (SECRET.test(path.split('.').at(-1) ?? '')) {
    throw wrongUsage(`${path} is a secret: write ${path}=- and type it, or pipe it in.`)
  }
  if (!value.startsWith('@') || path === 'uploadId') return value
  const bytes = await readFile(value.slice(1)).catch((error: NodeJS.ErrnoException) => {
    throw wrongUsage(`${path}: ${value.slice(1)} cannot be read: ${fileFault(error)}.`)
  })
  // The contract's only file within JSON is a logo, in base64.
  if (path === 'content' && !/\.(md|txt)$/.test(value)) return bytes.toString('base64')
  return bytes.toString('utf8').replace(/^\uFEFF/, '')
}

function put(into: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let at = into
  for (const [place, key] of path.slice(0, -1).entries()) {
    const isList = /^\d+$/.test(path[place + 1] ?? '')
    at[key] ??= isList ? [] : {}
    at = at[key] as Record<string, unknown>
  }
  at[path.at(-1) ?? ''] = value
}

/** A value of the body; what does not fit stays text, which the contract then refuses. */
function read(path: string, text: string, struct: AnyStruct): unknown {
  if (text === 'null' && struct.validate(null)[0] === undefined) return null
  switch (struct.type) {
    case 'string':
    case 'enums':
      return text
    case 'boolean':
      return { true: true, yes: true, on: true, false: false, no: false, off: false }[text] ?? text
    case 'integer':
    case 'number':
    case DINARS: {
      const sign = text.startsWith('-') ? -1 : 1
      const amount = struct.type === DINARS ? parseDinars(text.replace(/^-/, '')) : null
      return amount === null ? (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text) : sign * amount
    }
    case 'array':
      if (!text.trimStart().startsWith('[')) {
        const items = text.split(',').map((item) => item.trim())
        return items.flatMap((item) => (item === '' ? [] : [read(path, item, struct.schema)]))
      }
  }
  try {
    return JSON.parse(text)
  } catch {
    throw wrongUsage(`${path} takes JSON, or its parts one by one: ${path}.…=…; see --help.`)
  }
}
