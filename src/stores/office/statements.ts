import type { Result } from '../../contract/call.ts'
import type { listStatements, Statement } from '../../contract/earnings.ts'
import * as earnings from '../../contract/earnings.ts'
import type { Language } from '../../rules/languages.ts'
import { type Problem, problemOf } from '../shared/problem.ts'
import { saveFile } from '../shared/save-file.ts'
import { ask } from './backend.ts'
import { createChoiceLoader, createLoader } from './loader.ts'

type Months = Result<typeof listStatements>

const months = createLoader<Months>('statements')
/** The months that have a statement, newest first. */
export const $statements = months.$state
export const loadStatements = (): Promise<void> =>
  months.load(() => ask(earnings.listStatements, {}))

const reading = createChoiceLoader<Statement>('statement')
export const $statement = reading.$state
export function loadStatement(month: string): Promise<void> {
  return reading.load(() => ask(earnings.getStatement, { params: { month } }))
}

/** Downloads a month as CSV with headings in a language; returns the problem, if any. */
export async function downloadStatement(month: string, locale: Language): Promise<Problem | null> {
  try {
    const input = { params: { month }, query: { locale } }
    const csv = await ask(earnings.downloadStatement, input)
    // Reading it as text removed the byte order mark, without which Excel does not recognise UTF-8.
    const file = new Blob([`\uFEFF${String(csv)}`], { type: 'text/csv;charset=utf-8' })
    saveFile(file, `karras-${month}.csv`)
    return null
  } catch (error) {
    return problemOf(error)
  }
}
