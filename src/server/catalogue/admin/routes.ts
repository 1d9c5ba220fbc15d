import * as calls from '../../../contract/office-catalogue.ts'
import * as chapterCalls from '../../../contract/office-chapters.ts'
import { type Route, route, type User } from '../../http/route.ts'
import { mergeChapters, moveChapter, readChapters, saveChapters } from './chapters.ts'
import { addEntry, changeEntry, retireEntry } from './entries.ts'
import { findFeaturable, readFeatured, saveFeatured } from './featured.ts'
import { orderList, readLists } from './lists.ts'

export const listRoutes: Route[] = [
  route(calls.getLists, ({ deps }) => readLists(deps.database.kysely)),
  route(calls.addEntry, async ({ input, user, deps }) => {
    await addEntry(deps, input.params.list, { ...input.body, ...by(user) })
    return readLists(deps.database.kysely)
  }),
  route(calls.changeEntry, async ({ input, user, deps }) => {
    const { revision, ...wanted } = input.body
    await changeEntry(deps, { ...input.params, revision, ...by(user) }, wanted)
    return readLists(deps.database.kysely)
  }),
  route(calls.retireEntry, async ({ input, user, deps }) => {
    const { revision, isRetired } = input.body
    await retireEntry(deps, { ...input.params, revision, ...by(user) }, isRetired)
    return readLists(deps.database.kysely)
  }),
  route(calls.orderList, async ({ input, user, deps }) => {
    await orderList(deps, { ...input.params, ...input.body, ...by(user) })
    return readLists(deps.database.kysely)
  }),
  route(calls.getFeatured, ({ input, deps }) =>
    readFeatured(deps.database.kysely, input.params.kind),
  ),
  route(calls.saveFeatured, async ({ input, user, deps }) => {
    await saveFeatured(deps, { ...input.params, ...input.body, ...by(user) })
    return readFeatured(deps.database.kysely, input.params.kind)
  }),
  route(calls.findFeaturable, ({ input, deps }) =>
    findFeaturable(deps, input.params.kind, input.query.q),
  ),
  route(chapterCalls.getChapters, ({ input, deps }) =>
    readChapters(deps.database.kysely, input.params),
  ),
  route(chapterCalls.saveChapters, async ({ input, user, deps }) => {
    await saveChapters(deps, { of: input.params, ...input.body, ...by(user) })
    return readChapters(deps.database.kysely, input.params)
  }),
  route(chapterCalls.mergeChapters, async ({ input, user, deps }) => {
    await mergeChapters(deps, { of: input.params, ...input.body, ...by(user) })
    return readChapters(deps.database.kysely, input.params)
  }),
  route(chapterCalls.moveChapter, async ({ input, user, deps }) => {
    const { toClassId: classId, toSubjectId: subjectId, ...rest } = input.body
    await moveChapter(deps, { of: input.params, to: { classId, subjectId }, ...rest, ...by(user) })
    return readChapters(deps.database.kysely, input.params)
  }),
]

const by = ({ actor }: User) => ({ actor })
