import '../joining/joining.css'
import { useState } from 'react'
import type { Case } from '../../../contract/office-reports.ts'
import * as reports from '../../../contract/office-reports.ts'
import { fillText, isolate } from '../../../i18n/format.ts'
import { pathIn } from '../../../i18n/paths.ts'
import { Button } from '../../../islands/parts/Button.tsx'
import { useLocale } from '../../../islands/parts/island.tsx'
import { REPORT_WORDS_MAX_LENGTH } from '../../../rules/reports.ts'
import { ask } from '../../kit/backend.ts'
import { ReasonForm } from '../../kit/forms/field-table.tsx'
import { LoadedStore } from '../../kit/loaded-store.tsx'
import { adminTexts } from '../../kit/office-texts.ts'
import { Moment } from '../../kit/tables/cells.tsx'
import { useAction } from '../../kit/use-action.tsx'
import { History } from '../review/History.tsx'
import { shownCase } from './reports.ts'

const { island, useTexts } = adminTexts(
  'office-reports:page',
  'office-reports:reasons',
  'office-review:page',
  'office-documents:fields',
  'office-documents:amounts',
)

function Report() {
  const texts = useTexts('office-reports:page')
  const { message, say } = useAction()
  return (
    <>
      {message}
      <LoadedStore from={shownCase} texts={texts} shapes={['line', 'button', 'line']}>
        {(value) => <One key={value.id} value={value} onDone={() => say(texts.done)} />}
      </LoadedStore>
    </>
  )
}

function One({ value, onDone }: { value: Case; onDone: () => void }) {
  const locale = useLocale()
  const texts = useTexts('office-reports:page')
  const { id, document, teacher, answer, reply, closedAt } = value
  return (
    <article className="stack">
      <header>
        <h2 className="along" dir="auto">
          {document.title}
        </h2>
        <p className="soft">
          {fillText(texts.by, { teacher: isolate(teacher) })}
          {' · '}
          {texts.sale[document.isOnSale ? 'on' : 'off']}
          {' · '}
          <a href={`${pathIn(locale, '/office/review-document')}?id=${document.id}`}>{texts.see}</a>
        </p>
      </header>
      <Reports value={value} />
      <section className="stack">
        <h3>{texts.answer}</h3>
        <Written text={answer} none={texts.noAnswer} />
      </section>
      {closedAt === null ? (
        <Acts id={id} isOnSale={document.isOnSale} onDone={onDone} />
      ) : (
        <section className="stack">
          <h3>{texts.replied}</h3>
          <Moment at={closedAt} withTime />
          <Written text={reply} none="" />
        </section>
      )}
      <History review={value} />
    </article>
  )
}

function Written({ text, none }: { text: string | null; none: string }) {
  if (text === null) return <p className="soft">{none}</p>
  return (
    <blockquote className="joining__message along as-written" dir="auto">
      {text}
    </blockquote>
  )
}

function Reports({ value: { reports, count } }: { value: Case }) {
  const texts = useTexts('office-reports:page')
  const reasons = useTexts('office-reports:reasons')
  return (
    <section className="stack">
      <h3>{texts.reports}</h3>
      {count > reports.length && (
        <p className="soft">{fillText(texts.more, { shown: reports.length, total: count })}</p>
      )}
      <ol className="joining stack gap-5">
        {reports.map(({ id, at, who, reason, words }) => (
          <li className="joining__one stack gap-3" key={id}>
            <p className="cluster">
              <strong>{reasons[reason]}</strong>
              <Moment at={at} withTime />
              <bdi className="soft">{who ?? texts.anonymous}</bdi>
            </p>
            <Written text={words} none="" />
          </li>
        ))}
      </ol>
    </section>
  )
}

/** The actions of an administrator on an open case; those that take words ask for them first. */
function Acts({ id, isOnSale, onDone }: { id: number; isOnSale: boolean; onDone: () => void }) {
  const texts = useTexts('office-reports:page')
  const [asked, setAsked] = useState<'takeDown' | 'close' | null>(null)
  const { alert, attempt, isBusy } = useAction()
  const params = { id }
  const send = {
    takeDown: (reason: string) => ask(reports.takeDownReported, { params, body: { reason } }),
    close: (reply: string) => ask(reports.closeCase, { params, body: { reply } }),
  }
  const act = (work: () => Promise<unknown>) =>
    attempt(
      async () => {
        await work()
        onDone()
        setAsked(null)
        await shownCase.refresh()
      },
      ({ status }) => {
        // Another administrator was first: show what is so now.
        if (status === 409) void shownCase.refresh()
      },
    )
  return (
    <section className="stack">
      {alert}
      {asked ? (
        <ReasonForm
          most={REPORT_WORDS_MAX_LENGTH}
          hint={texts.hints[asked]}
          texts={{ ...texts, send: texts[asked] }}
          isBusy={isBusy}
          onSend={(words) => act(() => send[asked](words))}
          onCancel={() => setAsked(null)}
        />
      ) : (
        <p className="joining__acts cluster items-stretch gap-3">
          {isOnSale ? (
            <Button onClick={() => setAsked('takeDown')}>{texts.takeDown}</Button>
          ) : (
            <Button
              isBusy={isBusy}
              onClick={() => act(() => ask(reports.putBackReported, { params }))}
            >
              {texts.putBack}
            </Button>
          )}
          <Button kind="primary" onClick={() => setAsked('close')}>
            {texts.close}
          </Button>
        </p>
      )}
    </section>
  )
}

export default island(Report)
