import { accessSync, constants } from 'node:fs'
import { join, resolve } from 'node:path'
import { PROVIDERS } from '../../contract/orders.ts'
import type { Environment } from './environment.ts'
import { ConfigError, givenIn, listed, readSettings, SETTINGS, shownOf } from './settings.ts'

export { ConfigError, type Environment }

/** The settings, read and checked once at the start, and what follows from several of them. */
export type Config = Readonly<ReturnType<typeof examineSettings>['config']>

export type PaymentConfig = ReturnType<typeof paymentOf>

/** The store of files, a directory or S3. */
export type FilesConfig = ReturnType<typeof filesOf>
export type S3Config = Extract<FilesConfig, { kind: 's3' }>

/** A gateway for text messages: what is sent to it, with `{phone}` and `{text}` in their places. */
export type SmsConfig = NonNullable<ReturnType<typeof smsOf>>

/** A CDN in front of the shop; `purge` null: nothing purges it. */
export type CdnConfig = NonNullable<ReturnType<typeof cdnOf>>
export type CdnPurge = NonNullable<CdnConfig['purge']>

type Read = ReturnType<typeof readSettings>

/**
 * Reads every variable of the table in `settings.ts`; an empty one counts as unset. Throws a `ConfigError`
 * of one line for the first wrong value. Resolves a relative `DATA_DIR` from `directory`.
 */
export function readConfig(env: Environment, directory = process.cwd()): Config {
  const { config, problems } = examineSettings(env, directory)
  if (problems[0]) throw problems[0]
  return config
}

/** `readConfig` without an end at the first problem: a setting with a wrong value counts as unset. */
export function examineSettings(env: Environment, directory = process.cwd()) {
  const read = readSettings(env)
  const { values, refuse, need } = read
  const production = env.NODE_ENV === 'production'

  // Links in mails, the way back from the gateway and everything that browsers keep secret depend on it.
  const isInsecure = production && !values.SITE_URL?.startsWith('https:')
  if (isInsecure) {
    const given = givenIn(env, 'SITE_URL')
    refuse(
      'SITE_URL',
      given ? shownOf('SITE_URL', given) : 'nothing',
      `${SETTINGS.SITE_URL.allowed.replace('an origin', 'an https origin')}, since NODE_ENV is production`,
    )
  }
  if (values.DATABASE_URL !== null) {
    need(
      'JWT_SECRET',
      `${SETTINGS.JWT_SECRET.allowed}, since DATABASE_URL is set; a shop that moves takes the line in its DATA_DIR/secret`,
    )
  }
  const address = { host: values.HOST, port: values.PORT }
  const givenUrl = isInsecure ? null : values.SITE_URL
  const siteUrl = givenUrl ?? localOrigin(address)
  const reality = realBecause({ host: address.host, siteUrl, production })
  const dataDir = resolve(directory, values.DATA_DIR)

  const config = {
    ...address,
    /** An origin such as `https://karras.tn`, without a slash at its end. */
    siteUrl,
    /** Whether links in mails lead to the shop: `SITE_URL` is given, or the shop is private. */
    knowsAddress: givenUrl !== null || reality === null,
    /** Whether `SITE_URL` is given; otherwise `siteUrl` is the address where this process would listen. */
    hasSiteUrl: givenUrl !== null,
    /** An absolute path. */
    dataDir,
    files: filesOf(read, { directory, dataDir }),
    databaseUrl: values.DATABASE_URL,
    databaseListenUrl: values.DATABASE_LISTEN_URL,
    databasePool: values.DATABASE_POOL,
    apiOrigin: values.API_ORIGIN,
    // Requests from this machine are not counted, so a proxy on it must always name its clients.
    trustedProxies: ['loopback', ...values.TRUSTED_PROXIES] as readonly string[],
    /** null: created once and kept in `dataDir` (see `http/secret.ts`). */
    jwtSecret: values.JWT_SECRET,
    payment: paymentOf(read, reality),
    smtpUrl: values.SMTP_URL,
    ownerEmail: values.OWNER_EMAIL,
    /** null: accounts need an e-mail address. */
    sms: smsOf(read),
    officeUrl: values.OFFICE_URL,
    cdn: cdnOf(read),
    keepsPages: values.OFFLINE,
    chatMail: values.CHAT_MAIL,
    overloadDelay: values.OVERLOAD_DELAY,
    drainSeconds: values.DRAIN_SECONDS,
    metricsToken: values.METRICS_TOKEN,
    demo: values.DEMO ?? (values.DATABASE_URL === null && !production),
    production,
    officeCommand: officeCommandOf(env),
  }
  return { config, problems: [...read.problems.values()] }
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
}: {
  readonly host: string
  readonly siteUrl: string
  readonly production: boolean
}): string | null {
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

/** The gateway that takes cards; `none`: the shop sells by wallet, transfer and D17. */
function paymentOf({ values, need, refuse }: Read, reality: string | null) {
  const provider = values.PAYMENT_PROVIDER ?? (reality === null ? 'sandbox' : 'none')
  if (provider === 'sandbox' && reality !== null) {
    refuse(
      'PAYMENT_PROVIDER',
      '"sandbox", which takes no money and gives balance',
      `${listed(PROVIDERS.filter((each) => each !== 'sandbox'))}, since ${reality}`,
    )
    return { provider: 'none' as const }
  }
  if (provider !== 'konnect') return { provider }
  const why = 'a value, since PAYMENT_PROVIDER is konnect'
  need('KONNECT_API_KEY', why)
  need('KONNECT_WALLET_ID', why)
  const { KONNECT_API_KEY: apiKey, KONNECT_WALLET_ID: walletId } = values
  if (apiKey === null || walletId === null) return { provider: 'none' as const }
  return {
    provider,
    apiKey,
    walletId,
    methods: values.KONNECT_METHODS,
    baseUrl: values.KONNECT_BASE_URL,
  }
}

/** Where files are unless `FILES_URL` says so. */
export const filesIn = (dataDir: string): string => join(dataDir, 'files')

function filesOf(
  { values, need }: Read,
  { directory, dataDir }: { directory: string; dataDir: string },
) {
  const { FILES_URL: store, AWS_ACCESS_KEY_ID: accessKeyId } = values
  const { AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN: sessionToken } = values
  const usual = { kind: 'directory' as const, path: filesIn(dataDir) }
  if (store === null) return usual
  if (typeof store === 'string') return { ...usual, path: resolve(directory, store) }
  const why = 'a value, since FILES_URL is on S3'
  need('AWS_ACCESS_KEY_ID', why)
  need('AWS_SECRET_ACCESS_KEY', why)
  if (accessKeyId === null || secretAccessKey === null) return usual
  const region = store.region ?? values.AWS_REGION
  return { kind: 's3' as const, ...store, region, accessKeyId, secretAccessKey, sessionToken }
}

function smsOf({ values, refuse, need }: Read) {
  const { SMS_URL: url, SMS_BODY: body } = values
  if (values.SMS_NEWS) need('SMS_URL', 'an address, since SMS_NEWS is 1')
  if (url === null) return null
  const missing = ['{phone}', '{text}'].find((place) => !`${url}${body}`.includes(place))
  if (missing) {
    refuse('SMS_URL', `without ${missing}`, `one with ${missing} in it, or in SMS_BODY`)
    return null
  }
  return {
    url,
    headers: values.SMS_HEADERS,
    /** null: the message is part of the address, and the gateway gets a GET request. */
    body,
    accepted: values.SMS_ACCEPTED,
    perDay: values.SMS_PER_DAY,
    /** Whether accounts with a phone alone are told of news. */
    news: values.SMS_NEWS,
  }
}

function cdnOf({ values, need }: Read) {
  const { CDN_SECONDS: seconds, CDN_PURGE_URL: url, CDN_PURGE_SECRET: secret } = values
  if (url === null && secret === null) return seconds === null ? null : { seconds, purge: null }
  need('CDN_PURGE_URL', 'an address, since CDN_PURGE_SECRET is set')
  const why = 'a value, since CDN_PURGE_URL is set'
  need('CDN_SECONDS', why)
  need('CDN_PURGE_SECRET', why)
  return url !== null && seconds !== null && secret !== null
    ? { seconds, purge: { url, secret } }
    : null
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

/** Where a server listens; port 0 lets the system choose a free one. */
export interface Address {
  readonly host: string
  readonly port: number
}

/** `http://` and an address, with brackets around an IPv6 address. */
export function localOrigin({ host, port }: Address): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
