import './security.css'
import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { pathIn } from '../../../i18n/paths.ts'
import {
  $secondFactor,
  loadSecondFactor,
  type SecondFactor,
} from '../../../stores/office/security.ts'
import { notLoaded } from '../../../stores/shared/loader.ts'
import { islandTexts, useLocale } from '../../parts/island.tsx'
import { LoadState } from '../../parts/States.tsx'
import { ChangePassword } from './ChangePassword.tsx'
import { EndSessions } from './EndSessions.tsx'
import { SecondFactorSection } from './SecondFactorSection.tsx'

const { island, useTexts } = islandTexts(
  'office-access:security',
  'office-access:fields',
  'password:strength',
  'errors:codes',
  'office-errors:codes',
)

/** The security of a staff member's account: second factor, password and other sessions. */
function Security() {
  const texts = useTexts('office-access:security')
  const state = useStore($secondFactor, { ssr: notLoaded })

  useEffect(() => void loadSecondFactor(), [])

  return (
    <LoadState
      state={state}
      loading={{ text: texts.loading, shapes: ['line', 'line', 'button'] }}
      failed={{ title: texts.loadFailed, retry: texts.retry }}
      onRetry={loadSecondFactor}
    >
      {(factor) => <Sections factor={factor} />}
    </LoadState>
  )
}

function Sections({ factor }: { factor: SecondFactor }) {
  const locale = useLocale()
  const texts = useTexts('office-access:security')
  const [wasLacking] = useState(factor.isNeeded && !factor.isOn)
  const [isShowingCodes, setShowingCodes] = useState(false)
  const isLacking = factor.isNeeded && !factor.isOn
  return (
    <div className="security">
      {isLacking && <p className="alert">{texts.needed}</p>}
      {wasLacking && !isLacking && !isShowingCodes && (
        <p>
          <a className="button button--primary" href={pathIn(locale, '/office')}>
            {texts.go}
          </a>
        </p>
      )}
      <SecondFactorSection factor={factor} onShowCodes={setShowingCodes} />
      {!isLacking && <ChangePassword />}
      <EndSessions />
    </div>
  )
}

export default island(Security)
