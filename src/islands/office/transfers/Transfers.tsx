import { useState } from 'react'
import type { Transfer } from '../../../contract/office-transfers.ts'
import { fillText, priceText } from '../../../i18n/format.ts'
import { PAYMENT_STATES } from '../../../rules/payment-states.ts'
import { readableReference } from '../../../rules/typed-numbers.ts'
import { transferTable } from '../../../stores/office/transfers.ts'
import { useLocale } from '../../parts/island.tsx'
import { Moment, Money, PAYMENT_MARKS, PersonCell, Reference, StateMark } from '../parts/cells.tsx'
import { Done, useDone } from '../parts/Done.tsx'
import { MailNote } from '../parts/MailNote.tsx'
import { OfficeTable } from '../parts/OfficeTable.tsx'
import type { Column } from '../parts/ShortTable.tsx'
import { DecideTransfer, type Decision } from './DecideTransfer.tsx'
import { Differences } from './Differences.tsx'
import { island, useTexts } from './texts.ts'

/** Bank transfers and D17 payments, with buttons to decide about them. */
function Transfers() {
  const locale = useLocale()
  const { columns: heads, ...texts } = useTexts('office-money:transfers')
  const common = useTexts('office-money:common')
  const [open, setOpen] = useState<{ transfer: Transfer; decision: Decision } | null>(null)
  const [done, setDone] = useDone()

  const columns: readonly Column<Transfer>[] = [
    { head: heads.payer, cell: ({ payer }) => <PersonCell person={payer} /> },
    { head: heads.amount, isNumber: true, cell: ({ amount }) => <Money amount={amount} /> },
    {
      head: heads.reference,
      cell: ({ paymentRef }) => <Reference>{readableReference(paymentRef)}</Reference>,
    },
    {
      head: heads.purpose,
      cell: ({ orderId, method }) =>
        `${orderId === null ? common.topUp : fillText(common.order, { number: orderId })} · ${common.methods[method]}`,
    },
    { head: heads.since, cell: ({ createdAt }) => <Moment at={createdAt} withTime /> },
    {
      head: heads.state,
      cell: ({ state }) => <StateMark kind={PAYMENT_MARKS[state]} text={common.payments[state]} />,
    },
    {
      head: heads.actions,
      isActions: true,
      cell: (transfer) => (
        <Actions transfer={transfer} onChoose={(decision) => setOpen({ transfer, decision })} />
      ),
    },
  ]
  return (
    <>
      <Done text={done} />
      <MailNote />
      <Differences next={texts.label} onDone={setDone} />
      <OfficeTable
        table={transferTable}
        label={texts.label}
        columns={columns}
        rowKey={({ paymentRef }) => paymentRef}
        counts={texts.counts}
        empty={texts.empty}
        search={texts.search}
        filters={[
          {
            name: 'state',
            label: texts.state,
            none: texts.waiting,
            options: PAYMENT_STATES.filter((state) => state !== 'pending').map((state) => ({
              value: state,
              text: common.payments[state],
            })),
          },
        ]}
      />
      {open && (
        <DecideTransfer
          {...open}
          onDone={() => {
            const { amount, payer } = open.transfer
            const values = { amount: priceText(locale, amount), name: `\u2068${payer.name}\u2069` }
            setDone(fillText(texts[open.decision].done, values))
          }}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  )
}

interface ActionsProps {
  transfer: Transfer
  onChoose: (decision: Decision) => void
}

function Actions({ transfer: { state }, onChoose }: ActionsProps) {
  const { confirm, refuse } = useTexts('office-money:transfers')
  if (state === 'paid') return null
  return (
    <span className="cluster">
      <button
        type="button"
        className={state === 'pending' ? 'button button--primary' : 'button'}
        onClick={() => onChoose('confirm')}
      >
        {confirm.open}
      </button>
      {state === 'pending' && (
        <button type="button" className="button" onClick={() => onChoose('refuse')}>
          {refuse.open}
        </button>
      )}
    </span>
  )
}

export default island(Transfers)
