import {
  exportLog,
  getLogChoices,
  LOG_EXPORTED_AT_MOST,
  listLog,
} from '../../contract/office-log.ts'
import { PAGE_SIZE } from '../../rules/pager.ts'
import { pageOf } from '../http/page-of.ts'
import { type Route, route } from '../http/route.ts'
import { countLog, logChoices, readLog } from './read-log.ts'

/** The staff log, which administrators read. */
export const logRoutes: Route[] = [
  route(listLog, async ({ input, deps }) => {
    const { page = 0, size = PAGE_SIZE, ...filters } = input.query
    const rows = await readLog(deps.database, filters, { limit: size, offset: page * size })
    return pageOf(rows, { total: await countLog(deps.database, filters), page, size })
  }),
  route(exportLog, async ({ input, deps }) => {
    const limit = LOG_EXPORTED_AT_MOST + 1
    const rows = await readLog(deps.database, input.query, { limit })
    return { rows: rows.slice(0, LOG_EXPORTED_AT_MOST), isCut: rows.length === limit }
  }),
  route(getLogChoices, ({ deps }) => logChoices(deps.database.kysely)),
]
