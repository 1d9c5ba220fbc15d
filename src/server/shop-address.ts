import { join } from 'node:path'
import type { Config } from './config.ts'
import { readTextIfThere, writeWholeSync } from './files/files.ts'

/** A file of `DATA_DIR`. */
const FILE = 'address'

/** Stores the address of a shop that listens at `url`, for commands that make links to it. */
export function noteAddress({ dataDir, hasSiteUrl, siteUrl }: Config, url: string): void {
  writeWholeSync(join(dataDir, FILE), hasSiteUrl ? siteUrl : url)
}

/** `SITE_URL`, or else where the shop on this `DATA_DIR` was last open; in a new one the default. */
export function knownAddress({ dataDir, hasSiteUrl, siteUrl }: Config): string {
  return (hasSiteUrl ? null : readTextIfThere(join(dataDir, FILE))) ?? siteUrl
}
