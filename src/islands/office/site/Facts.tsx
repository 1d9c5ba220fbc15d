import './site.css'
import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { FACT_GROUPS } from '../../../rules/site-facts.ts'
import { $facts, loadFacts } from '../../../stores/office/site/facts.ts'
import { notLoaded } from '../../../stores/shared/loader.ts'
import { islandTexts } from '../../parts/island.tsx'
import { LoadState } from '../../parts/States.tsx'
import { FactForm } from './FactForm.tsx'

const { island, useTexts } = islandTexts(
  'office-site:facts',
  'office-site:groups',
  'office-site:factFields',
  'office-site:money',
  'office-site:mistakes',
  'office-site:conflict',
  'office-site:history',
  'office:form',
  'office:confirm',
  'errors:codes',
  'office-errors:codes',
)

const OUTLINES = ['line', 'button', 'button', 'line', 'button', 'button'] as const

/** The shop's own facts, a form a group. */
function Facts() {
  const texts = useTexts('office-site:facts')
  const facts = useStore($facts, { ssr: notLoaded })
  useEffect(() => void loadFacts(), [])
  return (
    <LoadState
      state={facts}
      loading={{ text: texts.loading, shapes: OUTLINES }}
      failed={texts.failed}
      onRetry={loadFacts}
    >
      {(value) => (
        <div className="site-facts">
          <p className="soft">{texts.lead}</p>
          {FACT_GROUPS.map((group) => (
            <FactForm key={group} group={group} office={value} />
          ))}
        </div>
      )}
    </LoadState>
  )
}

export default island(Facts)
