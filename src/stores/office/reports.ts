import * as officeReports from '../../contract/office-reports.ts'
import { ask } from './backend.ts'
import { ofAddress, resource } from './loader.ts'
import { tableOf } from './table.ts'

export const casesTable = tableOf(officeReports.listCases, {
  choices: { state: officeReports.CASE_STATES },
})

export const {
  $state: $case,
  load: loadCase,
  refresh: refreshCase,
} = resource(officeReports.getCase, ofAddress('report_not_found'))

export const takeDown = (id: number, reason: string) =>
  ask(officeReports.takeDownReported, { params: { id }, body: { reason } })

export const putBack = (id: number) => ask(officeReports.putBackReported, { params: { id } })

export const close = (id: number, reply: string) =>
  ask(officeReports.closeCase, { params: { id }, body: { reply } })

/** The open reports about a teacher's own document; null if there are none. */
export const readOwnReports = (id: number) => ask(officeReports.getOwnReports, { params: { id } })

export const answerReports = (id: number, answer: string) =>
  ask(officeReports.answerReports, { params: { id }, body: { answer } })
