import proxyAddress from '@fastify/proxy-addr'
import { PROVIDERS } from '../../contract/orders.ts'
import { SMS_PER_DAY } from '../../rules/sms.ts'
import { email as checkEmail } from '../../rules/validators.ts'
import { serversIn } from './database-url.ts'
import type { Environment } from './environment.ts'

/** One environment variable; docs/operating.md prints all of them as a table. */
interface Setting<T, D extends T | null> {
  /** The sentence for operators. */
  readonly means: string
  /** The value of an unset one. */
  readonly default: D
  /** What an unset one means to operators, where `default` does not say it. */
  readonly unset?: string
  /** Completes the sentence "allowed is …". */
  readonly allowed: string
  /** Undefined for a wrong value. */
  readonly parse: (given: string) => T | undefined
  /** What of the value is never shown: all of it, or the password in a URL. */
  readonly secret?: 'all' | 'password'
  /** The check of `office doctor` that needs it. */
  readonly check?: 'secret' | 'address' | 'database' | 'storage' | 'outbox' | 'sms' | 'gateway'
}

const setting = <T, D extends T | null>(row: Setting<T, D>): Setting<T, D> => row

const flag = {
  allowed: '0 or 1',
  parse: (given: string) => (given === '0' || given === '1' ? given === '1' : undefined),
}

const wholeNumber = (from: number, to: number) => ({
  allowed: `a whole number from ${from} to ${to}`,
  parse(given: string) {
    const value = /^\d{1,8}$/.test(given) ? Number(given) : -1
    return value >= from && value <= to ? value : undefined
  },
})

const matching = (pattern: RegExp) => (given: string) => (pattern.test(given) ? given : undefined)

/** A key that another service gave. */
const key = (giver: string) => ({
  allowed: `the key that ${giver} gave`,
  parse: matching(/^[\x21-\x7e]+$/),
  secret: 'all' as const,
})

const httpOrigin = {
  allowed: 'an origin like https://shop.example, without a path',
  parse: originOf,
  secret: 'password' as const,
}

const database = {
  allowed: 'an address like postgresql://user@host:5432/name',
  parse: (given: string) => (serversIn(given).length > 0 ? given : undefined),
  secret: 'password' as const,
  check: 'database' as const,
}

/** With fewer connections, payments under way could take all of them. */
const POOL_LEAST = 4
// The shortest key allowed for HS256: 256 bits.
const SECRET_LENGTH = 32
const METRICS_TOKEN_LENGTH = 16
const A_YEAR_S = 31_536_000

const KONNECT = 'https://api.konnect.network/api/v2'
const KONNECT_METHODS = ['wallet', 'bank_card', 'e-DINAR', 'flouci'] as const
type KonnectMethod = (typeof KONNECT_METHODS)[number]
/** Those that Konnect itself takes where none are named. */
const USUAL_METHODS: readonly KonnectMethod[] = ['wallet', 'bank_card', 'e-DINAR']

/** Every setting. `config.ts` says which of them need each other. */
export const SETTINGS = {
  HOST: setting({
    means: 'the address at which it listens',
    default: '127.0.0.1',
    allowed: 'a host name or an IP address',
    parse: matching(/^[A-Za-z0-9:](?:[A-Za-z0-9.:%-]{0,251}[A-Za-z0-9:])?$/),
    check: 'address',
  }),
  PORT: setting({
    means: 'the port at which it listens; `0`: a free one',
    default: 4321,
    ...wholeNumber(0, 65_535),
    check: 'address',
  }),
  SITE_URL: setting({
    means: 'the public address, written into pages and links; in production required, and `https`',
    default: null,
    unset: '`http://HOST:PORT`',
    ...httpOrigin,
    check: 'address',
  }),
  DATA_DIR: setting({
    means: 'database, files, generated secret, rendered pages, outbox; keep it: it holds the money',
    default: './data',
    allowed: 'a directory',
    parse: (given) => given,
  }),
  FILES_URL: setting({
    means:
      'documents and pictures: a directory, or S3, for one shop alone ([its form](operating/files.md#where-the-files-are-stored))',
    default: null,
    unset: '`DATA_DIR/files`',
    allowed:
      'a directory, or an address like s3://bucket/prefix?endpoint=https://s3.example&region=eu-west-3',
    parse: storeOf,
    secret: 'password',
    check: 'storage',
  }),
  AWS_ACCESS_KEY_ID: setting({
    means: 'required with S3',
    default: null,
    ...key('the storage'),
    check: 'storage',
  }),
  AWS_SECRET_ACCESS_KEY: setting({
    means: 'required with S3',
    default: null,
    ...key('the storage'),
    check: 'storage',
  }),
  AWS_SESSION_TOKEN: setting({
    means: 'for S3 with keys that expire',
    default: null,
    ...key('the storage'),
    check: 'storage',
  }),
  AWS_REGION: setting({
    means: 'the region of S3, where `FILES_URL` names none',
    default: 'us-east-1',
    allowed: 'a region like eu-west-3',
    parse: matching(/^[\x21-\x7e]+$/),
    check: 'storage',
  }),
  DATABASE_URL: setting({
    means:
      'a PostgreSQL 15 or newer; of several (`postgresql://user@a:5432,b:5432/karras`), the one that accepts writes is used',
    default: null,
    unset: 'the embedded database',
    ...database,
  }),
  DATABASE_LISTEN_URL: setting({
    means:
      'where the one connection listens that a pooler cannot share ([more](operating/several-machines.md#a-pooler-before-the-database))',
    default: null,
    unset: '`DATABASE_URL`',
    ...database,
  }),
  DATABASE_POOL: setting({
    means: 'the most connections of a process to the database, besides the listening one',
    default: 10,
    ...wholeNumber(POOL_LEAST, 500),
  }),
  TRUSTED_PROXIES: setting({
    means:
      'the proxies, besides those of this machine, whose `X-Forwarded-For` is believed: `10.0.0.5,192.168.1.0/24`',
    default: [],
    unset: 'none',
    allowed: 'addresses and networks like 10.0.0.5,192.168.1.0/24',
    parse: proxiesIn,
  }),
  API_ORIGIN: setting({
    means:
      'another backend, which gets `/api` and `/ws`; features that it lacks (`GET /api/features`) are in no menu and on no page',
    default: null,
    unset: 'the backend in this process',
    ...httpOrigin,
  }),
  JWT_SECRET: setting({
    means:
      'signs tokens and links, seals the authenticators of staff; required with `DATABASE_URL` ([moving](operating/backup.md#the-secret))',
    default: null,
    unset: 'made once, kept in `DATA_DIR/secret`',
    allowed: `at least ${SECRET_LENGTH} characters`,
    parse: (given) => (given.length >= SECRET_LENGTH ? given : undefined),
    secret: 'all',
    check: 'secret',
  }),
  OFFICE_URL: setting({
    means: 'another office: its `/login` and `/join` are linked',
    default: null,
    unset: "the shop's own, `SITE_URL/office`",
    allowed: 'an http or https address',
    parse: webAddress,
    secret: 'password',
  }),
  DEMO: setting({
    means: 'fills an **empty** database with the demo shop; adds nothing to any other',
    default: null,
    unset: '`1` with the embedded database outside of production, else `0`',
    ...flag,
  }),
  SMTP_URL: setting({
    means:
      'a mail server, such as `smtps://user:password@mail.example`; `office mails test <e-mail>` tries it',
    default: null,
    unset: 'each mail becomes a file in `DATA_DIR/outbox` and reaches nobody',
    allowed: 'an address like smtp://user:password@host:587',
    parse: (given) =>
      isAddress(given, ['smtp:', 'smtps:']) && new URL(given).hostname !== '' ? given : undefined,
    secret: 'password',
    check: 'outbox',
  }),
  OWNER_EMAIL: setting({
    means:
      'the owner, whom no administrator changes: told what administrators do without a second person, and their sums of each day',
    default: null,
    unset: 'the contact address of the shop',
    allowed: 'an e-mail address',
    parse: (given) => (checkEmail(given) === null ? given : undefined),
  }),
  // Each of the next three may hold a key.
  SMS_URL: setting({
    means:
      'a gateway for text messages, with `{phone}` and `{text}` where they belong ([Text messages](operating/command-line.md#text-messages))',
    default: null,
    unset: 'accounts need an e-mail, and nobody logs in by number',
    allowed: 'an http or https address like https://sms.example/send?to=216{phone}&text={text}',
    parse: (given) => (/^https?:\/\/[^/{}]/.test(given) && URL.canParse(given) ? given : undefined),
    secret: 'all',
    check: 'sms',
  }),
  SMS_HEADERS: setting({
    means: 'headers for that gateway, such as `Authorization: Bearer 123 \\| X-From: Karras`',
    default: {},
    unset: 'none',
    allowed: 'headers like Authorization: Bearer 123 | X-Name: value',
    parse: headersIn,
    secret: 'all',
    check: 'sms',
  }),
  SMS_BODY: setting({
    means: 'what is sent to it by POST: JSON, or a form',
    default: null,
    unset: 'the message is in the address, and the gateway is asked by GET',
    allowed:
      'JSON like {"to":"216{phone}","text":"{text}"}, or a form like to=216{phone}&text={text}',
    parse: (given) => (!isJson(given) || canParse(given) ? given : undefined),
    secret: 'all',
    check: 'sms',
  }),
  SMS_ACCEPTED: setting({
    means: 'a text in the answer to a message that it has taken, such as `"status":"ok"`',
    default: null,
    unset: 'every answer without an error',
    allowed: 'a text',
    parse: (given) => given,
    check: 'sms',
  }),
  SMS_PER_DAY: setting({
    means: 'the most messages in a day, so that nobody can make the shop pay for more',
    default: SMS_PER_DAY,
    ...wholeNumber(1, 99_999),
    check: 'sms',
  }),
  SMS_NEWS: setting({
    means:
      'tells accounts with a phone alone of news by a text message, one a month at most for each; `1`: yes',
    default: false,
    ...flag,
  }),
  CHAT_MAIL: setting({
    means:
      'mails people who have been away from an unread conversation for ten minutes; `0`: never',
    default: true,
    ...flag,
  }),
  OVERLOAD_DELAY: setting({
    means:
      'the average delay, in milliseconds, above which the shop refuses calls other than steps of a payment; `0`: never',
    default: 1000,
    ...wholeNumber(0, 60_000),
  }),
  DRAIN_SECONDS: setting({
    means:
      'how long a shop that stops still answers while `/readyz` is 503; behind a load balancer: `5`',
    default: 0,
    ...wholeNumber(0, 60),
  }),
  METRICS_TOKEN: setting({
    means: `lets a Prometheus on another machine read [\`/metrics\`](operating/watching.md#metrics): at least ${METRICS_TOKEN_LENGTH} characters`,
    default: null,
    unset: 'this machine alone',
    allowed: `at least ${METRICS_TOKEN_LENGTH} letters, digits and signs, without spaces`,
    parse: matching(new RegExp(`^[\\x21-\\x7e]{${METRICS_TOKEN_LENGTH},}$`)),
    secret: 'all',
  }),
  OFFLINE: setting({
    means:
      'browsers keep pages and documents offline; `0`: they delete them ([when](operating/files.md#pages-kept-in-browsers))',
    default: true,
    ...flag,
  }),
  CDN_SECONDS: setting({
    means:
      'the seconds for which a CDN keeps a page that is not purged ([how](operating/files.md#behind-a-cdn))',
    default: null,
    unset: 'no CDN',
    ...wholeNumber(1, A_YEAR_S),
  }),
  CDN_PURGE_URL: setting({
    means: 'where the CDN is told which pages changed',
    default: null,
    unset: 'nobody is told',
    allowed: 'an https address, or an http one of this machine or network',
    parse: (given) => (isAddress(given, ['http:', 'https:']) ? given : undefined),
    secret: 'password',
  }),
  CDN_PURGE_SECRET: setting({
    means: 'the key for that address',
    default: null,
    ...key('the CDN'),
  }),
  PAYMENT_PROVIDER: setting({
    means: '`none`, `konnect`, or `sandbox` (a test page, no money moves)',
    default: null,
    unset: '`sandbox` in a private shop, else `none`',
    allowed: listed(PROVIDERS),
    parse: (given) => PROVIDERS.find((provider) => provider === given),
    check: 'gateway',
  }),
  KONNECT_API_KEY: setting({
    means: 'required with `konnect`: `<24 hexadecimal digits>:<secret>`',
    default: null,
    ...key('Konnect'),
    check: 'gateway',
  }),
  KONNECT_WALLET_ID: setting({
    means: 'required with `konnect`',
    default: null,
    allowed: 'letters and digits, as Konnect gave it',
    parse: matching(/^[A-Za-z0-9_-]+$/),
    secret: 'all',
    check: 'gateway',
  }),
  KONNECT_METHODS: setting({
    means: "what Konnect's page offers: any of these and `flouci`",
    default: USUAL_METHODS,
    allowed: `a list of ${listed(KONNECT_METHODS)}, with commas between`,
    parse(given): readonly KonnectMethod[] | undefined {
      const names = given.split(',').map((name) => name.trim())
      const known = KONNECT_METHODS.filter((method) => names.includes(method))
      return known.length === names.length ? known : undefined
    },
    check: 'gateway',
  }),
  KONNECT_BASE_URL: setting({
    means: "the address of Konnect's interface",
    default: KONNECT,
    allowed: `an http or https address like ${KONNECT}`,
    parse: webAddress,
    secret: 'password',
    check: 'gateway',
  }),
}

export type SettingName = keyof typeof SETTINGS
type Settings = {
  readonly [Name in SettingName]: (typeof SETTINGS)[Name] extends Setting<infer T, infer D>
    ? T | (null extends D ? null : never)
    : never
}

const ROWS = Object.entries(SETTINGS) as [SettingName, Setting<unknown, unknown>][]

/**
 * A variable with a wrong value, which prevents the start. The message is one line: the name, the
 * value, what is allowed.
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly variable: SettingName

  constructor(variable: SettingName, given: string, allowed: string) {
    super(`${variable} is ${given}; allowed is ${allowed}.`)
    this.variable = variable
  }
}

/** The settings of an environment; a wrong one has its default, and is among the problems. */
export function readSettings(env: Environment) {
  const problems = new Map<SettingName, ConfigError>()
  const refuse = (name: SettingName, given: string, allowed: string) =>
    void problems.set(name, new ConfigError(name, given, allowed))
  const values = Object.fromEntries(
    ROWS.map(([name, row]) => {
      const given = givenIn(env, name)
      const value = given === '' ? undefined : row.parse(given)
      if (given !== '' && value === undefined) refuse(name, shownOf(name, given), row.allowed)
      return [name, value ?? row.default]
    }),
  ) as Settings
  return {
    values,
    problems,
    /** Notes that a setting has a value that the others do not allow. */
    refuse,
    /** Notes that a setting is missing, unless it is there or wrong. */
    need(name: SettingName, allowed: string) {
      if (values[name] === null && !problems.has(name)) refuse(name, 'nothing', allowed)
    },
  }
}

/** A variable as given; '' where it is unset. */
export const givenIn = (env: Environment, name: SettingName): string => env[name]?.trim() ?? ''

/** A value as messages show it, in one line without its secrets. */
export function shownOf(name: SettingName, given: string): string {
  const { secret } = SETTINGS[name]
  if (secret === 'all') return `a secret of ${given.length} characters`
  return secret === 'password' ? hidePassword(given) : quote(given)
}

/** A URL without its password, for logs and messages. */
export function hidePassword(given: string): string {
  const slashes = given.indexOf('//')
  const [start, end] = [slashes < 0 ? 0 : slashes + 2, given.lastIndexOf('@')]
  const shown = end >= start ? `${given.slice(0, start)}***${given.slice(end)}` : given
  return quote(shown.replace(/(password=)[^&\s]*/gi, '$1***'))
}

// JSON's quotes escape line breaks in the value.
function quote(given: string): string {
  return JSON.stringify(given.length > 100 ? `${given.slice(0, 100)}…` : given)
}

/** Shorter ones are words of any text. */
const SECRET_LEAST = 4

/** A text without the secrets of these settings, wherever it comes from. */
export function withoutSecrets(text: string, env: Environment): string {
  return ROWS.flatMap(([name, { secret }]) => {
    const given = givenIn(env, name)
    if (secret !== 'password') return secret === 'all' ? [given] : []
    const { password = '', searchParams } = URL.parse(given) ?? {}
    return [password, decoded(password), searchParams?.get('password') ?? '']
  })
    .filter(({ length }) => length >= SECRET_LEAST)
    .reduce((shown, secret) => shown.replaceAll(secret, '***'), text)
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** The table of docs/operating.md, in Markdown. */
export function settingsTable(): string {
  const lines = ROWS.map(([name, { default: value, unset, means }]) => {
    const plain = typeof value === 'boolean' ? Number(value) : value
    const shown = unset ?? (plain === null ? '' : `\`${plain}\``)
    return `| \`${name}\` | ${shown} | ${means} |`
  })
  return ['| variable | default | meaning |', '|---|---|---|', ...lines].join('\n')
}

/** `a, b or c`. */
export function listed(names: readonly string[]): string {
  return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(names)
}

function isAddress(given: string, protocols: readonly string[]): boolean {
  return protocols.includes(URL.parse(given)?.protocol ?? '')
}

/** An address of the web, without slashes at its end. */
function webAddress(given: string): string | undefined {
  return isAddress(given, ['http:', 'https:']) ? withoutLastSlashes(given) : undefined
}

function originOf(given: string): string | undefined {
  const url = isAddress(given, ['http:', 'https:']) ? new URL(given) : null
  if (!url || url.username || url.password || url.search || url.hash) return undefined
  return url.pathname === '/' ? url.origin : undefined
}

function proxiesIn(given: string): readonly string[] | undefined {
  const list = given.split(',').map((each) => each.trim())
  try {
    proxyAddress.compile(list)
    return list
  } catch {
    return undefined
  }
}

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const PREFIX = /^(?:[A-Za-z0-9_-][A-Za-z0-9._-]*\/)*$/

/** A directory, or a place in S3; its region is null where the address names none. */
function storeOf(given: string) {
  if (!given.startsWith('s3:')) return /^[a-z][a-z\d+.-]*:/i.test(given) ? undefined : given
  const url = URL.parse(given)
  if (!url || url.username || url.password || url.port || url.hash) return undefined
  const unknown = [...url.searchParams.keys()].some((name) => !/^(endpoint|region)$/.test(name))
  const path = withoutLastSlashes(url.pathname).replace(/^\/+/, '')
  const prefix = path === '' ? '' : `${path}/`
  const endpoint = url.searchParams.get('endpoint')
  const region = url.searchParams.get('region')
  const isEndpoint = endpoint === null || isAddress(endpoint, ['http:', 'https:'])
  const isRegion = region === null || /^[a-z0-9-]{1,64}$/.test(region)
  if (unknown || !BUCKET.test(url.hostname) || !PREFIX.test(prefix) || !isEndpoint || !isRegion) {
    return undefined
  }
  return {
    bucket: url.hostname,
    prefix,
    endpoint: endpoint && withoutLastSlashes(endpoint),
    region,
  }
}

const HEADER = /^([A-Za-z0-9-]+): ([\x20-\x7e]+)$/

function headersIn(given: string): Readonly<Record<string, string>> | undefined {
  const found = given.split('|').map((each) => HEADER.exec(each.trim()))
  if (found.includes(null)) return undefined
  return Object.fromEntries(found.map((header) => [header?.[1], header?.[2]]))
}

export const isJson = (body: string): boolean => body.startsWith('{"') || body.startsWith('[')

function canParse(json: string): boolean {
  try {
    JSON.parse(json)
    return true
  } catch {
    return false
  }
}

function withoutLastSlashes(url: string): string {
  let end = url.length
  while (url[end - 1] === '/') end--
  return url.slice(0, end)
}
