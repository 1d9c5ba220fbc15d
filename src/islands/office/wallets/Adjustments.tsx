import { ADJUSTMENT_STATES } from '../../../rules/ledger.ts'
import { adjustmentTable } from '../../../stores/office/wallets.ts'
import { Done, useDone } from '../parts/Done.tsx'
import { OfficeTable } from '../parts/OfficeTable.tsx'
import { adminTexts } from '../parts/office-texts.ts'
import { useAdjustmentColumns } from './columns.tsx'

const { island, useTexts } = adminTexts(
  'office-money:adjust',
  'office-money:adjustments',
  'office-money:common',
  'office:table',
  'office:confirm',
)

function Adjustments() {
  const texts = useTexts('office-money:adjustments')
  const [done, setDone] = useDone()
  const refresh = adjustmentTable.refresh
  const { columns, dialog } = useAdjustmentColumns({ onDone: setDone, refresh })
  return (
    <>
      <Done text={done} />
      <OfficeTable
        table={adjustmentTable}
        label={texts.label}
        columns={columns}
        rowKey={({ id }) => id}
        counts={texts.counts}
        empty={texts.empty}
        filters={[
          {
            name: 'state',
            label: texts.state,
            none: texts.waiting,
            options: ADJUSTMENT_STATES.filter((state) => state !== 'proposed').map((state) => ({
              value: state,
              text: texts.states[state],
            })),
          },
        ]}
      />
      {dialog}
    </>
  )
}

export default island(Adjustments)
