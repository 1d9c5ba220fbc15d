import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { AnyCall } from '../../contract/call.ts'
import { CALLS } from '../../contract/index.ts'
import { DINARS } from '../../contract/values.ts'
import { referencePrefix } from '../../rules/brand.ts'
import { parseDinars } from '../../rules/typed-numbers.ts'
import type { StaffUploadPurpose } from '../../rules/uploads.ts'
import {
  type AnyStruct,
  bashCompletion,
  callDescriptions,
  describeInWords,
  type Field,
  fieldLines,
  fieldsOf,
  mistakes,
} from '../api-reference/api-reference.ts'
import { shopAccount } from '../chat/chat.ts'
import { fileFault } from '../database/start-error.ts'
import type { Deps } from '../deps.ts'
import { ApiFault, answerTo } from '../http/errors.ts'
import { callsAs, type Make } from '../http/in-process.ts'
import type { User } from '../http/route.ts'
import { readBrand } from '../site-texts/site-texts.ts'
import { COMMAND_LINE } from '../staff-log/staff-log.ts'
import { uploadFile } from '../uploads/uploads.ts'
import { findUser } from './accounts.ts'
import {
  EXIT,
  type Input,
  type Monitor,
  readId,
  refusal,
  type SetupCommand,
  wrongUsage,
} from './command.ts'
import { inWords, savedFact } from './in-words.ts'
import { inShop, needAddress } from './open-shop.ts'
import { moment, readable } from './print.ts'

/** What an upload is for, by the call that takes it as `uploadId=@path`. */
const PURPOSES: Readonly<Record<string, StaffUploadPurpose>> = {
  setDocumentFile: 'document',
  setDocumentCover: 'cover',
  setOwnPicture: 'portrait',
}

/** Whether a call is made in the place of an administrator, who is then a customer's partner. */
const isPersonal = (name: string, { method, path }: AnyCall) =>
  name === 'sendTestMail' || (method === 'POST' && path.startsWith('/office/admin/conversations/'))

/** Calls that ask once more, besides those that move money and those that delete. */
const GRAVE: readonly string[] = [
  'applyBulkChange',
  'undoBulkChange',
  'blockPerson',
  'resetSecondFactorOf',
  'closeDifference',
  'cancelPayout',
  'setCommission',
  'setPayoutTerms',
  'saveBank',
  'saveD17',
  'setBankAccount',
]

/** Every call of the contract, made by the same routes as over HTTP. */
export const callCommands: readonly SetupCommand[] = [
  {
    name: 'call',
    usage: '<operation> [field=value…]',
    summary: 'Makes any call of the API as an administrator.',
    details: [
      'call listTransfers                          prints lines, or with --json the answer of the API',
      'call refundShopOrder id=12 reason="Twice"   asks for confirmation unless you add --yes',
      'call saveOwnDocument --help                 shows the fields of a call; `calls` finds calls',
      'Amounts are in dinars, days like 2026-11-22, lists like ids=1,2,3; null clears a field.',
      'Write objects as JSON or field by field: value.name.fr=…. text=@page.md reads a file, text=-',
      'reads what you type or pipe in, uploadId=@file.pdf uploads a file. Secrets are only read by =-.',
    ],
    options: {
      yes: { type: 'boolean', about: 'move money or delete without asking' },
      teacher: { type: 'string', about: 'for calls of teachers: the teacher’s id' },
      as: { type: 'string', about: 'the e-mail of the administrator to act for' },
      to: { type: 'string', about: 'for calls that answer with a file: where to store it' },
      key: {
        type: 'string',
        about: 'for scripts: repeating a call with the same key moves money only once',
      },
    },
    helpAbout: ([name], call) => (name === undefined ? undefined : helpOf(name, call)),
    async runUnopened(config, input, monitor) {
      const [name = '', ...typed] = input.args
      const call = callNamed(name)
      refuseOthers(name, call, input)
      if (input.options.to !== undefined && !isFile(call)) {
        throw wrongUsage(`${name} answers with no file: leave --to out.`)
      }
      const fields = await readFields(call, typed, monitor)
      if (call.method !== 'GET') needAddress(config, name)
      await askFirst(name, call, input, monitor)
      return await inShop(config, monitor.warn, async (deps) => {
        const make = await operatorOf(deps, call, input)
        const { body } = fields.input
        if (fields.upload !== null) {
          body.uploadId = await uploadOf(make, name, fields.upload).catch(explain(call))
        }
        const sent: unknown = await make(call, fields.input).catch(explain(call))
        const json = isFile(call) ? await fileAt(name, sent as string | Readable, input) : sent
        const prefix = referencePrefix(await readBrand(deps.database.kysely))
        const said = inWords(savedFact(call, json), prefix)
        return { lines: readable(said), json: json ?? null }
      })
    },
  },
  {
    name: 'calls',
    usage: '[words…]',
    summary: 'Lists all calls, or those with these words in their name, path or description.',
    async runUnopened(_config, { args }) {
      const words = args.join(' ').toLowerCase().split(/\s+/)
      const found = [...callDescriptions()].flatMap(([name, description]) => {
        const { method, path, caller: by } = CALLS[name] as AnyCall
        const text = `${name} ${method} ${path} ${description}`.toLowerCase()
        return words.every((word) => text.includes(word))
          ? [{ name, caller: by, call: `${method} /api${path}`, description }]
          : []
      })
      return { exit: found.length === 0 ? EXIT.no : EXIT.done, lines: readable(found), json: found }
    },
  },
  {
    name: 'completion',
    usage: '',
    summary: 'Prints a bash script that completes calls and fields: source <(karras completion).',
    async runUnopened() {
      const script = bashCompletion()
      return { lines: script.split('\n'), json: { script } }
    },
  },
]

/** The call of that name; where there is none, the error names the three that share most words. */
function callNamed(name: string): AnyCall {
  const call = Object.hasOwn(CALLS, name) ? CALLS[name] : undefined
  if (call) return call
  const typed = wordsOf(name)
  const shared = (known: string) =>
    wordsOf(known).filter((word) =>
      typed.some((each) => word.startsWith(each) || each.startsWith(word)),
    ).length
  const near = Object.keys(CALLS)
    .sort((one, other) => shared(other) - shared(one) || one.length - other.length)
    .slice(0, 3)
  throw wrongUsage(
    `There is no call "${name}"; similar calls: ${near.join(', ')}. \`calls <words>\` finds calls.`,
  )
}

const wordsOf = (name: string) => name.split(/(?=[A-Z])/).map((word) => word.toLowerCase())

function helpOf(name: string, call: string): string[] {
  const operation = callNamed(name)
  const fields = fieldLines(operation)
  const flags = [
    ...(operation.caller === 'teacher' ? ['--teacher=<id>'] : []),
    ...(isPersonal(name, operation) ? ['--as=<e-mail>'] : []),
    ...(isGrave(name, operation) ? ['--yes'] : []),
    ...(isFile(operation) ? ['[--to=<path>]'] : []),
  ]
  return [
    callDescriptions().get(name) || `${operation.method} /api${operation.path}`,
    '',
    `Usage: ${[call, 'call', name, ...(fields.length > 0 ? ['field=value…'] : []), ...flags, '[--json]'].join(' ')}`,
    ...(fields.length > 0 ? ['', ...fields, '', 'Fields marked * are required.'] : []),
    ...(name in PURPOSES ? ['uploadId=@path uploads the file first.'] : []),
  ]
}

/** Refuses what is somebody's own: the command line has no account, cart, documents or log-in. */
function refuseOthers(name: string, call: AnyCall, { options }: Input): void {
  const { caller: by } = call
  if (by === 'user' || by === 'staff' || name.endsWith('Import')) {
    throw refusal(`${name} is not available here: it concerns the caller’s own account or files.`)
  }
  if (by === 'teacher' && options.teacher === undefined) {
    throw wrongUsage(`${name} is a teacher’s call: add --teacher=<id>.`)
  }
  if (isPersonal(name, call) && options.as === undefined) {
    throw wrongUsage(`${name} needs --as=<e-mail>, the administrator to act for.`)
  }
}

const isGrave = (name: string, { method, idempotent }: AnyCall) =>
  method === 'DELETE' || idempotent === true || GRAVE.includes(name)

const isFile = ({ answers }: AnyCall) => answers === 'file'

/** The file that a call answers with: stored where `--to` says, otherwise as text, to be printed. */
async function fileAt(name: string, sent: string | Readable, { options: { to } }: Input) {
  const bytes = typeof sent === 'string' ? Buffer.from(sent) : await buffer(sent)
  if (typeof to === 'string') {
    await writeFile(to, bytes, { flag: 'wx', mode: 0o600 }).catch((error) => {
      throw wrongUsage(`${to} cannot be written: ${fileFault(error)}.`)
    })
    return { file: to, bytes: bytes.length }
  }
  if (isUtf8(bytes)) return bytes.toString()
  throw wrongUsage(`${name} answers with a file that is no text: add --to=<path>.`)
}

async function askFirst(name: string, call: AnyCall, { args, options }: Input, { ask }: Monitor) {
  if (options.yes === true || !isGrave(name, call)) return
  if (!ask)
    throw wrongUsage(`${name} moves money, deletes something or is hard to undo: add --yes.`)
  const answered = await ask(`${args.join(' ')}\nContinue? Type yes: `, false)
  if (answered.trim().toLowerCase() !== 'yes') throw refusal('Nothing was done.')
}

/** Makes calls as the command line, which has no account of its own. */
async function operatorOf(deps: Deps, { caller }: AnyCall, { options }: Input): Promise<Make> {
  const { ROUTES } = await import('../routes.ts')
  const user = await identityOf(deps, caller, options)
  return callsAs(ROUTES, deps, user, String(options.key ?? randomUUID()))
}

async function identityOf(
  deps: Deps,
  by: AnyCall['caller'],
  { teacher, as }: Input['options'],
): Promise<User> {
  const id = await shopAccount(deps.database.kysely)
  const operator = { id, actor: COMMAND_LINE, role: 'ADMIN', teacherId: null, factors: 2 } as const
  const own = { ...operator, tokenId: '', tokenExpiry: Number.POSITIVE_INFINITY }
  if (by === 'teacher') {
    const teacherId = readId(String(teacher), 'teacher')
    const found = await deps.database.kysely
      .selectFrom('teachers')
      .select('userId')
      .where('id', '=', teacherId)
      .executeTakeFirst()
    if (!found) throw refusal(`There is no teacher ${teacherId}.`)
    return { ...own, id: found.userId ?? id, role: 'TEACHER', teacherId }
  }
  if (as === undefined) return own
  const { role, blockedAt, email, ...person } = await findUser(deps, String(as))
  if (role !== 'ADMIN' || blockedAt) throw refusal(`${email} is not an active administrator.`)
  return { ...own, id: person.id, ...(email && { inPlaceOf: email }) }
}

async function uploadOf(make: Make, name: string, path: string): Promise<string> {
  const purpose = PURPOSES[name]
  if (!purpose) throw wrongUsage(`${name} takes no file.`)
  return await uploadFile(make, path, purpose).catch((error: NodeJS.ErrnoException) => {
    if (error.syscall === undefined) throw error
    throw wrongUsage(`uploadId: ${path} cannot be read: ${fileFault(error)}.`)
  })
}

function explain(call: AnyCall): (error: unknown) => never {
  return (error) => {
    if (error instanceof ApiFault) {
      const { fields, done } = error.extra
      if (fields) throw wrongUsage(mistakes(call, fields))
      if (done) throw refusal(`${error.message} (${done.by}, ${moment(new Date(done.at))})`)
      throw error
    }
    const { body, isUnexpected } = answerTo(error)
    throw isUnexpected || body.error === 'unavailable' ? error : refusal(body.message)
  }
}

// The fields of a call as they are typed: `id=12 reason="…" value.name.fr=… ids=1,2,3 logo=@a.svg`.

/** The typed parts of a call: its input as HTTP would bring it, and files that are uploaded first. */
interface Typed {
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
        `"${word.slice(0, 60)}" is not a field=value of this call; its fields: ${known}.`,
      )
    }
    if (name === 'uploadId' && value.startsWith('@')) upload = value.slice(1)
    const struct = inner.reduce(
      (at: AnyStruct | undefined, key) =>
        at?.type === 'array' ? at.schema : (at?.schema as Record<string, AnyStruct>)?.[key],
      field.struct,
    )
    if (!struct) throw wrongUsage(`There is no field "${path}" in this call; see --help.`)
    const text = await textOfField(path, value, monitor)
    for (const place of field.places) {
      // Over HTTP everything in an address is text.
      put(input[place], [name, ...inner], place === 'body' ? readValue(path, text, struct) : text)
    }
  }
  // With it a browser recognises its own message.
  if (fields.some(({ name }) => name === 'clientId')) input.body.clientId ??= randomUUID()
  const missing = fields.filter(
    ({ name, places, isNeeded }) => isNeeded && places.some((place) => !(name in input[place])),
  )
  if (missing.length === 0) return { input, upload }
  const wanted = missing.map(({ name, struct }) => `${name} (${describeInWords(struct)})`)
  throw wrongUsage(`Missing: ${wanted.join(', ')}.`)
}

/** The text of a value: `@path` is what the file holds, `-` what is typed or piped in. */
async function textOfField(path: string, value: string, { ask, piped }: Monitor): Promise<string> {
  if (value === '-') {
    const text = ask ? await ask(`${path}: `, SECRET.test(path)) : await piped?.()
    return (text ?? '').replace(/\r?\n$/, '')
  }
  if (SECRET.test(path.split('.').at(-1) ?? '')) {
    throw wrongUsage(`${path} is a secret: write ${path}=- and type it or pipe it in.`)
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
function readValue(path: string, text: string, struct: AnyStruct): unknown {
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
        return items.flatMap((item) => (item === '' ? [] : [readValue(path, item, struct.schema)]))
      }
  }
  try {
    return JSON.parse(text)
  } catch {
    throw wrongUsage(`${path} takes JSON, or its fields one by one: ${path}.…=…; see --help.`)
  }
}
