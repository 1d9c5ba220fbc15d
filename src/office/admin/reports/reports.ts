import * as officeReports from '../../../contract/office-reports.ts'
import { ofAddress, resource } from '../../kit/loader.ts'
import { tableOf } from '../../kit/tables/table.ts'

export const casesTable = tableOf(officeReports.listCases, {
  choices: { state: officeReports.CASE_STATES },
})

export const shownCase = resource(officeReports.getCase, ofAddress('report_not_found'))
