import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import type { Difference } from '../../../contract/office-transfers.ts'
import { fillText, priceText } from '../../../i18n/format.ts'
import { readableReference } from '../../../rules/typed-numbers.ts'
import { $differences, askAgain, loadDifferences } from '../../../stores/office/differences.ts'
import { notLoaded } from '../../../stores/shared/loader.ts'
import { ErrorAlert } from '../../parts/ErrorAlert.tsx'
import { useLocale } from '../../parts/island.tsx'
import { Moment, Money, PersonCell, Reference, StateMark } from '../parts/cells.tsx'
import { type Column, ShortTable } from '../parts/ShortTable.tsx'
import { useAttempt, useProblemText } from '../parts/use-attempt.tsx'
import { SettleDifference } from './SettleDifference.tsx'
import { useTexts } from './texts.ts'

type Settlement = 'book' | 'close'

interface Props {
  /** The heading of the next section, shown only if there are differences. */
  next: string
  onDone: (text: string) => void
}

/** The payments that differ at the gateway; renders nothing if there are none. */
export function Differences({ next, onDone }: Props) {
  const locale = useLocale()
  const { columns: heads, ...texts } = useTexts('office-money:differences')
  const problemText = useProblemText()
  const found = useStore($differences, { ssr: notLoaded })
  const [open, setOpen] = useState<{ difference: Difference; way: Settlement } | null>(null)
  const { alert, attempt, problem } = useAttempt()
  useEffect(() => void loadDifferences(), [])

  const gatewayText = (state: Difference['reportedState'], amount: number) =>
    fillText(texts.says[state], { amount: priceText(locale, amount) })
  const queryGateway = (difference: Difference) =>
    attempt(async () => {
      const { gateway } = await askAgain(difference)
      onDone(fillText(texts.reported, { says: gatewayText(gateway.state, gateway.amount) }))
    })
  const columns: readonly Column<Difference>[] = [
    { head: heads.payer, cell: ({ payer }) => <PersonCell person={payer} /> },
    { head: heads.expected, isNumber: true, cell: ({ expected }) => <Money amount={expected} /> },
    {
      head: heads.reported,
      cell: ({ kind, reported, reportedState }) => (
        <StateMark
          kind="bad"
          text={kind === 'reference' ? texts.says.elsewhere : gatewayText(reportedState, reported)}
        />
      ),
    },
    {
      head: heads.reference,
      cell: ({ paymentRef }) => <Reference>{readableReference(paymentRef)}</Reference>,
    },
    { head: heads.since, cell: ({ notedAt }) => <Moment at={notedAt} withTime /> },
    {
      head: heads.actions,
      isActions: true,
      cell: (difference) => (
        <span className="cluster">
          <button type="button" className="button" onClick={() => queryGateway(difference)}>
            {texts.ask}
          </button>
          {difference.kind === 'amount' && difference.state !== 'paid' && (
            <button
              type="button"
              className="button"
              onClick={() => setOpen({ difference, way: 'book' })}
            >
              {texts.book.open}
            </button>
          )}
          <button
            type="button"
            className="button"
            onClick={() => setOpen({ difference, way: 'close' })}
          >
            {texts.close.open}
          </button>
        </span>
      ),
    },
  ]
  if (found.phase === 'failed') return <ErrorAlert text={problemText(found.problem)} />
  if (found.phase !== 'ready' || (found.value.content.length === 0 && !problem)) return null
  return (
    <>
      <section className="stack">
        <h2>{texts.heading}</h2>
        <p className="soft">{texts.text}</p>
        {alert}
        <ShortTable
          label={texts.label}
          columns={columns}
          rows={found.value.content}
          rowKey={({ id }) => id}
        />
        {open && (
          <SettleDifference
            {...open}
            onDone={() => onDone(texts[open.way].done)}
            onClose={() => setOpen(null)}
          />
        )}
      </section>
      <h2>{next}</h2>
    </>
  )
}
