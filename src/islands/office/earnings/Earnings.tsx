import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { $earnings, loadEarnings } from '../../../stores/office/earnings.ts'
import { notLoaded } from '../../../stores/shared/loader.ts'
import { LoadState } from '../../parts/States.tsx'
import { ByDocument } from './ByDocument.tsx'
import { Chart } from './Chart.tsx'
import { Summary } from './Summary.tsx'
import { island, useTexts } from './texts.ts'

const OUTLINES = ['button', 'line', 'line', 'button'] as const

/** The teacher's earnings: current sums, a chart over time, and a table by document. */
function Earnings() {
  const texts = useTexts('office-earnings:earnings')
  const earnings = useStore($earnings, { ssr: notLoaded })
  useEffect(() => void loadEarnings(), [])
  return (
    <>
      <LoadState
        state={earnings}
        loading={{ text: texts.loading, shapes: OUTLINES }}
        failed={texts.failed}
        onRetry={loadEarnings}
      >
        {(value) => <Summary earnings={value} />}
      </LoadState>
      <Chart />
      <ByDocument />
    </>
  )
}

export default island(Earnings)
