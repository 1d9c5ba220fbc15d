import type { Result } from '../../contract/call.ts'
import type { listStatements, Statement } from '../../contract/earnings.ts'
import * as earnings from '../../contract/earnings.ts'
import type { Language } from '../../rules/languages.ts'
import { ask } from './backend.ts'
import { saveCsv } from './csv.ts'
import { createChoiceLoader, createLoader } from './loader.ts'

type Months = Result<typeof listStatements>

const months = createLoader<Months>('statements')
export const $statements = months.$state
export const loadStatements = (): Promise<void> =>
  months.load(() => ask(earnings.listStatements, {}))

const loader = createChoiceLoader<Statement>('statement')
export const $statement = loader.$state
export function loadStatement(month: string): Promise<void> {
  return loader.load(() => ask(earnings.getStatement, { params: { month } }))
}

export const downloadStatement = (month: string, locale: Language) =>
  saveCsv(
    ask(earnings.downloadStatement, { params: { month }, query: { locale } }),
    `karras-${month}.csv`,
  )
