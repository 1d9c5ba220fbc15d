import './lists.css'
import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { FEATURED, type FeaturedKind } from '../../../rules/catalogue-lists.ts'
import {
  $featured,
  kindInAddress,
  loadFeatured,
} from '../../../stores/office/catalogue/featured.ts'
import { notLoaded } from '../../../stores/shared/loader.ts'
import { islandTexts } from '../../parts/island.tsx'
import { LoadState } from '../../parts/States.tsx'
import { Tabs } from '../parts/Tabs.tsx'
import { FeaturedPanel } from './FeaturedPanel.tsx'

const { island, useTexts } = islandTexts(
  'office-catalogue:featured',
  'office-catalogue:order',
  'office-site:conflict',
  'office-site:history',
  'office:confirm',
  'errors:codes',
  'office-errors:codes',
  'office-admin-errors:codes',
)

const OUTLINES = ['line', 'line', 'line', 'line', 'button'] as const

/** The documents or teachers that the home page features. */
function Featured() {
  const texts = useTexts('office-catalogue:featured')
  const featured = useStore($featured, { ssr: notLoaded })
  const [kind, setKind] = useState<FeaturedKind>(FEATURED[0])
  const show = (next: FeaturedKind) => {
    setKind(next)
    loadFeatured(next)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, on mounting
  useEffect(() => show(kindInAddress()), [])
  const isOther = featured.phase === 'ready' && featured.value.kind !== kind
  return (
    <div className="lists">
      <p className="soft">{texts.lead}</p>
      <Tabs
        label={texts.choose}
        tabs={FEATURED.map((value) => ({ value, text: texts[value] }))}
        chosen={kind}
        onChoose={(next) => {
          history.replaceState(history.state, '', `?kind=${next}`)
          show(next)
        }}
      />
      <LoadState
        state={isOther ? { phase: 'loading' } : featured}
        loading={{ text: texts.loading, shapes: OUTLINES }}
        failed={texts.failed}
        onRetry={() => loadFeatured(kind)}
      >
        {(value) => <FeaturedPanel key={kind} kind={kind} featured={value} />}
      </LoadState>
    </div>
  )
}

export default island(Featured)
