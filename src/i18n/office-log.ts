import type { Millimes } from '../rules/money.ts'
import { actionKey } from '../rules/office-actions.ts'
import { type PlainSetting, SETTING_UNITS } from '../rules/shop-settings.ts'
import {
  ACT_KINDS,
  type ActKind,
  BOUND_NAMES,
  type BoundedKind,
  type BoundName,
} from '../rules/two-people.ts'
import { fillText, isolate, priceText } from './format.ts'
import type { Locale } from './locales.ts'
import type { TextsAt } from './texts.ts'

// Says in words what the staff log and the acts hold as the code names it, for the office's pages, its
// mails and its command line.

interface LoggedSubject {
  readonly kind: string
  readonly id: number | null
}

interface LoggedReason {
  readonly action: string
  readonly reason: string | null
}

interface LogTexts {
  readonly actions: Readonly<Record<string, string>>
  readonly subjects: TextsAt<'office-log:subjects'>
  readonly settings: TextsAt<'office-log:settings'>
  readonly fields: Readonly<Record<string, string>>
  readonly kinds: TextsAt<'office-acts:kinds'>
  readonly bounds: Pick<TextsAt<'office-acts:bounds'>, 'act' | 'day'>
}

/** The name of an action, or its code if an earlier version of the shop wrote it. */
export const actionText = (action: string, texts: Readonly<Record<string, string>>): string =>
  texts[actionKey(action)] ?? action

/**
 * The kind of an action's subject with its number: `Document 12`. `readable` makes a payment's
 * reference readable.
 */
export function subjectText(
  { kind, id }: LoggedSubject,
  texts: TextsAt<'office-log:subjects'>,
  readable: (reference: string) => string,
): string {
  const [, language, key] = /^text (\w+) (.+)$/.exec(kind) ?? []
  if (key) return `${texts.text} ${key} (${language})`
  const [, reference] = /^payment (\w+)$/.exec(kind) ?? []
  if (reference) return `${texts.payment} ${readable(reference)}`
  if (/^chapters \d+ \d+$/.test(kind)) return texts.chapters
  const [, day] = /^day (\S+)$/.exec(kind) ?? []
  if (day) return fillText(texts.day, { day: isolate(day) })
  const [, mails] = /^(\d+) mails$/.exec(kind) ?? []
  if (mails) return fillText(texts.mails, { count: mails })
  const word = (texts as Readonly<Record<string, string>>)[kind] ?? kind
  return id === null ? word : `${word} ${id}`
}

/** The name of a bound: what it bounds, and whether at a time or within a day. */
export function boundText(name: BoundName, { kinds, bounds }: Pick<LogTexts, 'kinds' | 'bounds'>) {
  const kind = name.replace(/^bound_|_day$/g, '') as BoundedKind
  return `${kinds[kind]} (${name.endsWith('_day') ? bounds.day : bounds.act})`
}

interface SomeAct {
  readonly kind: ActKind
  readonly detail: string
  readonly bound: {
    readonly name: BoundName
    readonly from: Millimes
    readonly to: Millimes
  } | null
}

interface ActTexts {
  readonly page: Pick<TextsAt<'office-acts:page'>, 'into'>
  readonly kinds: TextsAt<'office-acts:kinds'>
  readonly bounds: Pick<TextsAt<'office-acts:bounds'>, 'act' | 'day' | 'raised'>
}

/** The subject of an act and the destination of the money; '' where its customer says all. */
export function actDetail(
  locale: Locale,
  { kind, detail, bound }: SomeAct,
  { page, kinds, bounds }: ActTexts,
): string {
  if (kind === 'merge') return fillText(page.into, { name: isolate(detail) })
  if (!bound) return detail
  const values = { from: priceText(locale, bound.from), to: priceText(locale, bound.to) }
  return `${boundText(bound.name, { kinds, bounds })} ${fillText(bounds.raised, values)}`
}

/**
 * Why something was done. The log holds changes as the code names them, `withholding = 1000: …` and
 * `title="…" price=5000`, and with a proposal the kind of the act.
 */
export function reasonText(
  locale: Locale,
  { action, reason }: LoggedReason,
  texts: Omit<LogTexts, 'actions' | 'subjects'>,
): string {
  const text = reason ?? ''
  if (action === 'change setting') return settingText(locale, text, texts) ?? text
  if (action === 'propose act') {
    const kind = ACT_KINDS.find((each) => text.startsWith(`${each}: `))
    return kind ? text.replace(kind, texts.kinds[kind]) : text
  }
  const changes = [...text.matchAll(CHANGE)]
  // A cut-off or a free text stays as it was written.
  const isWhole = changes.map(([whole]) => whole).join('') === text
  if (!isWhole || text === '') return text
  // People may write what looks like a change and is none: `a=[x]`.
  if (changes.some(([, , json = '']) => parsed(json) === undefined)) return text
  return changes.map(([, path = '', json = '']) => fieldText(path, json, texts)).join(' · ')
}

const SETTING = /^(\w+) = (\d+|the default)(: ([\s\S]*))?$/
// Sticky: the next change begins where the last one ended.
const CHANGE = /([A-Za-z][\w.]*)=("(?:[^"\\]|\\.)*"|null|true|false|-?[\d.]+|\[[^[\]]*\])(?: |$)/gy

function settingText(
  locale: Locale,
  text: string,
  { settings, ...texts }: Omit<LogTexts, 'actions' | 'subjects'>,
): string | null {
  const [, code = '', number = '', , why] = SETTING.exec(text) ?? []
  const bound = BOUND_NAMES.find((each) => each === code)
  const plain = Object.hasOwn(SETTING_UNITS, code) ? (code as PlainSetting) : undefined
  if (!bound && !plain) return null
  const name = bound ? boundText(bound, texts) : settings.names[plain as PlainSetting]
  const value = Number(number)
  const words = Number.isNaN(value)
    ? settings.default
    : {
        percent: () => `${value} %`,
        hundredths: () => `${value / 100} %`,
        days: () => fillText(settings.days, { count: number }),
        amount: () => priceText(locale, value),
        switch: () => (value === 1 ? settings.on : settings.off),
      }[bound ? 'amount' : SETTING_UNITS[plain as PlainSetting]]()
  return [fillText(settings.is, { name, value: words }), why].filter(Boolean).join(' · ')
}

function fieldText(
  path: string,
  json: string,
  { fields, settings }: Pick<LogTexts, 'fields' | 'settings'>,
): string {
  const [name = '', ...parts] = path.split('.')
  const word = [fields[name] ?? name, ...parts].join(' ')
  return fillText(settings.is, { name: word, value: valueText(name, json) })
}

/** A value in JSON; undefined: it is none. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

function valueText(name: string, json: string): string {
  const value = parsed(json)
  if (value === null || value === '') return '–'
  const [, account] = /^user (\d+)$/.exec(String(value)) ?? []
  if (name === 'wallet' && account) return account
  return typeof value === 'string' ? isolate(value) : json
}
