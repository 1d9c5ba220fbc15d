import * as s from 'superstruct'
import { FOLLOW_KEY, NEWS_KINDS } from '../rules/following.ts'
import { defineCall } from './call.ts'
import { Named, SchoolClass } from './references.ts'
import { dinarAmount, extra, id, moment, nothing, text } from './values.ts'

/** The key of a teacher, or of a class with a subject (`rules/following.ts`). */
const followed = s.object({ followed: s.pattern(s.string(), FOLLOW_KEY) })

/** What the caller follows, by keys, and whether there are news that the caller has not seen. */
export const getFollowing = defineCall('GET /following', 'user', {
  feature: 'following',
  result: s.type({ follows: s.array(s.string()), hasNews: s.boolean() }),
})

/** It is no error to follow something that is followed. */
export const follow = defineCall('PUT /follows/:followed', 'user', {
  feature: 'following',
  params: followed,
  result: nothing(),
  errors: ['not_found', 'teacher_not_found', 'follows_full'],
})

/** It is no error if it is not followed. */
export const unfollow = defineCall('DELETE /follows/:followed', 'user', {
  feature: 'following',
  params: followed,
  result: nothing(),
})

const ByTeacher = s.type({ id: id(), name: s.string(), latinName: extra(s.string()) })

const News = s.type({
  kind: s.enums(NEWS_KINDS),
  at: moment(),
  /** Whether it came after the caller last looked. */
  isNew: s.boolean(),
  /** What was to be paid before the price fell. */
  priceBefore: s.nullable(dinarAmount()),
  /** For a correction, the paper that has one now. */
  document: s.type({
    id: id(),
    title: s.string(),
    /** What is to be paid now. */
    price: dinarAmount(),
    teacher: ByTeacher,
  }),
})
export type News = s.Infer<typeof News>

/** The caller's latest news, and what the caller follows, by teachers and by classes. */
export const getNews = defineCall('GET /following/news', 'user', {
  feature: 'following',
  result: s.type({
    news: s.array(News),
    teachers: s.array(ByTeacher),
    subjects: s.array(s.type({ classe: SchoolClass, matiere: Named })),
    /** Up to when the news were read; `markNewsSeen` takes it. */
    readAt: moment(),
  }),
})

/** Later news alone are new to the caller from now on. */
export const markNewsSeen = defineCall('PUT /following/seen', 'user', {
  feature: 'following',
  body: s.object({ readAt: moment() }),
  result: nothing(),
})

/** Whether the caller is told of news by mail, or by text message, where the shop does so. */
export const setNewsMails = defineCall('PUT /following/mails', 'user', {
  feature: 'following',
  body: s.object({ areWanted: s.boolean() }),
  result: nothing(),
})

/** Ends these mails with the token of a link in one of them, however often. */
export const endNewsMails = defineCall('POST /following/end-mails', 'anyone', {
  feature: 'following',
  body: s.object({ token: text(1, 100) }),
  result: nothing(),
  errors: ['invalid_confirmation_token'],
})
