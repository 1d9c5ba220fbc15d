import { stat } from 'node:fs/promises'
import { portraitPath } from '../../rules/portrait.ts'
import { UPLOAD_MAX_BYTES } from '../../rules/uploads.ts'
import type { Tx } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import { checkFile, localFile, takeUpload } from '../uploads/uploads.ts'
import type { Customer } from '../workers/workers.ts'
import { changeProfile, type ProfileEditor } from './change.ts'
import type { Profile } from './profile.ts'

/**
 * Makes a checked upload a teacher's picture, immediately; null for the drawn initials. The same
 * upload again changes nothing. Throws `upload_not_found` or `upload_incomplete`.
 */
export function setPicture(
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

/**
 * Makes a local file a teacher's picture, immediately. Throws `file_too_large`, `not_a_picture` or
 * `picture_too_large`.
 */
export async function setPictureFile(
  deps: Deps,
  editor: ProfileEditor,
  path: string,
): Promise<Profile> {
  const { size } = await stat(path)
  if (size > UPLOAD_MAX_BYTES.portrait) throw fault('file_too_large')
  const customer: Customer = { lane: 'behind', account: editor.actor }
  const { key, sha256, bytes } = await checkFile(deps, 'portrait', await localFile(path), customer)
  if (bytes === null) throw new Error(`${path} was not drawn anew`)
  const picturePath = portraitPath(sha256)
  // Written even if it exists, which renews its age, so that no clean-up deletes it meanwhile.
  await deps.files.putAs(key, bytes)
  return await changeProfile(deps, editor, async ({ tx, teacher }) => {
    if (teacher.picturePath === picturePath) return null
    await writePicture(tx, teacher.id, { path: picturePath, uploadId: null })
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
