import type { FigureTable } from '../../../contract/office-figures.ts'
import { fillText } from '../../../i18n/format.ts'
import { downloadTable, type FigureView } from '../../../stores/office/figures.ts'
import { Icon } from '../../parts/Icon.tsx'
import { useLocale } from '../../parts/island.tsx'
import { useAttempt } from '../parts/use-attempt.tsx'
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
  const { alert, attempt, isBusy } = useAttempt()
  return (
    <>
      <button
        type="button"
        className="button"
        aria-label={fillText(texts.downloadOf, { table: name })}
        aria-busy={isBusy}
        onClick={() => attempt(() => downloadTable(view, table, locale))}
      >
        <Icon name="download" />
        {texts.download}
      </button>
      {alert}
    </>
  )
}
