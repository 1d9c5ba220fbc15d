import * as contract from '../../contract/uploads.ts'
import { isApproved } from '../database/sql-parts.ts'
import type { Deps } from '../deps.ts'
import { type Route, route } from '../http/route.ts'
import { finish } from './finish.ts'
import { cancelUpload, openUpload, receivePart } from './receive.ts'
import { findUpload, oldest, presentUpload, type UploadRow } from './rows.ts'

/** Uploads of staff, in parts, so that they survive a lost connection. */
export const uploadRoutes: Route[] = [
  route(contract.openUpload, async ({ input, user, deps, limits }) => {
    limits.bound('upload', user.id)
    const isUnapproved =
      user.teacherId !== null && !(await isApproved(deps.database.kysely, user.teacherId))
    if (isUnapproved) limits.bound('uploadUnapproved', user.id)
    return presentUpload(await openUpload(deps, { userId: user.id, isUnapproved, ...input.body }))
  }),
  route(contract.listUploads, async ({ user, deps }) =>
    (await openUploadsOf(deps, user.id)).map(presentUpload),
  ),
  route(contract.getUpload, async ({ input, user, deps }) => {
    const of = { id: input.params.id, userId: user.id }
    return presentUpload(await findUpload(deps.database.kysely, of, deps.now()))
  }),
  route(contract.sendPart, async ({ input, user, deps }) => {
    const of = { id: input.params.id, userId: user.id }
    const part = { offset: input.query.offset, bytes: input.body }
    return presentUpload(await receivePart(deps, of, part))
  }),
  route(contract.finishUpload, async ({ input, user, deps }) => {
    const of = { id: input.params.id, userId: user.id }
    return presentUpload(await finish(deps, of))
  }),
  route(contract.cancelUpload, async ({ input, user, deps }) =>
    cancelUpload(deps, { id: input.params.id, userId: user.id }),
  ),
]

/** The account's uploads that no document or import has taken over yet, newest first. */
async function openUploadsOf(deps: Deps, userId: number): Promise<UploadRow[]> {
  return await deps.database.kysely
    .selectFrom('uploads')
    .selectAll()
    .where('userId', '=', userId)
    .where('touchedAt', '>', oldest(deps.now()))
    .orderBy('touchedAt', 'desc')
    .execute()
}
