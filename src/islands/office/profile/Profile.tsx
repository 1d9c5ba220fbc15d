import './profile.css'
import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { pathIn } from '../../../i18n/paths.ts'
import { $own, loadOwn, type Own } from '../../../stores/office/profile/own.ts'
import { notLoaded } from '../../../stores/shared/loader.ts'
import { islandTexts, useLocale } from '../../parts/island.tsx'
import { LoadState } from '../../parts/States.tsx'
import { ProfileForm } from './ProfileForm.tsx'

const { island, useTexts } = islandTexts(
  'office-profile:page',
  'office-profile:picture',
  'office-profile:fields',
  'office-profile:form',
  'office-profile:account',
  'office-profile:mistakes',
  'office-profile:conflict',
  'office-profile:preview',
  'office:form',
  'office:upload',
  'common:rating',
  'catalogue:matieres',
  'catalogue:levels',
  'errors:codes',
  'office-errors:codes',
)

const OUTLINES = ['line', 'button', 'line', 'button', 'button', 'line', 'button'] as const

/** The teacher's profile: the form and a preview for buyers. */
function Profile() {
  const texts = useTexts('office-profile:page')
  const own = useStore($own, { ssr: notLoaded })
  useEffect(() => void loadOwn(), [])
  return (
    <LoadState
      state={own}
      loading={{ text: texts.loading, shapes: OUTLINES }}
      failed={texts.failed}
      onRetry={loadOwn}
    >
      {(value) => <Loaded own={value} />}
    </LoadState>
  )
}

function Loaded({ own }: { own: Own }) {
  const locale = useLocale()
  const texts = useTexts('office-profile:page')
  return (
    <>
      <p className="profile__lead">
        {texts.atOnce}{' '}
        <a href={pathIn(locale, `/teacher-details/${own.profile.id}`)}>{texts.open}</a>
      </p>
      <ProfileForm own={own} />
    </>
  )
}

export default island(Profile)
