import type { NewCode } from '../../contract/office-discount-codes.ts'
import { BUNDLE_PRICE_MIN } from '../../rules/bundles.ts'
import { isCode, readCode } from '../../rules/code-text.ts'
import {
  CODE_SCOPE_MAX,
  CODE_SCOPES,
  CODE_USES_MAX,
  type Reduction,
} from '../../rules/discount-codes.ts'
import { STAFF_REASON_MAX_LENGTH } from '../../rules/ledger.ts'
import { MAX_PRICE, type Millimes } from '../../rules/money.ts'
import { plainSigns } from '../../rules/pasted-text.ts'
import { daysAfter, startOfDay, tunisianDay } from '../../rules/tunisia-time.ts'
import { type Mistakes, parted, type Values } from '../../stores/shared/form.ts'
import { readAmount } from '../kit/forms/amount.ts'

// What is typed into the form of a code, and what it means.

/** The fields of the form, in their order; administrators also give a reason. */
export const CODE_FIELDS = [
  'code',
  'kind',
  'percent',
  'atMost',
  'amount',
  'from',
  'until',
  'usesMax',
  'usesPerPerson',
  'leastTotal',
  'scope',
  'ids',
  'reason',
] as const
export type CodeField = (typeof CODE_FIELDS)[number]
export type CodeValues = Values<CodeField>

export const EMPTY_CODE: CodeValues = {
  ...(Object.fromEntries(CODE_FIELDS.map((field) => [field, ''])) as CodeValues),
  kind: 'percent',
  scope: 'all',
}

export const PERCENT = { least: 1, most: 100 } as const
export const USES = { least: 1, most: CODE_USES_MAX } as const
const AMOUNT = { least: BUNDLE_PRICE_MIN, most: MAX_PRICE } as const

/** A typed whole number within bounds; null: it is none. */
function readWhole(typed: string, { least, most }: { least: number; most: number }): number | null {
  const plain = plainSigns(typed)
  const value = /^\d{1,7}$/.test(plain) ? Number(plain) : Number.NaN
  return value >= least && value <= most ? value : null
}

/** An amount that may be left out; null: it is left out, or is none. */
function readOptional(typed: string): Millimes | null {
  const amount = readAmount(typed, AMOUNT)
  return typeof amount === 'number' ? amount : null
}

/** What the code takes off; null: not said, or not rightly. */
export function reductionIn({ kind, percent, atMost, amount }: CodeValues): Reduction | null {
  if (kind === 'amount') {
    const off = readOptional(amount)
    return off === null ? null : { percent: null, atMost: null, amount: off }
  }
  const part = readWhole(percent, PERCENT)
  return part === null ? null : { percent: part, atMost: readOptional(atMost), amount: null }
}

export const usesIn = ({ usesMax }: CodeValues): number | null => readWhole(usesMax, USES)

/** The mistakes in a form; those of the reason only where one is asked for. */
export function mistakesIn(
  values: CodeValues,
  { now, hasReason }: { now: number; hasReason: boolean },
): Mistakes<CodeField, string> {
  const { code, kind, percent, atMost, amount, from, until, scope, ids, reason } = values
  const isPercent = kind === 'percent'
  const amountMistake = (typed: string) => {
    const read = readAmount(typed, AMOUNT)
    return typeof read === 'number' ? undefined : read
  }
  const optionalAmount = (typed: string) => (typed.trim() === '' ? undefined : amountMistake(typed))
  const uses = (typed: string) =>
    typed.trim() !== '' && readWhole(typed, USES) === null ? 'whole' : undefined
  // A code of the shop, for which a reason is asked, has a bound of an order and of a person.
  const required = (typed: string) => (hasReason && typed.trim() === '' ? 'required' : undefined)
  const chosen = parted(ids).length
  const today = tunisianDay(new Date(now))
  const found = {
    code: code.trim() === '' ? 'required' : isCode(readCode(code)) ? undefined : 'code',
    percent: isPercent && readWhole(percent, PERCENT) === null ? 'percent' : undefined,
    atMost: isPercent ? (required(atMost) ?? optionalAmount(atMost)) : undefined,
    amount: isPercent ? undefined : amountMistake(amount),
    until: until !== '' && (until < from || until < today) ? 'until' : undefined,
    usesMax: uses(values.usesMax),
    usesPerPerson: required(values.usesPerPerson) ?? uses(values.usesPerPerson),
    leastTotal: optionalAmount(values.leastTotal),
    ids: scope !== 'all' && (chosen === 0 || chosen > CODE_SCOPE_MAX) ? 'ids' : undefined,
    reason: hasReason ? reasonMistake(reason) : undefined,
  }
  return Object.fromEntries(Object.entries(found).filter(([, mistake]) => mistake))
}

function reasonMistake(reason: string): string | undefined {
  if (reason.trim() === '') return 'required'
  return [...reason.trim()].length > STAFF_REASON_MAX_LENGTH ? 'tooLong' : undefined
}

/** The code of a form without mistakes. */
export function codeIn(values: CodeValues, now: number): NewCode {
  const { code, from, until, scope, ids, leastTotal, usesPerPerson } = values
  const { percent, atMost, amount } = reductionIn(values) as Reduction
  return {
    code: readCode(code),
    percent,
    atMost,
    amount,
    startsAt: (from === '' ? new Date(now) : startOfDay(from)).toISOString(),
    // The day after the last one.
    endsAt: until === '' ? null : startOfDay(daysAfter(until, 1)).toISOString(),
    usesMax: usesIn(values),
    usesPerPerson: readWhole(usesPerPerson, USES),
    leastTotal: readOptional(leastTotal),
    scope: {
      kind: CODE_SCOPES.find((each) => each === scope) ?? 'all',
      ids: scope === 'all' ? [] : parted(ids).map(Number),
    },
  }
}
