import type { BulkChangeForm } from '../../../contract/office-bulk-changes.ts'
import type { Reason } from '../../../contract/values.ts'
import {
  type BulkChange,
  DISCOUNT_PERCENT_MAX,
  DISCOUNT_PERCENT_MIN,
  DISCOUNT_TIME_MAX_MS,
  PRICE_PERCENT_MAX,
  PRICE_PERCENT_MIN,
} from '../../../rules/bulk-change.ts'
import { priceProblem } from '../../../rules/document-fields.ts'
import { daysAfter, startOfDay } from '../../../rules/tunisia-time.ts'
import { fault } from '../../http/errors.ts'

/**
 * The bulk change that a form describes at a moment. Throws `invalid_input` with the fields that
 * are missing or wrong.
 */
export function readForm(form: BulkChangeForm, now: number): BulkChange {
  switch (form.kind) {
    case 'price': {
      refuse('price', priceProblem(form.price ?? null))
      return { kind: form.kind, price: form.price ?? 0 }
    }
    case 'percent': {
      const { percent = 0 } = form
      refuse(
        'percent',
        percent === 0 ? 'required' : outside(percent, PRICE_PERCENT_MIN, PRICE_PERCENT_MAX),
      )
      return { kind: form.kind, percent }
    }
    case 'discount': {
      const { percent } = form
      if (percent === undefined) throw fault('invalid_input', { fields: { percent: 'required' } })
      refuse('percent', outside(percent, DISCOUNT_PERCENT_MIN, DISCOUNT_PERCENT_MAX))
      return { kind: form.kind, percent, ...readTimes(form, now) }
    }
    default:
      return { kind: form.kind }
  }
}

function readTimes({ from: firstDay, until: lastDay }: BulkChangeForm, now: number) {
  // A discount whose first day is today begins now.
  const from = Math.max(now, firstDay === undefined ? now : startOfDay(firstDay).getTime())
  if (lastDay === undefined) throw fault('invalid_input', { fields: { until: 'required' } })
  const until = startOfDay(daysAfter(lastDay, 1)).getTime()
  if (until <= from) throw fault('invalid_input', { fields: { until: 'min' } })
  refuse('until', until - now > DISCOUNT_TIME_MAX_MS ? 'max' : null)
  return { from, until }
}

function outside(value: number, least: number, most: number): Reason | null {
  if (value < least) return 'min'
  return value > most ? 'max' : null
}

function refuse(field: string, reason: Reason | null): void {
  if (reason) throw fault('invalid_input', { fields: { [field]: reason } })
}
