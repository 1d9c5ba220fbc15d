import type { ReportReason } from '../../rules/reports.ts'
import { ask } from './backend.ts'
import { problemOf } from './problem.ts'

interface Report {
  reason: ReportReason
  words: string
  email: string | null
}

/** Reports a document; returns the code of the error, null for none. */
export async function sendReport(id: number, report: Report, locale: 'ar' | 'fr' | 'en') {
  try {
    const body = { ...report, locale }
    await ask(({ reports }) => reports.reportDocument, { params: { id }, body })
    return null
  } catch (error) {
    return problemOf(error).code
  }
}
