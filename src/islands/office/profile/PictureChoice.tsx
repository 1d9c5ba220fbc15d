import { useState } from 'react'
import type { OwnProfile } from '../../../contract/teacher-profile.ts'
import { fillText } from '../../../i18n/format.ts'
import { inMegabytes, UPLOAD_MAX_BYTES } from '../../../rules/uploads.ts'
import { takePicture } from '../../../stores/office/profile/own.ts'
import { createUpload } from '../../../stores/office/upload.ts'
import { useTexts } from '../../parts/island.tsx'
import { UploadField } from '../parts/UploadField.tsx'
import { useAttempt } from '../parts/use-attempt.tsx'
import { Portrait } from './Portrait.tsx'

/** The teacher's picture; an upload, a replacement or a removal takes effect immediately. */
export function PictureChoice({ profile }: { profile: OwnProfile }) {
  const texts = useTexts('office-profile:picture')
  const { alert, attempt, isBusy } = useAttempt()
  const [upload] = useState(() =>
    createUpload({
      purpose: 'portrait',
      keepAs: 'profile-picture',
      onDone: takePicture,
    }),
  )
  const remove = () => attempt(() => takePicture(null))
  return (
    <section className="stack">
      <h2>{texts.title}</h2>
      <div className="profile__picture">
        <Portrait profile={profile} />
        <div className="stack">
          <p>{profile.picturePath ? texts.isPicture : texts.isDrawn}</p>
          {profile.picturePath && (
            <p>
              <button type="button" className="button" aria-busy={isBusy} onClick={remove}>
                {isBusy ? texts.removing : texts.remove}
              </button>
            </p>
          )}
        </div>
      </div>
      {alert}
      <UploadField
        upload={upload}
        label={texts.upload}
        hint={fillText(texts.hint, { megabytes: inMegabytes(UPLOAD_MAX_BYTES.portrait) })}
      />
    </section>
  )
}
