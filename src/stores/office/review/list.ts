import * as officeReview from '../../../contract/office-review.ts'
import { REVIEWED } from '../../../contract/office-review.ts'
import { ask } from '../backend.ts'
import { choiceOf, createTable } from '../table.ts'

export const reviewTable = createTable({
  what: 'review',
  sorts: ['oldest'],
  filters: ['what'],
  load: ({ page, q, what }, signal) => {
    const query = { page, ...(q && { q }), ...choiceOf('what', what, REVIEWED) }
    return ask(officeReview.listReview, { query }, { signal })
  },
})
