import type { ProfileText } from '../../contract/teacher-profile.ts'
import * as contract from '../../contract/teacher-profile.ts'
import { CATALOGUE_TAG } from '../../rules/page-tags.ts'
import { portraitPath } from '../../rules/pictures.ts'
import { LEVELS } from '../../rules/price-bands.ts'
import { LINK_NAMES_MAX } from '../../rules/teacher-links.ts'
import { foldEmail } from '../accounts/accounts.ts'
import { rewriteSearchTexts } from '../catalogue/catalogue.ts'
import { isApproved } from '../database/sql-parts.ts'
import type { Tx } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import { type Route, route, type User } from '../http/route.ts'
import { describeChanges } from '../staff-log/staff-log.ts'
import { takeUpload } from '../uploads/uploads.ts'
import { changeProfile, type ProfileEditor } from './change.ts'
import { findProfile, type Profile, presentProfile, textOfProfile } from './profile.ts'

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
  route(contract.setOwnLink, async ({ input, user, deps, limits }) => {
    limits.bound('profile', user.id)
    return presentProfile(await setLink(deps, editorOf(user), input.body.link))
  }),
  route(contract.setPageCode, async ({ input, user, deps, limits }) => {
    limits.bound('profile', user.id)
    return presentProfile(await switchPageCode(deps, editorOf(user), input.body.isOn))
  }),
]

const editorOf = ({ actor, teacherId }: User & { teacherId: number }) => ({ teacherId, actor })

/**
 * Makes a checked upload a teacher's picture, immediately; null for the drawn initials. The same
 * upload again changes nothing. Throws `upload_not_found` or `upload_incomplete`.
 */
function setPicture(
  deps: Deps,
  editor: ProfileEditor,
  upload: { id: string; userId: number } | null,
): Promise<Profile> {
  return changeProfile(deps, editor, async ({ tx, teacher }) => {
    if (upload === null) {
      if (teacher.picturePath === null) return null
      await writePicture(tx, teacher.id, null)
      return { action: 'remove picture' }
    }
    if (upload.id === teacher.pictureUploadId) return null
    const { sha256 } = await takeUpload(tx, upload, 'portrait', deps.now())
    await writePicture(tx, teacher.id, { path: portraitPath(sha256), uploadId: upload.id })
    return { action: 'set picture' }
  })
}

async function writePicture(
  tx: Tx,
  teacherId: number,
  picture: { path: string; uploadId: string | null } | null,
): Promise<void> {
  await tx
    .updateTable('teachers')
    .set({ picturePath: picture?.path ?? null, pictureUploadId: picture?.uploadId ?? null })
    .where('id', '=', teacherId)
    .execute()
}

/** Chooses the name of a teacher's link. Throws `account_not_approved`, `link_taken` or `too_many_links`. */
function setLink(deps: Deps, editor: ProfileEditor, name: string): Promise<Profile> {
  return changeProfile(deps, editor, async ({ tx, teacher: { id: teacherId } }) => {
    if ((await findProfile(tx, teacherId)).link === name) return null
    const chosenAt = new Date(deps.now())
    const own = await tx
      .updateTable('teacherLinks')
      .set({ chosenAt })
      .where('name', '=', name)
      .where('teacherId', '=', teacherId)
      .executeTakeFirst()
    const action = { action: 'set link', reason: name } as const
    if (own.numUpdatedRows > 0n) return action
    // So that strangers do not use up good names.
    if (!(await isApproved(tx, teacherId))) throw fault('account_not_approved')
    const names = await tx
      .selectFrom('teacherLinks')
      .select('name')
      .where('teacherId', '=', teacherId)
      .execute()
    if (names.length >= LINK_NAMES_MAX) throw fault('too_many_links')
    const added = await tx
      .insertInto('teacherLinks')
      .values({ name, teacherId, chosenAt })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (!added.numInsertedOrUpdatedRows) throw fault('link_taken')
    return action
  })
}

function switchPageCode(deps: Deps, editor: ProfileEditor, isOn: boolean): Promise<Profile> {
  return changeProfile(deps, editor, async ({ tx, teacher: { id, hasPageCode } }) => {
    if (hasPageCode === isOn) return null
    await tx.updateTable('teachers').set({ hasPageCode: isOn }).where('id', '=', id).execute()
    return { action: 'set page code', reason: isOn ? 'on' : 'off' }
  })
}

/** The fields that cards show and searches look into. */
const NAMES = new Set(['firstName', 'lastName', 'latinName'])

/**
 * Replaces the whole text of `revision`. An identical text changes nothing. Throws
 * `profile_changed`, or `invalid_input` for an unknown subject or a contact that logs in.
 */
function saveProfile(
  deps: Deps,
  editor: ProfileEditor,
  { revision, text }: { revision: number; text: ProfileText },
): Promise<Profile> {
  return changeProfile(deps, editor, async ({ tx, teacher }) => {
    const wanted = inOrder(text)
    const before = inOrder(textOfProfile(await findProfile(tx, teacher.id)))
    const changes = Object.entries(wanted).filter(
      ([name, value]) => String(before[name as keyof ProfileText]) !== String(value),
    )
    if (changes.length === 0) return null
    if (revision !== teacher.revision) throw fault('profile_changed')
    const { subjectIds, ...columns } = wanted
    if (await isLogIn(tx, columns.contactEmail, teacher.userId)) {
      throw fault('invalid_input', { fields: { contactEmail: 'invalid' } })
    }
    await tx
      .updateTable('teachers')
      .set({ ...columns, revision: teacher.revision + 1 })
      .where('id', '=', teacher.id)
      .execute()
    await writeSubjects(tx, teacher.id, subjectIds)
    const action = 'change profile'
    const reason = describeChanges(changes)
    if (!changes.some(([name]) => NAMES.has(name))) return { action, reason }
    await rewriteSearchTexts(tx, teacher.id)
    return { action, reason, tags: [CATALOGUE_TAG] }
  })
}

/** Whether the teacher logs in by this address. */
async function isLogIn(tx: Tx, email: string, userId: number | null): Promise<boolean> {
  const account = tx.selectFrom('users').select('email').where('id', '=', userId)
  return email !== '' && (await account.executeTakeFirst())?.email === foldEmail(email)
}

/** Each subject and level once, in the order of the shop. */
function inOrder({ subjectIds, levels, ...text }: ProfileText): ProfileText {
  return {
    ...text,
    subjectIds: [...new Set(subjectIds)].sort((a, b) => a - b),
    levels: LEVELS.filter((level) => levels.includes(level)),
  }
}

async function writeSubjects(tx: Tx, teacherId: number, subjectIds: number[]): Promise<void> {
  const removed = await tx
    .deleteFrom('teacherSubjects')
    .where('teacherId', '=', teacherId)
    .returning('matiereId')
    .execute()
  if (subjectIds.length === 0) return
  const own = new Set(removed.map(({ matiereId }) => matiereId))
  const kept = subjectIds.filter((id) => own.has(id))
  const known = await tx
    .selectFrom('matieres')
    .select('id')
    .where('id', 'in', subjectIds)
    // A retired subject may stay, but not be added.
    .where((row) => row.or([row('isRetired', '=', false), row('id', 'in', [0, ...kept])]))
    .forKeyShare()
    .execute()
  if (known.length < subjectIds.length) {
    throw fault('invalid_input', { fields: { subjectIds: 'invalid' } })
  }
  await tx
    .insertInto('teacherSubjects')
    .values(subjectIds.map((matiereId) => ({ teacherId, matiereId })))
    .execute()
}
