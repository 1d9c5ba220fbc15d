import { join } from 'node:path'
import type { Config } from './config/config.ts'
import { readTextIfThere, writeWholeSync } from './files/files.ts'

/** A file of `DATA_DIR`. */
const FILE = 'address'

/** Stores the address of a shop that listens at `url`, for commands that create links to it. */
export function noteAddress({ dataDir, hasSiteUrl, siteUrl }: Config, url: string): void {
  writeWholeSync(join(dataDir, FILE), hasSiteUrl ? siteUrl : url)
}

/**
 * `SITE_URL`, or else the address at which the shop of this `DATA_DIR` last listened; for a new
 * shop the default.
 */
export function knownAddress({ dataDir, hasSiteUrl, siteUrl }: Config): string {
  return (hasSiteUrl ? null : readTextIfThere(join(dataDir, FILE))) ?? siteUrl
}
