import { type Kysely, sql } from 'kysely'
import * as calls from '../../../contract/office-stamp.ts'
import type { Schema } from '../../database/schema.ts'
import { fullNameIn } from '../../database/sql-parts.ts'
import type { Deps } from '../../deps.ts'
import { type Route, route } from '../../http/route.ts'
import { changeSetting, settingHistory } from '../../money/money.ts'
import { actorNames } from '../../staff-log/staff-log.ts'
import { forgetFaults } from '../../workers/workers.ts'
import { isStamping } from './stamps.ts'

export const stampRoutes: Route[] = [
  route(calls.getStamp, ({ deps }) => readStamp(deps)),

  route(calls.setStamp, async ({ input: { body }, user, deps }) => {
    const { isOn, ...change } = { ...body, actor: user.actor }
    await changeSetting(deps, { name: 'stamp', value: isOn ? 1 : 0, ...change })
    return readStamp(deps)
  }),

  route(calls.retryFiles, async ({ input: { body }, deps }) => {
    const { kysely } = deps.database
    if (body.what === 'unstamped') await retryUnstamped(kysely)
    else await retryUndrawn(kysely, deps.now())
    return readStamp(deps)
  }),
]

async function readStamp(deps: Deps): Promise<calls.Stamp> {
  const { kysely } = deps.database
  const [last] = await settingHistory(kysely, 'stamp')
  const names = await actorNames(kysely, last ? [last.actor] : [])
  return {
    isOn: await isStamping(deps),
    changed: last
      ? { by: names.get(last.actor) ?? last.actor, at: last.setAt.toISOString() }
      : null,
    seen: last?.id ?? null,
    unstamped: shownOf(await listUnstamped(kysely)),
    undrawn: shownOf(await listUndrawn(kysely)),
  }
}

const shownOf = <Trouble extends { at: Date }>(all: readonly Trouble[]) => ({
  total: all.length,
  newest: all
    .slice(0, calls.TROUBLES_SHOWN)
    .map((trouble) => ({ ...trouble, at: trouble.at.toISOString() })),
})

const teacherName = sql<string>`${fullNameIn('t')}`.as('teacher')

/** The documents whose file is sent to buyers unstamped, the latest first. */
function listUnstamped(db: Kysely<Schema>) {
  return db
    .selectFrom('unstampedFiles as x')
    .innerJoin('files as f', 'f.sha256', 'x.sha256')
    .innerJoin('documents as d', 'd.fileId', 'f.id')
    .innerJoin('teachers as t', 't.id', 'd.teacherId')
    .select(['d.id as documentId', 'd.title', teacherName, 'x.reason', 'x.notedAt as at'])
    .orderBy('x.notedAt', 'desc')
    .orderBy('d.id')
    .execute()
}

/** The documents on sale whose pages cannot be drawn, the latest first. */
function listUndrawn(db: Kysely<Schema>) {
  return db
    .selectFrom('samples as s')
    .innerJoin('documents as d', 'd.id', 's.documentId')
    .innerJoin('teachers as t', 't.id', 'd.teacherId')
    .where('s.failedAt', 'is not', null)
    .where('d.state', '=', 'published')
    .select(['d.id as documentId', 'd.title', teacherName])
    .select((eb) => [
      eb.ref('s.failedAt').$notNull().as('at'),
      eb('s.dueAt', 'is not', null).$castTo<boolean>().as('isTriedAgain'),
    ])
    .orderBy('s.failedAt', 'desc')
    .orderBy('d.id')
    .execute()
}

/** The next download of each file tries again. */
async function retryUnstamped(db: Kysely<Schema>): Promise<void> {
  await forgetFaults(db, { task: 'blankFooters' })
  await db.deleteFrom('unstampedFiles').execute()
}

/** Makes the samples that cannot be drawn due again. */
async function retryUndrawn(db: Kysely<Schema>, now: number): Promise<void> {
  for (const task of ['pagePicture', 'pageSizes']) await forgetFaults(db, { task })
  await db
    .updateTable('samples')
    .set({ dueAt: new Date(now), tries: 0 })
    .where('failedAt', 'is not', null)
    .where('dueAt', 'is', null)
    .execute()
}
