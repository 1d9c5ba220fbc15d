import * as calls from '../../contract/following.ts'
import { followedOf } from '../../rules/following.ts'
import { fault } from '../http/errors.ts'
import { type Route, route } from '../http/route.ts'
import { follow, namedFollows, readFollows, unfollow } from './follows.ts'
import { hasNews, markSeen, type NewsRow, readNews } from './news.ts'
import { endNewsMails, setNewsMails } from './unsubscribe.ts'

const presentTeacher = (row: { id: number; name: string; latinName: string }) => ({
  id: row.id,
  name: row.name,
  ...(row.latinName && { latinName: row.latinName }),
})

const presentNews = (row: NewsRow): calls.News => ({
  kind: row.kind,
  at: row.at.toISOString(),
  isNew: row.isNew,
  priceBefore: row.priceBefore,
  document: {
    id: row.id,
    title: row.title,
    price: row.price,
    teacher: presentTeacher({
      id: row.teacherId,
      name: row.teacherName,
      latinName: row.teacherLatinName,
    }),
  },
})

export const followingRoutes: Route[] = [
  route(calls.getFollowing, async ({ user, deps: { database } }) => ({
    follows: await readFollows(database.kysely, user.id),
    hasNews: await hasNews(database.kysely, user.id),
  })),
  route(calls.follow, ({ input, user, deps }) =>
    follow(deps.database, user.id, followedOf(input.params.followed)),
  ),
  route(calls.unfollow, ({ input, user, deps }) =>
    unfollow(deps.database.kysely, user.id, followedOf(input.params.followed)),
  ),
  route(calls.getNews, async ({ user, deps: { database } }) => {
    const { news, readAt } = await readNews(database.kysely, user.id)
    const { teachers, subjects } = await namedFollows(database.kysely, user.id)
    return {
      news: news.map(presentNews),
      teachers: teachers.map(presentTeacher),
      subjects,
      readAt: readAt.toISOString(),
    }
  }),
  route(calls.markNewsSeen, ({ input, user, deps }) => {
    const readAt = new Date(input.body.readAt)
    // The form of a moment says nothing of its month or hour.
    if (Number.isNaN(readAt.getTime())) throw fault('invalid_input')
    return markSeen(deps.database.kysely, user.id, readAt)
  }),
  route(calls.setNewsMails, ({ input, user, deps }) =>
    setNewsMails(deps.database.kysely, user.id, input.body.areWanted),
  ),
  route(calls.endNewsMails, ({ input, deps }) => endNewsMails(deps, input.body.token)),
]
