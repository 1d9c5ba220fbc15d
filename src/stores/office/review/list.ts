import * as officeReview from '../../../contract/office-review.ts'
import { tableOf } from '../table.ts'

export const reviewTable = tableOf(officeReview.listReview, {
  choices: { what: officeReview.REVIEWED },
})
