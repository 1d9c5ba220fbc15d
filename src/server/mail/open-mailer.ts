import { join } from 'node:path'
import type { Config } from '../config.ts'
import { outboxCarrier, smtpCarrier } from './carriers.ts'
import { createMailer, type Mailer } from './mailer.ts'

/** The mailer that the configuration asks for (decisions §2): `SMTP_URL`'s, else `DATA_DIR`/outbox. */
export function openMailer(
  { smtpUrl, dataDir }: Pick<Config, 'smtpUrl' | 'dataDir'>,
  report: (message: string) => void,
): Mailer {
  const carrier = smtpUrl === null ? outboxCarrier(join(dataDir, 'outbox')) : smtpCarrier(smtpUrl)
  return createMailer({ carrier, report })
}
