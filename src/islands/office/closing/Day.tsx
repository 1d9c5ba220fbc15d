import '../statement/sheet.css'
import type { Closing } from '../../../contract/office-closings.ts'
import { formatDate } from '../../../i18n/dates.ts'
import { fillText } from '../../../i18n/format.ts'
import { closeDay, downloadClosing } from '../../../stores/office/closing.ts'
import { Icon } from '../../parts/Icon.tsx'
import { useLocale } from '../../parts/island.tsx'
import { Money, StateMark } from '../parts/cells.tsx'
import { momentText } from '../parts/dates.ts'
import { ShortTable } from '../parts/ShortTable.tsx'
import { useAttempt } from '../parts/use-attempt.tsx'
import { useTexts } from './texts.ts'

interface Props {
  closing: Closing
  onDone: () => void
}

/** The figures of a day, with buttons to print, download and close it. */
export function Day({ closing, onDone }: Props) {
  const locale = useLocale()
  const texts = useTexts('office-money:closing')
  const { day, isComplete, lines, balances, difference } = closing
  const heads = texts.columns
  return (
    <article className="sheet">
      <header className="sheet__head">
        <h2>{fillText(texts.heading, { day: formatDate(locale, `${day}T00:00:00Z`) })}</h2>
        {!isComplete && <p className="alert">{texts.running}</p>}
      </header>
      <Actions closing={closing} onDone={onDone} />
      <section className="stack">
        <h3>{texts.movements}</h3>
        <ShortTable
          label={texts.movements}
          rows={lines}
          rowKey={({ line }) => line}
          columns={[
            { head: heads.line, cell: ({ line }) => texts.lines[line] },
            { head: heads.count, isNumber: true, cell: ({ count }) => count },
            {
              head: heads.recorded,
              isNumber: true,
              cell: ({ recorded }) => <Money amount={recorded} />,
            },
            { head: heads.booked, isNumber: true, cell: ({ booked }) => <Money amount={booked} /> },
            {
              head: heads.difference,
              isNumber: true,
              cell: ({ booked, recorded }) => <Money amount={booked - recorded} />,
            },
          ]}
        />
      </section>
      <section className="stack">
        <h3>{texts.balances}</h3>
        <ShortTable
          label={texts.balances}
          rows={balances}
          rowKey={({ account }) => account}
          columns={[
            { head: heads.account, cell: ({ account }) => texts.accounts[account] },
            {
              head: heads.opening,
              isNumber: true,
              cell: ({ opening }) => <Money amount={opening} />,
            },
            { head: heads.moved, isNumber: true, cell: ({ moved }) => <Money amount={moved} /> },
            {
              head: heads.closing,
              isNumber: true,
              cell: (balance) => <Money amount={balance.closing} />,
            },
          ]}
        />
      </section>
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

/** The last closing of the day, and the buttons to close, download and print it. */
function Actions({ closing, onDone }: Props) {
  const { day, closedBy } = closing
  const locale = useLocale()
  const texts = useTexts('office-money:closing')
  const { alert, attempt, isBusy } = useAttempt()
  const [last] = closedBy
  const close = async () => {
    await closeDay(closing)
    onDone()
  }
  return (
    <>
      {last && (
        <p>
          {fillText(texts.closed, {
            name: `\u2068${last.by}\u2069`,
            at: momentText(locale, last.at),
          })}{' '}
          {!last.isSame && texts.changed}
        </p>
      )}
      <div className="sheet__ways">
        {!last?.isSame && (
          <button
            type="button"
            className="button button--primary"
            aria-busy={isBusy}
            onClick={() => attempt(close)}
          >
            {last ? texts.again : texts.close}
          </button>
        )}
        <button
          type="button"
          className="button"
          onClick={() => attempt(() => downloadClosing(day, locale))}
        >
          <Icon name="download" />
          {texts.download}
        </button>
        <button type="button" className="button" onClick={() => print()}>
          {texts.print}
        </button>
      </div>
      {alert}
    </>
  )
}
