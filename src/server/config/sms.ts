import { SMS_PER_DAY } from '../../rules/sms.ts'
import type { SettingsReader } from './environment.ts'

/** A gateway for text messages: what is sent to it, with `{phone}` and `{text}` in their places. */
export interface SmsConfig {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** null: the message is part of the address, and the gateway gets a GET request. */
  readonly body: string | null
  /** What an answer says if the message was taken; null: any answer without an error. */
  readonly accepted: string | null
  /** The most messages in a day. */
  readonly perDay: number
}

const HEADER = /^([A-Za-z0-9-]+): ([\x20-\x7e]+)$/

/** Reads `SMS_*`; null without `SMS_URL`: the shop cannot reach phones. */
export function readSms({ read, refuse }: SettingsReader): SmsConfig | null {
  // Each may hold a key.
  const hidden = () => 'something else'
  const url = read(
    'SMS_URL',
    'an http or https address like https://sms.example/send?to=216{phone}&text={text}',
    (given) => /^https?:\/\/[^/{}]/.test(given) && URL.canParse(given) && given,
    hidden,
  )
  const headers =
    read(
      'SMS_HEADERS',
      'headers like Authorization: Bearer 123 | X-Name: value',
      headersIn,
      hidden,
    ) ?? {}
  const body = read(
    'SMS_BODY',
    'JSON like {"to":"216{phone}","text":"{text}"}, or a form like to=216{phone}&text={text}',
    (given) => (!isJson(given) || canParse(given)) && given,
    hidden,
  )
  const accepted = read('SMS_ACCEPTED', 'a text', (given) => given)
  const perDay =
    read('SMS_PER_DAY', 'a whole number from 1 to 99999', (given) =>
      /^[1-9]\d{0,4}$/.test(given) ? Number(given) : false,
    ) ?? SMS_PER_DAY
  if (url === null) return null
  const missing = ['{phone}', '{text}'].find((place) => !`${url}${body}`.includes(place))
  if (missing) {
    refuse('SMS_URL', `without ${missing}`, `one with ${missing} in it, or in SMS_BODY`)
    return null
  }
  return { url, headers, body, accepted, perDay }
}

export const isJson = (body: string): boolean => body.startsWith('{"') || body.startsWith('[')

function canParse(json: string): boolean {
  try {
    JSON.parse(json)
    return true
  } catch {
    return false
  }
}

function headersIn(given: string): Record<string, string> | false {
  const found = given.split('|').map((each) => HEADER.exec(each.trim()))
  if (found.includes(null)) return false
  return Object.fromEntries(found.map((header) => [header?.[1], header?.[2]]))
}
