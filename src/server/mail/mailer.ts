import { setTimeout as wait } from 'node:timers/promises'
import { SECOND_MS, STOP_GRACE_MS } from '../../rules/limits.ts'

/** A mail in one language: plain text, and the same as HTML. */
export interface Mail {
  readonly from: { readonly name: string; readonly address: string }
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Makes a mail when its turn has come; null: there is nothing to send after all. */
export type PrepareMail = () => Promise<Mail | null>

/** Sends mails in the background; nobody ever waits for a mail server. */
export interface Mailer {
  /** Takes a mail to send; false when too many wait already. */
  post(prepare: PrepareMail): boolean
  /** Resolves when nothing is waiting or on its way. */
  idle(): Promise<void>
  /** Takes no more; waits for what is on its way, 10 seconds at most, and drops the rest. */
  stop(): Promise<void>
}

/** Hands a mail over; rejects when that failed. */
export interface Carrier {
  send(mail: Mail): Promise<void>
  close(): void
}

export interface MailerOptions {
  readonly carrier: Carrier
  /** Told of mails that could not be sent, without whom they were for. */
  readonly report: (message: string) => void
  /** How many may wait. */
  readonly capacity?: number
  /** How many are on their way at once. */
  readonly atOnce?: number
  /** Milliseconds before each further attempt; after the last one the mail is given up. */
  readonly pauses?: readonly number[]
}

const PAUSES = [2, 10, 60, 300].map((seconds) => seconds * SECOND_MS)

/** A queue in memory before a carrier. */
export function createMailer({
  carrier,
  report,
  capacity = 1000,
  atOnce = 4,
  pauses = PAUSES,
}: MailerOptions): Mailer {
  const waiting: PrepareMail[] = []
  const ending = new AbortController()
  const idlers: (() => void)[] = []
  /** Those on their way, and those that wait for another attempt. */
  let taken = 0
  let running = 0

  async function deliver(prepare: PrepareMail): Promise<void> {
    let mail: Mail | null | undefined
    for (let attempt = 0; ; attempt++) {
      try {
        running++
        mail ??= await prepare()
        if (mail) await carrier.send(mail)
        return
      } catch (error) {
        const pause = isFinal(error) ? undefined : pauses[attempt]
        if (pause === undefined || ending.signal.aborted) {
          return report(`A mail could not be sent. ${reasonOf(error)}`)
        }
        // Its place is free for others meanwhile.
        setImmediate(next)
        running--
        await wait(pause, undefined, { signal: ending.signal, ref: false }).catch(() => {})
        running++
        if (ending.signal.aborted) return report('A mail was dropped: the shop stops.')
      } finally {
        running--
      }
    }
  }

  function next(): void {
    while (running < atOnce && !ending.signal.aborted) {
      const prepare = waiting.shift()
      if (!prepare) return
      void deliver(prepare).finally(() => {
        taken--
        if (taken === 0) for (const resolve of idlers.splice(0)) resolve()
        next()
      })
    }
  }

  const idle = () =>
    taken === 0 ? Promise.resolve() : new Promise<void>((resolve) => idlers.push(resolve))

  return {
    post(prepare) {
      if (taken >= capacity || ending.signal.aborted) return false
      taken++
      waiting.push(prepare)
      next()
      return true
    },
    idle,
    async stop() {
      ending.abort()
      taken -= waiting.length
      if (waiting.length > 0) report(`${waiting.length} mails were dropped: the shop stops.`)
      waiting.length = 0
      await Promise.race([idle(), wait(STOP_GRACE_MS, undefined, { ref: false })])
      carrier.close()
    },
  }
}

/** The server said that it never will. */
function isFinal(error: unknown): boolean {
  const { responseCode } = error as { responseCode?: unknown }
  return typeof responseCode === 'number' && responseCode >= 500
}

// A server's answer may repeat the address, which is nobody's business in a log.
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.replace(/\S+@\S+/g, '…').slice(0, 300)
}
