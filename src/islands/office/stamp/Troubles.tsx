import { fillText } from '../../../i18n/format.ts'
import { pathIn } from '../../../i18n/paths.ts'
import { type Retried, retryFiles } from '../../../stores/office/stamp.ts'
import { useLocale } from '../../parts/island.tsx'
import { Moment, Words } from '../parts/cells.tsx'
import { type Column, ShortTable } from '../parts/ShortTable.tsx'
import { useAttempt } from '../parts/use-attempt.tsx'
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
  const { alert, attempt, isBusy } = useAttempt()
  const { title, text, empty } = texts[what]

  const retry = () =>
    attempt(async () => {
      onDone('')
      await retryFiles(what)
      onDone(texts.done[what])
    })
  return (
    <section className="stack">
      <h2>{title}</h2>
      {alert}
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
                  <a href={`${pathIn(locale, '/office/review-document')}?id=${documentId}`}>
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
