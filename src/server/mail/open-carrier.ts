import { join } from 'node:path'
import type { Config } from '../config.ts'
import { outboxCarrier, smtpCarrier } from './carriers.ts'
import type { Carrier } from './deliver.ts'

/** What carries mails: the mail server of `SMTP_URL`, else the directory `DATA_DIR`/outbox. */
export function openCarrier({ smtpUrl, dataDir }: Pick<Config, 'smtpUrl' | 'dataDir'>): Carrier {
  return smtpUrl === null ? outboxCarrier(join(dataDir, 'outbox')) : smtpCarrier(smtpUrl)
}
