import './figures.css'
import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import {
  $figures,
  type FigureView,
  loadFigures,
  viewInAddress,
} from '../../../stores/office/figures.ts'
import { notLoaded } from '../../../stores/shared/loader.ts'
import { LoadState } from '../../parts/States.tsx'
import { Charts } from './Charts.tsx'
import { Owed } from './Owed.tsx'
import { PeriodChoice } from './PeriodChoice.tsx'
import { Rankings } from './Rankings.tsx'
import { Sums } from './Sums.tsx'
import { island, useTexts } from './texts.ts'
import { Way } from './Way.tsx'

const OUTLINES = ['line', 'button', 'button', 'button', 'button', 'button'] as const

/** The shop's figures for the period in the URL, or for the current month. */
function Figures() {
  const texts = useTexts('office-figures:figures')
  const figures = useStore($figures, { ssr: notLoaded })
  const [view, setView] = useState<FigureView | null>(null)
  useEffect(() => {
    const readViewFromUrl = () => setView(viewInAddress())
    readViewFromUrl()
    addEventListener('popstate', readViewFromUrl)
    return () => removeEventListener('popstate', readViewFromUrl)
  }, [])
  useEffect(() => {
    if (view) void loadFigures(view)
  }, [view])
  const choose = (next: FigureView) => {
    history.pushState(history.state, '', `?unit=${next.unit}&at=${next.at}`)
    setView(next)
  }
  return (
    <>
      {view && <PeriodChoice view={view} onChoose={choose} />}
      <LoadState
        state={figures}
        loading={{ text: texts.loading, shapes: OUTLINES }}
        failed={texts.failed}
        onRetry={() => view && loadFigures(view)}
      >
        {(value) =>
          view && (
            <>
              <Sums figures={value} view={view} />
              <Charts figures={value} view={view} />
              <Owed owed={value.owed} view={view} />
              <Way figures={value} />
            </>
          )
        }
      </LoadState>
      {view && <Rankings view={view} />}
    </>
  )
}

export default island(Figures)
