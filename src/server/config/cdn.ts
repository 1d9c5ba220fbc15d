import { hidePassword, type SettingsReader } from './environment.ts'

export interface CdnConfig {
  /** How long the CDN keeps a page that is not purged. */
  readonly seconds: number
  /** Where the CDN accepts purges; null: nothing purges it. */
  readonly purge: CdnPurge | null
}

export interface CdnPurge {
  readonly url: string
  readonly secret: string
}

const A_YEAR = 31_536_000

/** Reads the settings of a CDN in front of the shop; null without `CDN_SECONDS`. */
export function readCdn({ read, need }: SettingsReader): CdnConfig | null {
  const seconds = read('CDN_SECONDS', `a whole number from 1 to ${A_YEAR}`, (given) => {
    const value = /^\d{1,8}$/.test(given) ? Number(given) : 0
    return value >= 1 && value <= A_YEAR && value
  })
  const url = read(
    'CDN_PURGE_URL',
    'an https address, or an http one of this machine or network',
    (given) => /^https?:$/.test(URL.parse(given)?.protocol ?? '') && given,
    hidePassword,
  )
  const secret = read(
    'CDN_PURGE_SECRET',
    'the key that the CDN gave',
    (given) => /^[\x21-\x7e]+$/.test(given) && given,
    () => 'something else',
  )
  if (url === null && secret === null) return seconds === null ? null : { seconds, purge: null }
  need('CDN_PURGE_URL', url, 'an address, since CDN_PURGE_SECRET is set')
  const why = 'a value, since CDN_PURGE_URL is set'
  need('CDN_SECONDS', seconds, why)
  need('CDN_PURGE_SECRET', secret, why)
  return url !== null && seconds !== null && secret !== null
    ? { seconds, purge: { url, secret } }
    : null
}
