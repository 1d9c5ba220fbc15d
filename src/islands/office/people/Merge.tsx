import './people.css'
import '../../parts/facts.css'
import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import type { Person } from '../../../contract/office-people.ts'
import { pathIn } from '../../../i18n/paths.ts'
import { idInAddress } from '../../../stores/office/page-id.ts'
import { $merge, previewMerge } from '../../../stores/office/people.ts'
import { notLoaded } from '../../../stores/shared/loader.ts'
import { islandTexts, useLocale } from '../../parts/island.tsx'
import { ErrorState, LoadState, Skeleton } from '../../parts/States.tsx'
import { ChooseOther } from './ChooseOther.tsx'
import { MergeForm } from './MergeForm.tsx'

const { island, useTexts } = islandTexts(
  'office-people:merge',
  'office-people:states',
  'office:confirm',
  'errors:codes',
  'office-errors:codes',
  'office-admin-errors:codes',
)

const OUTLINES = ['button', 'button', 'line'] as const

/** The merge of two accounts: first their choice, then the preview and the confirmation. */
function Merge() {
  const locale = useLocale()
  const texts = useTexts('office-people:merge')
  const state = useStore($merge, { ssr: notLoaded })
  const [pair, setPair] = useState<{ into: number | null; from?: number | null } | null>(null)
  const [mergedAccount, setMergedAccount] = useState<Person | null>(null)
  useEffect(() => {
    setPair({ into: idInAddress(), from: idInAddress('from') })
  }, [])
  const { into, from } = pair ?? {}
  useEffect(() => {
    if (into && from) void previewMerge(into, from)
  }, [into, from])
  if (pair === null) return <Skeleton text={texts.loading} shapes={OUTLINES} />
  if (!into) {
    return (
      <ErrorState text={texts.nobodyNamed}>
        <a className="button button--primary" href={pathIn(locale, '/office/people')}>
          {texts.people}
        </a>
      </ErrorState>
    )
  }
  if (mergedAccount) {
    return (
      <div className="stack">
        <p className="alert alert--success" role="status">
          {texts.done}
        </p>
        <p>
          <a
            className="button button--primary"
            href={`${pathIn(locale, '/office/person')}?id=${mergedAccount.id}`}
          >
            {texts.open}
          </a>
        </p>
      </div>
    )
  }
  if (!from) return <ChooseOther intoId={into} onChoose={(id) => setPair({ into, from: id })} />
  return (
    <>
      <LoadState
        state={state}
        loading={{ text: texts.loading, shapes: OUTLINES }}
        failed={texts.failed}
        onRetry={() => void previewMerge(into, from)}
      >
        {(preview) => (
          <MergeForm
            preview={preview}
            onSwap={() => setPair({ into: from, from: into })}
            onDone={() => setMergedAccount(preview.into)}
          />
        )}
      </LoadState>
      <p>
        <button type="button" className="button button--plain" onClick={() => setPair({ into })}>
          {texts.other}
        </button>
      </p>
    </>
  )
}

export default island(Merge)
