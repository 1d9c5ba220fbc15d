import * as officeReview from '../../../contract/office-review.ts'
import { tableOf } from '../../kit/tables/table.ts'

export const reviewTable = tableOf(officeReview.listReview, {
  choices: { what: officeReview.REVIEWED },
})
