import type { Config } from './config.ts'
import type { Listener } from './database/listen.ts'
import type { Database } from './database/pool.ts'
import type { Storage } from './files/files.ts'
import type { Jobs } from './jobs/open-jobs.ts'
import type { Gateway } from './money/gateways/gateway.ts'

/** Takes the tags of public pages that a resource has changed, such as `document:12`. */
export interface Publisher {
  /** The pages with these tags are rendered again now; call it after the commit. */
  changed(tags: readonly string[]): void
  /** The same for what changes by the minute: gathered for up to a minute. */
  changedSoon(tags: readonly string[]): void
}

/** What every resource is given; `buildApp` puts it together, tests replace parts of it. */
export interface Deps {
  readonly config: Config
  readonly database: Database
  /** Receives what any instance announces with `pg_notify`. */
  readonly listener: Listener
  readonly publisher: Publisher
  /** Documents and pictures. */
  readonly files: Storage
  /** What is done later, in the background. */
  readonly jobs: Jobs
  /** null: cards are not taken; the shop sells by wallet, transfer and D17. */
  readonly gateway: Gateway | null
  /** Reports to the operator what needs a person's attention. */
  readonly report: (line: string) => void
  /** Signs tokens and links. */
  readonly secret: Uint8Array
  /** Milliseconds since 1970; a test's clock may stand still. */
  readonly now: () => number
}
