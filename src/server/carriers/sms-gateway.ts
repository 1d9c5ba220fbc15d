// How text messages leave the shop: by the operator's gateway.

import { SECOND_MS } from '../../rules/durations.ts'
import type { SmsConfig } from '../config/config.ts'
import { isJson } from '../config/settings.ts'
import { codeOf } from '../database/start-error.ts'
import { type Noting, noteTrouble, noteWorking } from '../troubles/troubles.ts'

/** A text message to the 8 digits of a number. */
export interface Sms {
  readonly phone: string
  readonly text: string
}

/** Sends text messages; `send` rejects with an `SmsError`. */
export interface SmsGateway {
  /** The most messages in a day. */
  readonly perDay: number
  send(sms: Sms): Promise<void>
}

export class SmsError extends Error {
  override readonly name = 'SmsError'
  /** Whether the message was certainly not taken, so that it may be sent again. */
  readonly isUnsent: boolean

  constructor(message: string, isUnsent: boolean) {
    super(message)
    this.isUnsent = isUnsent
  }
}

const TIMEOUT_MS = 10 * SECOND_MS

/** Errors before anything was sent. */
const NOT_CONNECTED = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']

/** Opens the gateway of `SMS_URL`; null without one. Notes when it begins to fail, and works again. */
export function openSms(
  parts: Noting & { readonly config: { readonly sms: SmsConfig | null } },
): SmsGateway | null {
  const { sms: settings } = parts.config
  if (settings === null) return null
  return {
    perDay: settings.perDay,
    async send(sms) {
      try {
        await askGateway(settings, sms)
      } catch (error) {
        await noteTrouble(parts, 'sms', (error as Error).message)
        throw error
      }
      await noteWorking(parts, 'sms')
    },
  }
}

/** A gateway's answer may repeat the message: no error contains it. */
async function askGateway({ url, headers, body, accepted }: SmsConfig, sms: Sms): Promise<void> {
  const inAddress = (value: string) => encodeURIComponent(value)
  const inJson = (value: string) => JSON.stringify(value).slice(1, -1)
  const isJsonBody = body !== null && isJson(body)
  const type = isJsonBody ? 'application/json' : 'application/x-www-form-urlencoded'
  const request = {
    method: body === null ? 'GET' : 'POST',
    headers: { ...(body !== null && { 'content-type': type }), ...headers },
    body: body === null ? null : filled(body, sms, isJsonBody ? inJson : inAddress),
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  } as const
  let answer: { status: number; text: string }
  try {
    const response = await fetch(filled(url, sms, inAddress), request)
    answer = { status: response.status, text: accepted === null ? '' : await response.text() }
  } catch (error) {
    const code = codeOf((error as { cause?: unknown }).cause) ?? ''
    const isUnsent = NOT_CONNECTED.includes(code)
    const why = isUnsent ? `not reached (${code})` : 'no answer: the message may have been sent'
    throw new SmsError(why, isUnsent)
  }
  const { status, text } = answer
  if (status < 200 || status > 299) throw new SmsError(`answered ${status}`, true)
  if (accepted !== null && !text.includes(accepted)) {
    throw new SmsError('answered without the text of SMS_ACCEPTED', true)
  }
}

function filled(template: string, sms: Sms, escaped: (value: string) => string): string {
  return template.replace(/\{(phone|text)\}/g, (_, name: keyof Sms) => escaped(sms[name]))
}
