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
