import { join, resolve } from 'node:path'
import {
  hidePassword,
  type Setting,
  type SettingsReader,
  withoutLastSlashes,
} from './environment.ts'

/** The store of files, parsed from `FILES_URL`. */
export type FilesConfig = { readonly kind: 'directory'; readonly path: string } | S3Config

export interface S3Config {
  readonly kind: 's3'
  readonly bucket: string
  /** Prefix of every key; empty, or ending in a slash. */
  readonly prefix: string
  /** Without a trailing slash; null for Amazon's own endpoint. */
  readonly endpoint: string | null
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken: string | null
}

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const PREFIX = /^(?:[A-Za-z0-9_-][A-Za-z0-9._-]*\/)*$/

/** Where files are unless `FILES_URL` says so. */
export const filesIn = (dataDir: string): string => join(dataDir, 'files')

/** Reads `FILES_URL` and, for S3, the usual variables of AWS. */
export function readFiles(
  { read, need }: SettingsReader,
  { directory, dataDir }: { directory: string; dataDir: string },
): FilesConfig {
  const given = read(
    'FILES_URL',
    'a directory, or an address like s3://bucket/prefix?endpoint=https://s3.example&region=eu-west-3',
    (text) => (text.startsWith('s3:') ? readS3(text) : !/^[a-z][a-z\d+.-]*:/i.test(text) && text),
    hidePassword,
  )
  if (given === null) return { kind: 'directory', path: filesIn(dataDir) }
  if (typeof given === 'string') return { kind: 'directory', path: resolve(directory, given) }

  const why = 'a value, since FILES_URL is on S3'
  const secret = (name: Setting) =>
    read(
      name,
      'what the storage gave',
      (text) => /^[\x21-\x7e]+$/.test(text) && text,
      () => 'something else',
    )
  const accessKeyId = need('AWS_ACCESS_KEY_ID', secret('AWS_ACCESS_KEY_ID'), why)
  const secretAccessKey = need('AWS_SECRET_ACCESS_KEY', secret('AWS_SECRET_ACCESS_KEY'), why)
  const region = given.region ?? secret('AWS_REGION') ?? 'us-east-1'
  const sessionToken = secret('AWS_SESSION_TOKEN')
  if (accessKeyId === null || secretAccessKey === null) {
    return { kind: 'directory', path: filesIn(dataDir) }
  }
  return { kind: 's3', ...given, region, accessKeyId, secretAccessKey, sessionToken }
}

/** Bucket, prefix, endpoint and region; false if one of them is invalid. */
function readS3(text: string) {
  const url = URL.parse(text)
  if (!url || url.username || url.password || url.port || url.hash) return false
  const unknown = [...url.searchParams.keys()].some((key) => key !== 'endpoint' && key !== 'region')
  const path = withoutLastSlashes(url.pathname).replace(/^\/+/, '')
  const prefix = path === '' ? '' : `${path}/`
  const endpoint = url.searchParams.get('endpoint')
  const region = url.searchParams.get('region')
  const isEndpoint = endpoint === null || /^https?:$/.test(URL.parse(endpoint)?.protocol ?? '')
  const isRegion = region === null || /^[a-z0-9-]{1,64}$/.test(region)
  if (unknown || !BUCKET.test(url.hostname) || !PREFIX.test(prefix) || !isEndpoint || !isRegion) {
    return false
  }
  return {
    bucket: url.hostname,
    prefix,
    endpoint: endpoint && withoutLastSlashes(endpoint),
    region,
  }
}
