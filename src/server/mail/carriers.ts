import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { SECOND_MS } from '../../rules/durations.ts'
import type { Config } from '../config/config.ts'
import { writeWhole } from '../files/files.ts'
import type { Carrier, Mail } from './deliver.ts'

/** How long a mail server may take for each step, in milliseconds. */
const TIMEOUTS = {
  connection: 10 * SECOND_MS,
  greeting: 10 * SECOND_MS,
  silence: 20 * SECOND_MS,
}

/**
 * Opens the configured carrier: the mail server of `SMTP_URL`, else the directory
 * `DATA_DIR/outbox`.
 */
export function openCarrier({ smtpUrl, dataDir }: Pick<Config, 'smtpUrl' | 'dataDir'>): Carrier {
  return smtpUrl === null ? outboxCarrier(join(dataDir, 'outbox')) : smtpCarrier(smtpUrl)
}

/** Passes mails to the server of an `SMTP_URL`. */
export function smtpCarrier(url: string, timeouts = TIMEOUTS): Carrier {
  const transport = createTransport({
    url,
    connectionTimeout: timeouts.connection,
    greetingTimeout: timeouts.greeting,
    socketTimeout: timeouts.silence,
    dnsTimeout: timeouts.connection,
  })
  return {
    async send(mail) {
      await transport.sendMail(messageOf(mail))
    },
    close: () => transport.close(),
  }
}

/** Writes each mail into a file `<moment>-<id>.eml` of a directory, whole or not at all. */
export function outboxCarrier(directory: string): Carrier {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  return {
    async send(mail) {
      const { message } = await transport.sendMail(messageOf(mail))
      const moment = new Date().toISOString().replace(/[:.]/g, '-')
      const file = join(directory, `${moment}-${randomUUID().slice(0, 8)}.eml`)
      // Mails contain links that open accounts: no other user of this machine may read them.
      await writeWhole(file, message as Buffer, { mode: 0o600, directoryMode: 0o700 })
    },
    close: () => {},
  }
}

function messageOf({ from, to, subject, text, html }: Mail) {
  return {
    from,
    // As an object it is a single address, whatever it contains.
    to: { name: '', address: to },
    subject,
    text,
    html,
    textEncoding: 'base64' as const,
    disableFileAccess: true,
    disableUrlAccess: true,
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
}
