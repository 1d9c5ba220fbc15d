/** Where files lie: `FILES_URL`, read. */
export type FilesConfig = { readonly kind: 'directory'; readonly path: string } | S3Config

export interface S3Config {
  readonly kind: 's3'
  readonly bucket: string
  /** Before every name; empty, or with a slash at its end. */
  readonly prefix: string
  /** Without a slash at its end; null: Amazon's own. */
  readonly endpoint: string | null
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken: string | null
}
