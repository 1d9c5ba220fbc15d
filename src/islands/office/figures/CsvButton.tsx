import { useState } from 'react'
import type { FigureTable } from '../../../contract/office-figures.ts'
import { fillText } from '../../../i18n/format.ts'
import { downloadTable, type FigureView } from '../../../stores/office/figures.ts'
import type { Problem } from '../../../stores/shared/problem.ts'
import { ErrorAlert } from '../../parts/ErrorAlert.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { useLocale } from '../../parts/island.tsx'
import { useProblemText } from '../parts/use-problem-text.ts'
import { useTexts } from './texts.ts'

interface Props {
  view: FigureView
  table: FigureTable
  /** The name of the table for the button's label. */
  name: string
}

/** The button that downloads a table as CSV. */
export function CsvButton({ view, table, name }: Props) {
  const locale = useLocale()
  const texts = useTexts('office-figures:figures')
  const problemText = useProblemText()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const download = async () => {
    if (isBusy) return
    setBusy(true)
    setProblem(await downloadTable(view, table, locale))
    setBusy(false)
  }
  return (
    <>
      <button
        type="button"
        className="button"
        aria-label={fillText(texts.downloadOf, { table: name })}
        aria-busy={isBusy}
        onClick={download}
      >
        <Icon name="download" />
        {texts.download}
      </button>
      {problem && <ErrorAlert text={problemText(problem)} />}
    </>
  )
}
