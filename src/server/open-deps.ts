import { join } from 'node:path'
import { createPasswords } from './accounts/accounts.ts'
import { openMail, openSms } from './carriers/carriers.ts'
import { openCatalogue } from './catalogue/catalogue.ts'
import type { Config } from './config/config.ts'
import type { Database } from './database/pool.ts'
import type { Deps } from './deps.ts'
import { openVisitCounts } from './figures/figures.ts'
import { openStorage } from './files/files.ts'
import { openGateway } from './gateways/gateways.ts'
import { createIdentify } from './http/identity.ts'
import { openJobs } from './jobs/jobs.ts'
import { createMetrics } from './metrics/metrics.ts'
import { openPayments } from './money/money.ts'
import { openAnnouncements } from './publishing/publishing.ts'
import type { Say } from './terminal.ts'
import { openWorkers } from './workers/workers.ts'

interface Opening {
  readonly config: Config
  readonly database: Database
  readonly listener: Deps['listener']
  readonly secret: Uint8Array
  readonly say: Say
  /** Whether this process recovers jobs whose worker is gone. */
  readonly supervise: boolean
}

/**
 * Opens the dependencies of every resource on an open database; pushes the functions that close
 * them to `opened`.
 */
export async function openDeps(
  { config, database, listener, secret, say, supervise }: Opening,
  opened: (() => Promise<unknown>)[],
) {
  const files = await openStorage(config)
  opened.push(async () => files.close())
  const workers = openWorkers(database)
  opened.push(() => workers.close())
  const jobs = await openJobs({ database, report: say, supervise })
  opened.push(() => jobs.stop())
  const file = join(config.dataDir, 'pages-position.json')
  const publisher = openAnnouncements({ database, listener, file, log: say })
  opened.push(() => publisher.close())
  const { siteUrl, payment } = config
  const noting = { config, database, now: Date.now, report: say }
  const metrics = createMetrics()
  const onResult = metrics.onGatewayResult
  const gateway = openGateway(payment, { ...noting, siteUrl, onResult })
  const mail = openMail(noting)
  opened.push(async () => mail.close())
  const visits = openVisitCounts({ database })
  opened.push(() => visits.close())
  const now = Date.now
  return {
    config,
    database,
    listener,
    publisher,
    files,
    workers,
    jobs,
    mail,
    sms: openSms(noting),
    gateway,
    payments: openPayments(database),
    visits,
    catalogue: openCatalogue(database.kysely),
    metrics,
    identify: createIdentify({ database, secret, now }),
    secret,
    passwords: createPasswords(),
    report: say,
    now,
  }
}
