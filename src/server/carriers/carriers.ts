// How mails leave the shop: by a mail server, or as files of a folder.

import { randomUUID } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { SECOND_MS } from '../../rules/durations.ts'
import type { Config } from '../config/config.ts'
import { writeWhole } from '../files/files.ts'
import { type Noting, noteTrouble, noteWorking } from '../troubles/troubles.ts'

export { openSms, type Sms, SmsError, type SmsGateway } from './sms-gateway.ts'

export interface Mail {
  readonly from: { readonly name: string; readonly address: string }
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends mails; `send` rejects on failure. */
export interface Carrier {
  send(mail: Mail): Promise<void>
  /** Deletes the mails to an address, where they are files. */
  forget?(address: string): Promise<void>
  /** Deletes the mails from before a moment, where they are files. */
  forgetBefore?(moment: Date): Promise<void>
  close(): void
}

/** Where mails go: to a mail server, or, without one, into files that reach nobody. */
type MailPlace =
  | { readonly kind: 'server'; readonly host: string }
  | { readonly kind: 'folder'; readonly path: string }

export interface MailCarrier extends Carrier {
  readonly place: MailPlace
}

/** How long a mail server may take for each step, in milliseconds. */
const TIMEOUTS = {
  connection: 10 * SECOND_MS,
  greeting: 10 * SECOND_MS,
  silence: 20 * SECOND_MS,
}

/**
 * Opens the configured carrier: the mail server of `SMTP_URL`, else the directory
 * `DATA_DIR/outbox`. It notes when mail begins to fail, and when it works again; a recipient that
 * the server refuses says nothing about either.
 */
export function openMail(
  parts: Noting & { readonly config: Pick<Config, 'smtpUrl' | 'dataDir'> },
): MailCarrier {
  const { smtpUrl, dataDir } = parts.config
  const place: MailPlace =
    smtpUrl === null
      ? { kind: 'folder', path: join(dataDir, 'outbox') }
      : { kind: 'server', host: new URL(smtpUrl).host }
  const carrier = smtpUrl === null ? outboxCarrier(join(dataDir, 'outbox')) : smtpCarrier(smtpUrl)
  return {
    place,
    async send(mail) {
      try {
        await carrier.send(mail)
      } catch (error) {
        if (!isOfRecipient(error)) await noteTrouble(parts, 'mail', reasonOf(error))
        throw error
      }
      await noteWorking(parts, 'mail')
    },
    forget: async (address) => carrier.forget?.(address),
    forgetBefore: async (moment) => carrier.forgetBefore?.(moment),
    close: () => carrier.close(),
  }
}

/** Whether the mail server refused this mail permanently; other failures may be temporary. */
export function isRefusal(error: unknown): boolean {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown }
  const isAboutMail = code === 'EENVELOPE' || code === 'EMESSAGE'
  return isAboutMail && typeof responseCode === 'number' && responseCode >= 500
}

/** Whether a mail was certainly not taken: the server was not reached, or has said so. */
export function isUnsent(error: unknown): boolean {
  const { command, responseCode } = error as { command?: unknown; responseCode?: unknown }
  return command === 'CONN' || (typeof responseCode === 'number' && responseCode >= 400)
}

const isOfRecipient = (error: unknown): boolean =>
  isRefusal(error) && (error as { command?: unknown }).command === 'RCPT TO'

/** Why a mail was not taken. A server's answer may repeat an address, which belongs in no log. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.replace(/\S+/g, (word) => (word.includes('@') ? '…' : word)).slice(0, 300)
}

/** Passes mails to the server of an `SMTP_URL`. */
export function smtpCarrier(url: string, timeouts = TIMEOUTS): Carrier {
  const transport = smtpTransport(url, timeouts)
  return {
    async send(mail) {
      await transport.sendMail(messageOf(mail))
    },
    close: () => transport.close(),
  }
}

/**
 * Connects to the server of an `SMTP_URL` and logs in, without sending anything; rejects if that
 * fails, or if a step takes longer than `limitMs`.
 */
export async function tryMailServer(url: string, limitMs: number): Promise<void> {
  const transport = smtpTransport(url, {
    connection: limitMs,
    greeting: limitMs,
    silence: limitMs,
  })
  await transport.verify()
}

function smtpTransport(url: string, timeouts: typeof TIMEOUTS) {
  return createTransport({
    url,
    connectionTimeout: timeouts.connection,
    greetingTimeout: timeouts.greeting,
    socketTimeout: timeouts.silence,
    dnsTimeout: timeouts.connection,
  })
}

/** Writes each mail into a file `<moment>-<id>.eml` of a directory, whole or not at all. */
export function outboxCarrier(directory: string): Carrier {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  return {
    async send(mail) {
      const { message } = await transport.sendMail(messageOf(mail))
      const file = join(directory, `${inName(new Date())}-${randomUUID().slice(0, 8)}.eml`)
      // Mails contain links that open accounts: no other user of this machine may read them.
      await writeWhole(file, message as Buffer, { mode: 0o600, directoryMode: 0o700 })
    },
    async forget(address) {
      for (const name of await readdir(directory).catch(() => [])) {
        const file = join(directory, name)
        const [head = ''] = (await readFile(file, 'utf8').catch(() => '')).split('\r\n\r\n')
        if (head.toLowerCase().includes(address)) await rm(file, { force: true })
      }
    },
    async forgetBefore(moment) {
      for (const name of await readdir(directory).catch(() => [])) {
        if (name < inName(moment)) await rm(join(directory, name), { force: true })
      }
    },
    close: () => {},
  }
}

/** A moment at the beginning of a file's name, in the order of time. */
const inName = (moment: Date) => moment.toISOString().replace(/[:.]/g, '-')

function messageOf({ from, to, subject, text, html, headers }: Mail) {
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
    headers: { 'Auto-Submitted': 'auto-generated', ...headers },
  }
}
