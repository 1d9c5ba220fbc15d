import type { Case } from '../../contract/office-reports.ts'
import * as officeReports from '../../contract/office-reports.ts'
import { Refusal } from '../shared/problem.ts'
import { ask } from './backend.ts'
import { createLoader, idInAddress } from './loader.ts'
import { choiceOf, createTable } from './table.ts'

export const casesTable = createTable({
  what: 'reports',
  sorts: ['oldest'],
  filters: ['state'],
  load: ({ page, state }, signal) => {
    const query = { page, ...choiceOf('state', state, officeReports.CASE_STATES) }
    return ask(officeReports.listCases, { query }, { signal })
  },
})

const loader = createLoader<Case>('case of reports')
export const $case = loader.$state

export const loadCase = (): Promise<void> => loader.load(read)

export const refreshCase = (): Promise<void> => loader.refresh(read)

function read(): Promise<Case> {
  const id = idInAddress()
  if (id === null) throw new Refusal('report_not_found', 404)
  return ask(officeReports.getCase, { params: { id } })
}

export const takeDown = (id: number, reason: string) =>
  ask(officeReports.takeDownReported, { params: { id }, body: { reason } })

export const putBack = (id: number) => ask(officeReports.putBackReported, { params: { id } })

export const close = (id: number, reply: string) =>
  ask(officeReports.closeCase, { params: { id }, body: { reply } })

/** The open reports about a teacher's own document; null if there are none. */
export const readOwnReports = (id: number) => ask(officeReports.getOwnReports, { params: { id } })

export const answerReports = (id: number, answer: string) =>
  ask(officeReports.answerReports, { params: { id }, body: { answer } })
