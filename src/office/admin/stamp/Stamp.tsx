import '../../kit/summary.css'
import type { Input } from '../../../contract/call.ts'
import type { Stamp as StampState } from '../../../contract/office-stamp.ts'
import * as stamp from '../../../contract/office-stamp.ts'
import { fillText, isolate } from '../../../i18n/format.ts'
import { Button } from '../../../islands/parts/Button.tsx'
import { useLocale } from '../../../islands/parts/island.tsx'
import { ask as call, orReload } from '../../kit/backend.ts'
import { momentText } from '../../kit/dates.ts'
import { useQuestions } from '../../kit/forms/questions.tsx'
import { LoadedStore } from '../../kit/loaded-store.tsx'
import { resource } from '../../kit/loader.ts'
import { adminTexts, useActorName } from '../../kit/office-texts.ts'
import { Moment, StateMark, Words, WordsLink } from '../../kit/tables/cells.tsx'
import { type Column, ShortTable } from '../../kit/tables/ShortTable.tsx'
import { useAction } from '../../kit/use-action.tsx'

const shownStamp = resource(stamp.getStamp)

type Retried = Input<typeof stamp.retryFiles>['body']['what']

const { island, useTexts } = adminTexts('office-stamp:stamp', 'office:confirm')

const OUTLINES = ['line', 'button', 'line', 'line'] as const

function Stamp() {
  const texts = useTexts('office-stamp:stamp')
  const { columns } = texts
  const { ask, dialog, message, say } = useQuestions()
  const questionTo = (isOn: boolean, seen: StampState['seen']) => ({
    title: isOn ? texts.dialog.onTitle : texts.dialog.offTitle,
    submit: isOn ? texts.dialog.on : texts.dialog.off,
    text: isOn ? texts.dialog.onText : texts.dialog.offText,
    send: async () => {
      const set = call(stamp.setStamp, { body: { isOn, seen } })
      shownStamp.show(await orReload(set, shownStamp.refresh))
      return isOn ? texts.done.on : texts.done.off
    },
  })
  return (
    <>
      {message}
      <LoadedStore from={shownStamp} texts={texts} shapes={OUTLINES}>
        {(value) => (
          <>
            <Switch stamp={value} onSwitch={() => ask(questionTo(!value.isOn, value.seen))} />
            <Troubles
              what="unstamped"
              {...value.unstamped}
              column={{
                head: columns.reason,
                isWide: true,
                cell: ({ reason }) => texts.reasons[reason],
              }}
              onDone={say}
            />
            <Troubles
              what="undrawn"
              {...value.undrawn}
              column={{
                head: columns.state,
                cell: ({ isTriedAgain }) => (
                  <StateMark
                    kind={isTriedAgain ? 'waiting' : 'bad'}
                    text={isTriedAgain ? texts.undrawn.waiting : texts.undrawn.failed}
                  />
                ),
              }}
              onDone={say}
            />
          </>
        )}
      </LoadedStore>
      {dialog}
    </>
  )
}

interface SwitchProps {
  stamp: StampState
  onSwitch: () => void
}

function Switch({ stamp: { isOn, changed }, onSwitch }: SwitchProps) {
  const actorName = useActorName()
  const locale = useLocale()
  const texts = useTexts('office-stamp:stamp')
  return (
    <section className="summary stack items-start gap-2">
      <h2 className="strong">{texts.now}</h2>
      <StateMark kind={isOn ? 'good' : 'off'} text={isOn ? texts.on : texts.off} />
      <p>{texts.text}</p>
      {changed && (
        <p className="soft small">
          {fillText(texts.changed, {
            by: isolate(actorName(changed.by)),
            at: momentText(locale, changed.at),
          })}
        </p>
      )}
      <Button onClick={onSwitch}>{isOn ? texts.switchOff : texts.switchOn}</Button>
    </section>
  )
}

interface Trouble {
  documentId: number
  title: string
  teacher: string
  at: string
}

interface TroublesProps<Row> {
  what: Retried
  total: number
  newest: readonly Row[]
  /** The column that explains the problem of each file. */
  column: Column<Row>
  onDone: (text: string) => void
}

function Troubles<Row extends Trouble>({
  what,
  total,
  newest,
  column,
  onDone,
}: TroublesProps<Row>) {
  const texts = useTexts('office-stamp:stamp')
  const { alert, attempt, isBusy } = useAction()
  const { title, text, empty } = texts[what]

  const retry = () =>
    attempt(async () => {
      onDone('')
      shownStamp.show(await call(stamp.retryFiles, { body: { what } }))
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
                  <WordsLink to={`/office/review-document?id=${documentId}`}>{title}</WordsLink>
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
            <Button isBusy={isBusy} onClick={retry}>
              {texts.retry}
            </Button>
          </div>
        </>
      )}
    </section>
  )
}

export default island(Stamp)
