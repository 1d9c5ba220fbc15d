import { accessSync, constants } from 'node:fs'
import { join, resolve } from 'node:path'
import proxyAddress from '@fastify/proxy-addr'
import { PROVIDERS } from '../../contract/orders.ts'
import { email as checkEmail } from '../../rules/validators.ts'
import { type CdnConfig, readCdn } from './cdn.ts'
import { serversIn } from './database-url.ts'
import {
  ConfigError,
  type Environment,
  hidePassword,
  readerOf,
  type SettingsReader,
  withoutLastSlashes,
} from './environment.ts'
import { type FilesConfig, readFiles } from './files.ts'
import { readSms, type SmsConfig } from './sms.ts'

export { ConfigError, type Environment }

/** The payment gateway that takes cards; `none`: the shop sells by wallet, transfer and D17. */
export type PaymentConfig =
  | { readonly provider: 'none' }
  /** A test page that pays without money; only in a private shop. */
  | { readonly provider: 'sandbox' }
  | {
      readonly provider: 'konnect'
      readonly apiKey: string
      readonly walletId: string
      /** The ways of paying that Konnect's page offers. */
      readonly methods: readonly KonnectMethod[]
      /** Without a slash at its end. */
      readonly baseUrl: string
    }

/** The environment, read and checked once at the start (docs/operating.md, "Settings"). */
export interface Config {
  readonly host: string
  /** 0 lets the system choose a free one. */
  readonly port: number
  /** An origin such as `https://karras.tn`, without a slash at its end. */
  readonly siteUrl: string
  /** Whether links in mails lead to the shop: `SITE_URL` is given, or the shop is private. */
  readonly knowsAddress: boolean
  /**
   * Whether `SITE_URL` is given; otherwise `siteUrl` is the address where this process would
   * listen.
   */
  readonly hasSiteUrl: boolean
  /** An absolute path. */
  readonly dataDir: string
  readonly files: FilesConfig
  /** One or several servers; null: the embedded PostgreSQL. */
  readonly databaseUrl: string | null
  /** Where to LISTEN if `databaseUrl` is a pooler's address; null: there as well. */
  readonly databaseListenUrl: string | null
  /** The most connections of this process to the database, besides the listening one. */
  readonly databasePool: number
  /** Another backend's origin, which gets `/api` and `/ws`; null: our own. */
  readonly apiOrigin: string | null
  /** The proxies that may name their clients: addresses, networks such as `10.0.0.0/8`, `loopback`. */
  readonly trustedProxies: readonly string[]
  /** null: created once and kept in `dataDir` (see `http/secret.ts`). */
  readonly jwtSecret: string | null
  readonly payment: PaymentConfig
  /** null: each mail becomes a file in `dataDir`/outbox. */
  readonly smtpUrl: string | null
  /** The address that is told what administrators do alone; null: the shop's contact address. */
  readonly ownerEmail: string | null
  /** null: accounts need an e-mail address. */
  readonly sms: SmsConfig | null
  /**
   * The address of an office other than the shop's own, without a slash at its end; null: below
   * `/office`.
   */
  readonly officeUrl: string | null
  /** A CDN that keeps the public pages; null: none. */
  readonly cdn: CdnConfig | null
  /** Whether browsers store pages and documents for use without a network. */
  readonly keepsPages: boolean
  /** Whether absent users are notified of unread messages by mail. */
  readonly chatMail: boolean
  /** The event loop's mean delay in milliseconds above which calls get 503; 0: never. */
  readonly overloadDelay: number
  /** How long a shop that stops still answers, while `/readyz` says so to load balancers. */
  readonly drainSeconds: number
  /** Lets a Prometheus on another machine read `/metrics`; null: none may. */
  readonly metricsToken: string | null
  /** Whether an empty database is filled with the demo shop. */
  readonly demo: boolean
  readonly production: boolean
  /** How an operator calls the command line on this machine, such as `karras`. */
  readonly officeCommand: string
}

const DATABASE_POOL = 10
/** With fewer, payments under way could take all of them. */
const POOL_LEAST = 4

// The shortest key allowed for HS256: 256 bits.
const SECRET_LENGTH = 32
const METRICS_TOKEN_LENGTH = 16
const OVERLOAD_DELAY_MS = 1000
const HOST = /^[A-Za-z0-9:](?:[A-Za-z0-9.:%-]{0,251}[A-Za-z0-9:])?$/
const KONNECT = 'https://api.konnect.network/api/v2'

const KONNECT_METHODS = ['wallet', 'bank_card', 'e-DINAR', 'flouci'] as const
type KonnectMethod = (typeof KONNECT_METHODS)[number]
/** Those that Konnect itself takes where none are named. */
const USUAL_METHODS: readonly KonnectMethod[] = ['wallet', 'bank_card', 'e-DINAR']

/**
 * Reads every variable of the table in docs/operating.md; an empty one counts as unset. Throws a `ConfigError`
 * of one line for the first wrong value. Resolves a relative `DATA_DIR` from `directory`.
 */
export function readConfig(env: Environment, directory = process.cwd()): Config {
  const { config, problems } = examineSettings(env, directory)
  if (problems[0]) throw problems[0]
  return config
}

/** `readConfig` without an end at the first problem: a setting with a wrong value counts as unset. */
export function examineSettings(
  env: Environment,
  directory = process.cwd(),
): { config: Config; problems: readonly ConfigError[] } {
  const settings = readerOf(env)
  const { read, need, problems } = settings

  const host = read('HOST', 'a host name or an IP address', (given) => HOST.test(given) && given)
  const port = read('PORT', 'a whole number from 0 to 65535', portNumber)
  const databaseUrl = read(
    'DATABASE_URL',
    'an address like postgresql://user@host:5432/name',
    databaseAddress,
    hidePassword,
  )
  const secretForm = `at least ${SECRET_LENGTH} characters`
  const jwtSecret = read(
    'JWT_SECRET',
    secretForm,
    (given) => given.length >= SECRET_LENGTH && given,
    (given) => `${given.length} characters`,
  )
  if (databaseUrl !== null) {
    need(
      'JWT_SECRET',
      jwtSecret,
      `${secretForm}, since DATABASE_URL is set; a shop that moves takes the line in its DATA_DIR/secret`,
    )
  }
  const production = env.NODE_ENV === 'production'
  const address = { host: host ?? '127.0.0.1', port: port ?? 4321 }
  const httpOrigin = 'an origin like https://shop.example, without a path'
  const givenUrl = readSiteUrl(settings, httpOrigin, production)
  const siteUrl = givenUrl ?? localOrigin(address)
  const dataDir = resolve(directory, read('DATA_DIR', 'a directory', (given) => given) ?? 'data')
  const reality = realBecause({ host: address.host, siteUrl, production })

  const config: Config = {
    ...address,
    siteUrl,
    hasSiteUrl: givenUrl !== null,
    knowsAddress: givenUrl !== null || reality === null,
    dataDir,
    files: readFiles(settings, { directory, dataDir }),
    databaseUrl,
    databaseListenUrl: read(
      'DATABASE_LISTEN_URL',
      'an address like postgresql://user@host:5432/name',
      databaseAddress,
      hidePassword,
    ),
    databasePool:
      read('DATABASE_POOL', `a whole number from ${POOL_LEAST} to 500`, poolSize) ?? DATABASE_POOL,
    apiOrigin: read('API_ORIGIN', httpOrigin, originOf, hidePassword),
    trustedProxies: [
      // Requests from this machine are not counted, so a proxy on it must always name its clients.
      'loopback',
      ...(read('TRUSTED_PROXIES', 'addresses and networks like 10.0.0.5,192.168.1.0/24', proxies) ??
        []),
    ],
    jwtSecret,
    payment: readPayment(settings, reality),
    smtpUrl: read(
      'SMTP_URL',
      'an address like smtp://user:password@host:587',
      (given) => isAddress(given, ['smtp:', 'smtps:']) && new URL(given).hostname !== '' && given,
      hidePassword,
    ),
    ownerEmail: read(
      'OWNER_EMAIL',
      'an e-mail address',
      (given) => checkEmail(given) === null && given,
    ),
    sms: readSms(settings),
    officeUrl: read(
      'OFFICE_URL',
      'an http or https address',
      (given) => webAddress(given) && withoutLastSlashes(given),
      hidePassword,
    ),
    cdn: readCdn(settings),
    keepsPages: read('OFFLINE', '0 or 1', flag)?.on ?? true,
    chatMail: read('CHAT_MAIL', '0 or 1', flag)?.on ?? true,
    overloadDelay:
      read('OVERLOAD_DELAY', 'milliseconds, at most 60000; 0 for never', overload)?.delay ??
      OVERLOAD_DELAY_MS,
    drainSeconds: read('DRAIN_SECONDS', 'seconds, at most 60', drain)?.seconds ?? 0,
    metricsToken: read(
      'METRICS_TOKEN',
      `at least ${METRICS_TOKEN_LENGTH} letters, digits and signs, without spaces`,
      (given) => given.length >= METRICS_TOKEN_LENGTH && /^[\x21-\x7e]+$/.test(given) && given,
      (given) => `${given.length} characters`,
    ),
    demo: read('DEMO', '0 or 1', flag)?.on ?? (databaseUrl === null && !production),
    production,
    officeCommand: officeCommandOf(env),
  }
  return { config, problems }
}

/**
 * `SITE_URL` as given; null without one. In production it is needed, and `https`: links in mails, the
 * gateway's way back and everything that browsers keep secret depend on it.
 */
function readSiteUrl(
  { read, need }: SettingsReader,
  form: string,
  production: boolean,
): string | null {
  if (!production) return read('SITE_URL', form, originOf, hidePassword)
  const secure = `${form.replace('an origin', 'an https origin')}, since NODE_ENV is production`
  const secureOrigin = (text: string) => {
    const origin = originOf(text)
    return origin !== false && origin.startsWith('https:') && origin
  }
  return need('SITE_URL', read('SITE_URL', secure, secureOrigin, hidePassword), secure)
}

/** The settings that pages show, as passed to them in `Astro.locals`. */
export function pageSettings({
  payment,
  officeUrl,
  apiOrigin,
  sms,
}: Pick<Config, 'payment' | 'officeUrl' | 'apiOrigin' | 'sms'>) {
  const isForeign = apiOrigin !== null
  return {
    provider: payment.provider,
    officeUrl,
    isForeign,
    reachesPhones: sms !== null && !isForeign,
  }
}

/**
 * Why this shop counts as real, that is open to more than this machine, such as
 * `NODE_ENV is production`; null for a private shop. Only a private shop has the sandbox gateway or
 * the demo accounts.
 */
export function realBecause({
  host,
  siteUrl,
  production,
}: Pick<Config, 'host' | 'siteUrl' | 'production'>): string | null {
  if (production) return 'NODE_ENV is production'
  if (!isLoopback(host)) return `HOST is "${host}", which others can reach`
  // In URLs, IPv6 addresses are in brackets.
  const siteHost = URL.parse(siteUrl)?.hostname.replace(/^\[|\]$/g, '')
  return siteHost && isLoopback(siteHost)
    ? null
    : `SITE_URL is "${siteUrl}", which others can reach`
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d+){3}$/.test(host)
}

function readPayment(
  { read, need, refuse }: SettingsReader,
  reality: string | null,
): PaymentConfig {
  const provider =
    read(
      'PAYMENT_PROVIDER',
      listed(PROVIDERS),
      (given) => PROVIDERS.find((provider) => provider === given) ?? false,
    ) ?? (reality === null ? 'sandbox' : 'none')
  if (provider === 'sandbox' && reality !== null) {
    refuse(
      'PAYMENT_PROVIDER',
      '"sandbox", which takes no money and gives balance',
      `${listed(PROVIDERS.filter((each) => each !== 'sandbox'))}, since ${reality}`,
    )
    return { provider: 'none' }
  }
  const hidden = () => 'something else'
  const apiKey = read(
    'KONNECT_API_KEY',
    'the key that Konnect gave, like <24 hexadecimal digits>:<secret>',
    (given) => /^[\x21-\x7e]+$/.test(given) && given,
    hidden,
  )
  const walletId = read(
    'KONNECT_WALLET_ID',
    'letters and digits, as Konnect gave it',
    (given) => /^[A-Za-z0-9_-]+$/.test(given) && given,
    hidden,
  )
  const baseUrl = read(
    'KONNECT_BASE_URL',
    `an http or https address like ${KONNECT}`,
    webAddress,
    hidePassword,
  )
  const methods = read(
    'KONNECT_METHODS',
    `a list of ${listed(KONNECT_METHODS)}, with commas between`,
    (given) => {
      const names = given.split(',').map((name) => name.trim())
      const known = KONNECT_METHODS.filter((method) => names.includes(method))
      return known.length === names.length && known
    },
  )
  if (provider !== 'konnect') return { provider }

  const why = 'a value, since PAYMENT_PROVIDER is konnect'
  need('KONNECT_API_KEY', apiKey, why)
  need('KONNECT_WALLET_ID', walletId, why)
  if (apiKey === null || walletId === null) return { provider: 'none' }
  return {
    provider,
    apiKey,
    walletId,
    methods: methods ?? USUAL_METHODS,
    baseUrl: withoutLastSlashes(baseUrl ?? KONNECT),
  }
}

/** `a, b or c`. */
function listed(names: readonly string[]): string {
  return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(names)
}

/** The command that backs a shop up, as it runs each day: into a directory of its own. */
export const backupCommandOf = ({ officeCommand, dataDir }: Config): string =>
  `${officeCommand} backup ${join(dataDir, 'backups')}/karras-$(date +%F-%H%M).karras`

/**
 * `karras`, where this process was not started by npm and the script of docs/operating.md is
 * installed; otherwise the call through npm, which works in the shop's directory.
 */
export function officeCommandOf(env: Environment): string {
  const isInstalled = (env.PATH ?? '')
    .split(':')
    .some((directory) => directory !== '' && isExecutable(join(directory, 'karras')))
  const isByNpm = env.npm_lifecycle_event !== undefined
  return isInstalled && !isByNpm ? 'karras' : 'npm run --silent office --'
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function databaseAddress(given: string): string | false {
  return serversIn(given).length > 0 && given
}

function poolSize(given: string): number | false {
  return (
    /^\d{1,3}$/.test(given) && Number(given) >= POOL_LEAST && Number(given) <= 500 && Number(given)
  )
}

function proxies(given: string): readonly string[] | false {
  const list = given.split(',').map((each) => each.trim())
  try {
    proxyAddress.compile(list)
    return list
  } catch {
    return false
  }
}

function portNumber(given: string): number | false {
  return /^\d{1,5}$/.test(given) && Number(given) <= 65535 && Number(given)
}

// An object, because a reader returns `false` for a wrong value.
function flag(given: string): { on: boolean } | false {
  return (given === '0' || given === '1') && { on: given === '1' }
}

// An object, because 0 is a valid delay and `false` a wrong value.
function overload(given: string): { delay: number } | false {
  return /^\d{1,5}$/.test(given) && Number(given) <= 60_000 && { delay: Number(given) }
}

// An object, because 0 is a valid time and `false` a wrong value.
function drain(given: string): { seconds: number } | false {
  return /^\d{1,2}$/.test(given) && Number(given) <= 60 && { seconds: Number(given) }
}

function isAddress(given: string, protocols: readonly string[]): boolean {
  return protocols.includes(URL.parse(given)?.protocol ?? '')
}

function webAddress(given: string): string | false {
  return isAddress(given, ['http:', 'https:']) && given
}

function originOf(given: string): string | false {
  const url = isAddress(given, ['http:', 'https:']) ? new URL(given) : null
  if (!url || url.username || url.password || url.search || url.hash) return false
  return url.pathname === '/' && url.origin
}

/** Where a server listens; port 0 lets the system choose a free one. */
export interface Address {
  readonly host: string
  readonly port: number
}

/** `http://` and an address, with brackets around an IPv6 address. */
export function localOrigin({ host, port }: Address): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
