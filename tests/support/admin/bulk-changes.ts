import { getDocument } from '../../../src/contract/catalogue.ts'
import * as bulk from '../../../src/contract/office-bulk-changes.ts'
import { daysAfter } from '../../../src/rules/tunisia-time.ts'
import type { TestApp } from '../app.ts'
import { today } from '../dates.ts'
import type { Person } from '../people.ts'

// Calls that change many documents, and the effects on one of them.

export const preview = (
  app: TestApp,
  as: Person,
  chosen: bulk.ChosenDocuments,
  change: bulk.BulkChangeForm,
) => app.call(bulk.previewBulkChange, { as, body: { chosen, change } })
export const apply = (app: TestApp, as: Person, id: number, reason = 'العودة المدرسية') =>
  app.call(bulk.applyBulkChange, { as, params: { id }, body: { reason } })
export const undo = (app: TestApp, as: Person, id: number) =>
  app.call(bulk.undoBulkChange, { as, params: { id }, body: { reason: 'خطأ' } })
export const shown = (app: TestApp, id: number) => app.call(getDocument, { params: { id } })
export const rowOf = (app: TestApp, id: number) =>
  app.deps.database.kysely
    .selectFrom('documents')
    .select(['price', 'priceDiscount', 'finalPrice', 'state', 'isTakenDown', 'revision'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
export const discount = (app: TestApp, percent: number, days = 7): bulk.BulkChangeForm => ({
  kind: 'discount',
  percent,
  until: daysAfter(today(app), days),
})
