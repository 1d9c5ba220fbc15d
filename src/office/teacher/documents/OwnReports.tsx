import { useEffect, useState } from 'react'
import type { Result } from '../../../contract/call.ts'
import * as reports from '../../../contract/office-reports.ts'
import type { Arabic } from '../../../i18n/texts.ts'
import { Button } from '../../../islands/parts/Button.tsx'
import { REPORT_WORDS_MAX_LENGTH } from '../../../rules/reports.ts'
import { ask } from '../../kit/backend.ts'
import { ReasonForm } from '../../kit/forms/field-table.tsx'
import { Moment } from '../../kit/tables/cells.tsx'
import { useAction } from '../../kit/use-action.tsx'

export type ReportTexts = Arabic['office-reports']

interface Props {
  id: number
  texts: ReportTexts
}

/** The open reports about a document, which its teacher may answer; nothing if there are none. */
export function OwnReports({ id, texts: { own: texts, reasons } }: Props) {
  const [found, setFound] = useState<Result<typeof reports.getOwnReports>>(null)
  const [isWriting, setWriting] = useState(false)
  const { alert, attempt, isBusy } = useAction()
  const params = { id }
  const load = async () => setFound(await ask(reports.getOwnReports, { params }))
  // biome-ignore lint/correctness/useExhaustiveDependencies: read once for a document
  useEffect(() => void attempt(load), [id])
  const send = (answer: string) =>
    attempt(async () => {
      await ask(reports.answerReports, { params, body: { answer } })
      setWriting(false)
      await load()
    })
  if (!found) return alert
  return (
    <section className="alert stack">
      <h3>{texts.title}</h3>
      <p>{texts.text}</p>
      <ul className="stack">
        {found.reports.map(({ id, at, reason, words }) => (
          <li key={id}>
            <strong>{reasons[reason]}</strong> <Moment at={at} />
            <p className="standing__reason as-written" dir="auto">
              {words}
            </p>
          </li>
        ))}
      </ul>
      {found.answer !== null && (
        <div role="status">
          <p>{texts.sent}</p>
          <blockquote className="standing__reason as-written" dir="auto">
            {found.answer}
          </blockquote>
        </div>
      )}
      {alert}
      {isWriting ? (
        <ReasonForm
          most={REPORT_WORDS_MAX_LENGTH}
          texts={texts}
          isBusy={isBusy}
          onSend={send}
          onCancel={() => setWriting(false)}
        />
      ) : (
        <p>
          <Button onClick={() => setWriting(true)}>{texts.answer}</Button>
        </p>
      )}
    </section>
  )
}
