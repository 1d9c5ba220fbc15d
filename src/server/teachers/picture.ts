import { portraitPath } from '../../rules/pictures.ts'
import type { Tx } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { takeUpload } from '../uploads/uploads.ts'
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
