import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { fillText } from '../../../i18n/format.ts'
import { PROFILE_RULES, type ProfileTextField } from '../../../rules/teacher-profile.ts'
import type { Own } from '../../../stores/office/profile/own.ts'
import {
  mistakesIn,
  PROFILE_FIELDS,
  type ProfileField,
  valuesOf,
} from '../../../stores/office/profile/text.ts'
import { createWriting, PROFILE_KEPT_AS } from '../../../stores/office/profile/writing.ts'
import { useTexts } from '../../parts/island.tsx'
import { RestoredNotice, SaveFoot } from '../parts/SaveState.tsx'
import { useOfficeForm } from '../parts/use-office-form.ts'
import { AccountNote } from './AccountNote.tsx'
import { Conflict } from './Conflict.tsx'
import { PictureChoice } from './PictureChoice.tsx'
import { Preview } from './Preview.tsx'
import { TeachesFields } from './TeachesFields.tsx'
import { TextFields } from './TextFields.tsx'

/** The form of the profile; the button saves and publishes the changes. */
export function ProfileForm({ own }: { own: Own }) {
  const { profile, subjects } = own
  const texts = useTexts('office-profile:form')
  const sentence = useSentence()
  const [writing] = useState(() => createWriting(profile))
  const [initial] = useState(() => valuesOf(profile))
  const conflict = useStore(writing.$conflict)
  const form = useOfficeForm<ProfileField>({
    fields: PROFILE_FIELDS,
    initial,
    keepAs: PROFILE_KEPT_AS,
    revision: writing.revision,
    check: mistakesIn,
    save: writing.save,
    sentence,
  })
  const { values, fieldOf } = form
  return (
    <div className="profile">
      <div className="profile__form">
        {form.isRestored && <RestoredNotice onDiscard={form.discard} />}
        {conflict && (
          <Conflict
            theirs={conflict}
            mine={values}
            subjects={subjects}
            onKeep={() => {
              writing.keepMine()
              form.retry()
            }}
            onTake={form.discard}
          />
        )}
        <PictureChoice profile={profile} />
        <form {...form.formProps} className="profile__text">
          <TextFields fieldOf={fieldOf} />
          <TeachesFields fieldOf={fieldOf} values={values} subjects={subjects} />
          <SaveFoot form={form} submit={texts.submit} />
        </form>
        <AccountNote ending={profile.bankAccountEnding} />
      </div>
      <Preview profile={profile} values={values} subjects={subjects} />
    </div>
  )
}

/** Returns a function that gives the message for a field's mistake. */
function useSentence(): (field: ProfileField, mistake: string) => string {
  const texts = useTexts('office-profile:mistakes')
  return (field, mistake) => {
    if (mistake === 'maxLength') {
      return fillText(texts.tooLong, { most: PROFILE_RULES[field as ProfileTextField].most })
    }
    if (mistake === 'required' && field in texts.required) {
      return texts.required[field as keyof typeof texts.required]
    }
    return field === 'latinName' ? texts.latin : texts.invalid
  }
}
