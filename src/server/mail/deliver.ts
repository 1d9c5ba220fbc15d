import type { Kysely } from 'kysely'
import type { Texts } from '../../i18n/texts.ts'
import { type Carrier, isRefusal, isUnsent, type Mail, reasonOf } from '../carriers/carriers.ts'
import type { Schema } from '../database/schema.ts'
import { type Handler, JobFailed } from '../jobs/jobs.ts'
import { MAIL_KINDS, type MailData, type MailJob, type MailKind } from './queue.ts'
import type { Once, WrittenSms } from './text-messages.ts'

/**
 * A mail before the sender's address is added, which is the shop's address at the time of sending.
 */
export interface WrittenMail extends Omit<Mail, 'from' | 'to'> {
  readonly sender: string
  /** null: to an account without an e-mail address, which gets none. */
  readonly to: string | null
  readonly once?: Once
}

/** A mail, or the text message to somebody without an e-mail address; null: nothing is sent. */
export type Written = WrittenMail | WrittenSms | null

/**
 * The writer of each kind of mail, called with the texts as they are at the time of sending.
 */
export type Writers = {
  readonly [Kind in MailKind]: (data: MailData[Kind], texts: Texts) => Promise<Written>
}

/** The facts of the shop at the time of sending. */
export interface Shop {
  senderAddress(): Promise<string>
  texts(): Promise<Texts>
  isOfMerged(contact: string): Promise<boolean>
}

/**
 * Writes each queued mail and passes it to the carrier: at least once, since a process may be
 * killed after sending a mail and before completing its job; at most once what says so.
 */
export function deliverMail(
  carrier: Carrier,
  writers: Writers,
  shop: Shop,
  sendText: (jobId: string, sms: WrittenSms) => Promise<void>,
): Handler {
  return async (data, jobId) => {
    const job = data as MailJob
    const mail = await writeMail(writers, job, await shop.texts())
    const contact = mail && ('phone' in mail ? mail.phone : mail.to)
    if (!mail || contact === null) return
    if (!MAIL_KINDS[job.kind].reachesMerged && (await shop.isOfMerged(contact))) return
    const { once, ...written } = mail
    if (once && !(await once.take())) return
    if ('phone' in written) {
      return sendText(jobId, written).catch(async (error) => {
        if (error instanceof JobFailed && !error.isFinal) await once?.giveBack()
        throw error
      })
    }
    const { sender, ...rest } = written
    const to = contact
    const from = { name: sender, address: await shop.senderAddress() }
    try {
      await carrier.send({ ...rest, to, from })
    } catch (error) {
      if (isUnsent(error)) await once?.giveBack()
      throw new JobFailed(reasonOf(error), { to, isFinal: isRefusal(error) })
    }
  }
}

/** Whether an address or number is that of a merged account, and of no other. */
export async function isOfMerged(db: Kysely<Schema>, contact: string): Promise<boolean> {
  const reached = await db
    .selectFrom('users')
    .select('mergedInto')
    .where((row) => row.or([row('email', '=', contact.toLowerCase()), row('phone', '=', contact)]))
    .execute()
  return reached.length > 0 && reached.every(({ mergedInto }) => mergedInto !== null)
}

type Writer = (data: MailJob, texts: Texts) => Promise<Written>

function writeMail(writers: Writers, job: MailJob, texts: Texts): Promise<Written> {
  const writer = writers[job.kind] as Writer | undefined
  if (!writer) throw new JobFailed(`this shop has no mail "${job.kind}"`, { isFinal: true })
  return writer(job, texts)
}
