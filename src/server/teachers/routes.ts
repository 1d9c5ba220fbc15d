import * as contract from '../../contract/teacher-profile.ts'
import { type Route, route, type User } from '../http/route.ts'
import { setPicture } from './picture.ts'
import { findProfile, presentProfile } from './profile.ts'
import { saveProfile } from './write.ts'

/** A teacher's own profile; the teacher comes from the token alone. */
export const profileRoutes: Route[] = [
  route(contract.getOwnProfile, async ({ user, deps }) =>
    presentProfile(await findProfile(deps.database.kysely, user.teacherId)),
  ),
  route(contract.saveOwnProfile, async ({ input, user, deps, limits }) => {
    limits.bound('profile', user.id)
    const { revision, ...text } = input.body
    return presentProfile(await saveProfile(deps, editorOf(user), { revision, text }))
  }),
  route(contract.setOwnPicture, async ({ input, user, deps }) => {
    const { uploadId } = input.body
    const upload = uploadId === null ? null : { id: uploadId, userId: user.id }
    return presentProfile(await setPicture(deps, editorOf(user), upload))
  }),
]

const editorOf = ({ actor, teacherId }: User & { teacherId: number }) => ({ teacherId, actor })
