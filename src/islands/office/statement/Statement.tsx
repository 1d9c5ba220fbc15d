import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import {
  $statement,
  $statements,
  loadStatement,
  loadStatements,
} from '../../../stores/office/statements.ts'
import { notLoaded } from '../../../stores/shared/loader.ts'
import { useLocale } from '../../parts/island.tsx'
import { EmptyState, LoadState } from '../../parts/States.tsx'
import { monthText } from '../parts/dates.ts'
import { SelectField } from '../parts/fields.tsx'
import { Sheet } from './Sheet.tsx'
import { island, useTexts } from './texts.ts'

const OUTLINES = ['line', 'button', 'button', 'button', 'button', 'button'] as const

/** The statement of the month in the URL, or of the newest month. */
function Statement() {
  const texts = useTexts('office-earnings:statement')
  const statements = useStore($statements, { ssr: notLoaded })
  useEffect(() => void loadStatements(), [])
  return (
    <LoadState
      state={statements}
      loading={{ text: texts.loading, shapes: OUTLINES }}
      failed={texts.failed}
      onRetry={loadStatements}
    >
      {(found) =>
        found.length > 0 ? (
          <MonthView months={found.map(({ month }) => month)} />
        ) : (
          <EmptyState {...texts.empty} />
        )
      }
    </LoadState>
  )
}

function MonthView({ months }: { months: readonly string[] }) {
  const locale = useLocale()
  const texts = useTexts('office-earnings:statement')
  const statement = useStore($statement, { ssr: notLoaded })
  const [month, setMonth] = useMonth(months)
  useEffect(() => void loadStatement(month), [month])
  return (
    <>
      <div className="statement-month">
        <SelectField
          name="month"
          label={texts.month}
          value={month}
          options={months.map((each) => ({ value: each, text: monthText(locale, each) }))}
          onChange={({ target }) => setMonth(target.value)}
        />
      </div>
      <LoadState
        state={statement}
        loading={{ text: texts.loading, shapes: OUTLINES }}
        failed={texts.failed}
        onRetry={() => loadStatement(month)}
      >
        {(value) => <Sheet statement={value} />}
      </LoadState>
    </>
  )
}

/** The month in the URL; follows history navigation. */
function useMonth(months: readonly string[]): [string, (month: string) => void] {
  const read = () => {
    const urlMonth = new URLSearchParams(location.search).get('month')
    return months.find((month) => month === urlMonth) ?? months[0] ?? ''
  }
  const [month, setMonth] = useState(read)
  useEffect(() => {
    const readMonthFromUrl = () => setMonth(read())
    addEventListener('popstate', readMonthFromUrl)
    return () => removeEventListener('popstate', readMonthFromUrl)
  })
  const choose = (next: string) => {
    history.pushState(history.state, '', `?month=${next}`)
    setMonth(next)
  }
  return [month, choose]
}

export default island(Statement)
