import '../../kit/sheet.css'
import type { Closing } from '../../../contract/office-closings.ts'
import * as closings from '../../../contract/office-closings.ts'
import { formatDate } from '../../../i18n/dates.ts'
import { fillText, isolate } from '../../../i18n/format.ts'
import { Button } from '../../../islands/parts/Button.tsx'
import { Field } from '../../../islands/parts/Field.tsx'
import { Icon } from '../../../islands/parts/Icon.tsx'
import { useLocale } from '../../../islands/parts/island.tsx'
import type { Language } from '../../../rules/languages.ts'
import { tunisianDay } from '../../../rules/tunisia-time.ts'
import { ask, orReload } from '../../kit/backend.ts'
import { saveCsv } from '../../kit/csv.ts'
import { momentText } from '../../kit/dates.ts'
import { LoadedStore } from '../../kit/loaded-store.tsx'
import { resourceFor } from '../../kit/loader.ts'
import { adminTexts, useActorName } from '../../kit/office-texts.ts'
import { Money, StateMark } from '../../kit/tables/cells.tsx'
import { moneyColumn, TableSection } from '../../kit/tables/ShortTable.tsx'
import { useAction } from '../../kit/use-action.tsx'
import { useChoiceInUrl } from '../../kit/use-choice-in-url.ts'

const closingOf = resourceFor(closings.getClosing, (day: string) => ({ params: { day } }))

/** The day in the page's URL, or today's date in Tunisia. */
function dayInAddress(): string {
  const value = new URLSearchParams(location.search).get('day') ?? ''
  const isDay = /^20\d\d-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))
  return isDay ? value : tunisianDay(new Date())
}

/** Closes the day as it was shown. Throws an `ApiError`. */
async function closeDay({ day, closedBy }: Closing): Promise<void> {
  const body = { seen: closedBy[0]?.id ?? null }
  const work = ask(closings.closeDay, { params: { day }, body })
  closingOf.show(await orReload(work, () => closingOf.load(day)))
}

const downloadClosing = (day: string, locale: Language) =>
  saveCsv(
    ask(closings.downloadClosing, { params: { day }, query: { locale } }),
    `karras-${day}.csv`,
  )

const { island, useTexts } = adminTexts('office-money:closing', 'office-acts:kinds')

const OUTLINES = ['line', 'button', 'button', 'button', 'button', 'button'] as const

function ClosingPage() {
  const texts = useTexts('office-money:closing')
  const [day, setDay] = useChoiceInUrl(dayInAddress, (chosen) => `day=${chosen}`)
  const { message, say } = useAction()
  const choose = (next: string) => {
    if (!next) return
    say('')
    setDay(next)
  }
  return (
    <>
      {message}
      <div className="statement-month">
        <Field
          key={day}
          name="day"
          type="date"
          label={texts.day}
          max={tunisianDay(new Date())}
          defaultValue={day ?? ''}
          onChange={({ target }) => choose(target.value)}
        />
      </div>
      <LoadedStore from={closingOf} of={day} texts={texts} shapes={OUTLINES}>
        {(value) => <Day closing={value} onDone={() => say(texts.done)} />}
      </LoadedStore>
    </>
  )
}

type Line = Closing['lines'][number]
type Balance = Closing['balances'][number]
type Sum = Closing['administrators'][number]

interface DayProps {
  closing: Closing
  onDone: () => void
}

function Day({ closing, onDone }: DayProps) {
  const locale = useLocale()
  const texts = useTexts('office-money:closing')
  const kinds = useTexts('office-acts:kinds')
  const actorName = useActorName()
  const { day, isComplete, lines, balances, administrators, difference } = closing
  const heads = texts.columns
  return (
    <article className="sheet stack gap-5">
      <header className="stack gap-1">
        <h2>{fillText(texts.heading, { day: formatDate(locale, `${day}T00:00:00Z`) })}</h2>
        {!isComplete && <p className="alert">{texts.running}</p>}
      </header>
      <Actions closing={closing} onDone={onDone} />
      <TableSection
        heading="h3"
        label={texts.movements}
        rows={lines}
        rowKey={({ line }) => line}
        columns={[
          { head: heads.line, cell: ({ line }) => texts.lines[line] },
          { head: heads.count, isNumber: true, cell: ({ count }) => count },
          moneyColumn<Line>(heads.recorded, ({ recorded }) => recorded),
          moneyColumn<Line>(heads.booked, ({ booked }) => booked),
          moneyColumn<Line>(heads.difference, ({ booked, recorded }) => booked - recorded),
        ]}
      />
      <TableSection
        heading="h3"
        label={texts.balances}
        rows={balances}
        rowKey={({ account }) => account}
        columns={[
          { head: heads.account, cell: ({ account }) => texts.accounts[account] },
          moneyColumn<Balance>(heads.opening, ({ opening }) => opening),
          moneyColumn<Balance>(heads.moved, ({ moved }) => moved),
          moneyColumn<Balance>(heads.closing, (balance) => balance.closing),
        ]}
      />
      <TableSection
        heading="h3"
        label={texts.administrators}
        rows={administrators}
        rowKey={({ by, kind }) => `${by} ${kind}`}
        columns={[
          { head: heads.by, cell: ({ by }) => <bdi>{actorName(by)}</bdi> },
          { head: heads.kind, isWide: true, cell: ({ kind }) => kinds[kind] },
          { head: heads.count, isNumber: true, cell: ({ count }) => count },
          moneyColumn<Sum>(heads.amount, ({ amount }) => amount),
          moneyColumn<Sum>(heads.alone, ({ alone }) => alone),
        ]}
      />
      <p className="cluster">
        {texts.difference} <Money amount={difference} />
        <StateMark
          kind={difference === 0 ? 'good' : 'bad'}
          text={difference === 0 ? texts.sound : texts.wrong}
        />
      </p>
    </article>
  )
}

function Actions({ closing, onDone }: DayProps) {
  const { day, closedBy } = closing
  const locale = useLocale()
  const texts = useTexts('office-money:closing')
  const { alert, attempt, isBusy } = useAction()
  const [last] = closedBy
  const actorName = useActorName()
  const close = async () => {
    await closeDay(closing)
    onDone()
  }
  return (
    <>
      {last && (
        <p>
          {fillText(texts.closed, {
            name: isolate(actorName(last.by)),
            at: momentText(locale, last.at),
          })}{' '}
          {!last.isSame && texts.changed}
        </p>
      )}
      <div className="sheet__ways cluster items-stretch gap-3">
        {!last?.isSame && (
          <Button kind="primary" isBusy={isBusy} onClick={() => attempt(close)}>
            {last ? texts.again : texts.close}
          </Button>
        )}
        <Button isBusy={isBusy} onClick={() => attempt(() => downloadClosing(day, locale))}>
          <Icon name="download" />
          {texts.download}
        </Button>
        <Button onClick={() => print()}>{texts.print}</Button>
      </div>
      {alert}
    </>
  )
}

export default island(ClosingPage)
