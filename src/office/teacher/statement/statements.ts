import * as earnings from '../../../contract/earnings.ts'
import type { Language } from '../../../rules/languages.ts'
import { ask } from '../../kit/backend.ts'
import { saveCsv } from '../../kit/csv.ts'
import { resource, resourceFor } from '../../kit/loader.ts'

export const { $state: $statements, load: loadStatements } = resource(earnings.listStatements)

export const { $state: $statement, load: loadStatement } = resourceFor(
  earnings.getStatement,
  (month: string) => ({ params: { month } }),
)

export const downloadStatement = (month: string, locale: Language) =>
  saveCsv(
    ask(earnings.downloadStatement, { params: { month }, query: { locale } }),
    `karras-${month}.csv`,
  )
