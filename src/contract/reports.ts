import * as s from 'superstruct'
import { REPORT_REASONS, REPORT_WORDS_MAX_LENGTH } from '../rules/reports.ts'
import { Email, MailLanguage } from './account-fields.ts'
import { defineCall } from './call.ts'
import { byId, text } from './values.ts'

/**
 * Reports a document that is for sale. The answer is mailed to the caller's account, or else to
 * `email`, in the account's language or in `locale`.
 */
export const reportDocument = defineCall('POST /documents/:id/reports', 'anyone', {
  feature: 'reports',
  params: byId,
  body: s.object({
    reason: s.enums(REPORT_REASONS),
    words: text(1, REPORT_WORDS_MAX_LENGTH),
    email: s.optional(s.nullable(Email)),
    locale: s.optional(MailLanguage),
  }),
  result: s.type({ status: s.literal('SENT') }),
  errors: ['document_not_found'],
})
