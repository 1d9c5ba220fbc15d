import { useState } from 'react'
import { fillText } from '../../../i18n/format.ts'
import { inLanguage } from '../../../i18n/paths.ts'
import { type Retried, retryFiles } from '../../../stores/office/stamp.ts'
import { type Problem, problemOf } from '../../../stores/shared/problem.ts'
import { ErrorAlert } from '../../parts/ErrorAlert.tsx'
import { useLocale } from '../../parts/island.tsx'
import { Moment, Words } from '../parts/cells.tsx'
import type { Column } from '../parts/columns.ts'
import { ShortTable } from '../parts/ShortTable.tsx'
import { useProblemText } from '../parts/use-problem-text.ts'
import { useTexts } from './texts.ts'

interface Trouble {
  documentId: number
  title: string
  teacher: string
  at: string
}

interface Props<Row> {
  what: Retried
  total: number
  newest: readonly Row[]
  /** The column that explains the problem of each file. */
  column: Column<Row>
  onDone: (text: string) => void
}

/** The documents whose files have one kind of problem, with a retry button. */
export function Troubles<Row extends Trouble>({ what, total, newest, column, onDone }: Props<Row>) {
  const locale = useLocale()
  const texts = useTexts('office-stamp:stamp')
  const problemText = useProblemText()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const { title, text, empty } = texts[what]

  const retry = async () => {
    if (isBusy) return
    setBusy(true)
    setProblem(null)
    onDone('')
    try {
      await retryFiles(what)
      onDone(texts.done[what])
    } catch (error) {
      setProblem(problemOf(error))
    }
    setBusy(false)
  }
  return (
    <section className="stack">
      <h2>{title}</h2>
      {problem && <ErrorAlert text={problemText(problem)} />}
      {total === 0 ? (
        <p className="soft">{empty}</p>
      ) : (
        <>
          <p>{text}</p>
          <ShortTable
            label={title}
            rows={newest}
            rowKey={({ documentId }) => documentId}
            columns={[
              {
                head: texts.columns.title,
                cell: ({ documentId, title }) => (
                  <a href={`${inLanguage(locale, '/office/review-document')}?id=${documentId}`}>
                    <Words>{title}</Words>
                  </a>
                ),
              },
              { head: texts.columns.teacher, cell: ({ teacher }) => <Words>{teacher}</Words> },
              column,
              { head: texts.columns.at, cell: ({ at }) => <Moment at={at} /> },
            ]}
          />
          {total > newest.length && (
            <p className="soft">{fillText(texts.cut, { shown: newest.length, total })}</p>
          )}
          <div>
            <button type="button" className="button" aria-busy={isBusy} onClick={retry}>
              {texts.retry}
            </button>
          </div>
        </>
      )}
    </section>
  )
}
