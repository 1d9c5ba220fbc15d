import * as calls from '../../contract/office-figures.ts'
import { DEFAULT_LOCALE } from '../../i18n/locales.ts'
import { csvFile, type Route, route } from '../http/route.ts'
import { figuresCsv } from './figures-csv.ts'
import { readRankings } from './rankings.ts'
import { readFigures } from './read-figures.ts'

export const figureRoutes: Route[] = [
  route(calls.getFigures, ({ input, deps }) => readFigures(deps, input.query)),
  route(calls.getRankings, ({ input, deps }) => readRankings(deps, input.query)),

  route(calls.downloadFigures, async ({ input: { query }, deps, reply }) => {
    const { locale = DEFAULT_LOCALE, ...filter } = query
    const csv = await figuresCsv(deps, { ...filter, locale })
    return csvFile(reply, `karras-${query.table}.csv`, csv)
  }),
]
