import './chart.css'
import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import {
  $series,
  $soldDocuments,
  documentEarnings,
  type EarningsSeries,
  loadSeries,
  loadSold,
  rangeOf,
} from '../../../stores/office/earnings.ts'
import { notLoaded } from '../../../stores/shared/loader.ts'
import { useLocale } from '../../parts/island.tsx'
import { LoadState } from '../../parts/States.tsx'
import { BarChart } from '../parts/BarChart.tsx'
import { dayText, monthText } from '../parts/dates.ts'
import { SelectField } from '../parts/fields.tsx'
import { useTexts } from './texts.ts'

const OUTLINES = ['line', 'button', 'button', 'button', 'button'] as const

/** The earnings per day or month in the URL's range, for all documents or for one. */
export function Chart() {
  const { chart: texts } = useTexts('office-earnings:earnings')
  const series = useStore($series, { ssr: notLoaded })
  const sold = useStore($soldDocuments, { ssr: notLoaded })
  const { range, documentId = '' } = useStore(documentEarnings.$view).filters
  useEffect(() => void loadSold(), [])
  // The table below reads the filters from the URL.
  const load = () => loadSeries(documentEarnings.$view.get().filters)
  // biome-ignore lint/correctness/useExhaustiveDependencies: reloads when one of these changes
  useEffect(() => void load(), [range, documentId])

  const documents = sold.phase === 'ready' ? sold.value : []
  return (
    <section className="stack">
      <h2>{texts.heading}</h2>
      <div className="chart-tools">
        <SelectField
          name="range"
          label={texts.range}
          value={rangeOf(range)}
          options={[
            { value: '30d', text: texts.ranges.month },
            { value: '90d', text: texts.ranges.quarter },
            { value: '12m', text: texts.ranges.year },
          ]}
          onChange={({ target }) => documentEarnings.filter('range', target.value)}
        />
        <SelectField
          name="documentId"
          label={texts.document}
          value={documentId}
          options={[
            { value: '', text: texts.allDocuments },
            ...documents.map(({ id, title }) => ({ value: String(id), text: title })),
          ]}
          onChange={({ target }) => documentEarnings.filter('documentId', target.value)}
        />
      </div>
      <LoadState
        state={series}
        loading={{ text: texts.loading, shapes: OUTLINES }}
        failed={texts.failed}
        onRetry={load}
      >
        {(value) => <Series series={value} />}
      </LoadState>
    </section>
  )
}

function Series({ series: { unit, points } }: { series: EarningsSeries }) {
  const locale = useLocale()
  const { chart: texts } = useTexts('office-earnings:earnings')
  return (
    <BarChart
      title={texts.title}
      unit={texts[unit]}
      points={points.map(({ at, share, refunded }) => ({
        key: at,
        label: unit === 'day' ? dayText(locale, at) : monthText(locale, at.slice(0, 7)),
        amount: share - refunded,
      }))}
    />
  )
}
