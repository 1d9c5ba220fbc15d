import * as calls from '../../../contract/office-closings.ts'
import { DEFAULT_LOCALE } from '../../../i18n/locales.ts'
import { type Route, route } from '../../http/route.ts'
import { closeDay, readClosing } from '../closings/close-day.ts'
import { closingCsv } from '../closings/closing-csv.ts'

/** The daily closing of the whole shop's money. */
export const closingRoutes: Route[] = [
  route(calls.getClosing, ({ input: { params }, deps }) => readClosing(deps, params.day)),

  route(calls.downloadClosing, async ({ input: { params, query }, deps, reply }) => {
    const csv = closingCsv(await readClosing(deps, params.day), query.locale ?? DEFAULT_LOCALE)
    return reply
      .header('content-type', 'text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="karras-${params.day}.csv"`)
      .header('cache-control', 'private, no-store')
      .send(csv)
  }),

  route(calls.closeDay, async ({ input: { params, body }, user, deps }) => {
    await closeDay(deps, { ...params, ...body, actor: user.actor })
    return readClosing(deps, params.day)
  }),
]
