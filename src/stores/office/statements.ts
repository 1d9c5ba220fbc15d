import type { Result } from '../../contract/call.ts'
import type { listStatements, Statement } from '../../contract/earnings.ts'
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
  months.load(() => ask(({ earnings }) => earnings.listStatements, {}))

const reading = createChoiceLoader<Statement>('statement')
export const $statement = reading.$state
export function loadStatement(month: string): Promise<void> {
  return reading.load(() => ask(({ earnings }) => earnings.getStatement, { params: { month } }))
}

/** Downloads a month as CSV with headings in a language; gives the problem, if any. */
export async function downloadStatement(month: string, locale: Language): Promise<Problem | null> {
  try {
    const input = { params: { month }, query: { locale } }
    const csv = await ask(({ earnings }) => earnings.downloadStatement, input)
    // Read as text it has lost its byte order mark, without which Excel takes it for Latin letters.
    const file = new Blob([`\uFEFF${String(csv)}`], { type: 'text/csv;charset=utf-8' })
    saveFile(file, `karras-${month}.csv`)
    return null
  } catch (error) {
    return problemOf(error)
  }
}
