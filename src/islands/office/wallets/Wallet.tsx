import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import {
  $waitingHere,
  loadWaitingHere,
  refreshWallet,
  walletTable,
} from '../../../stores/office/wallets.ts'
import { Facts, Money, PersonCell } from '../parts/cells.tsx'
import { Done, useDone } from '../parts/Done.tsx'
import { ShortTable } from '../parts/ShortTable.tsx'
import { AdjustForm } from './AdjustForm.tsx'
import { useAdjustmentColumns } from './columns.tsx'
import { Movements } from './Movements.tsx'
import { island, useTexts } from './wallet-texts.ts'

const NONE: [] = []
const none = () => NONE

/** The wallet of the customer in the URL: balance, adjustments and movements. */
function Wallet() {
  const texts = useTexts('office-money:wallet')
  const adjustments = useTexts('office-money:adjustments')
  const { page } = useStore(walletTable.$state)
  const waiting = useStore($waitingHere, { ssr: none })
  const [done, setDone] = useDone()
  const { columns, dialog } = useAdjustmentColumns({ onDone: setDone, refresh: refreshWallet })
  useEffect(() => void loadWaitingHere(), [])
  return (
    <>
      <Done text={done} />
      {page && (
        <Facts
          facts={[
            [texts.title, <PersonCell key="customer" person={page.customer} />],
            [texts.balance, <Money key="balance" amount={page.balance} />],
          ]}
        />
      )}
      {waiting.length > 0 && (
        <section className="stack">
          <h2>{adjustments.label}</h2>
          <ShortTable
            label={adjustments.label}
            columns={columns}
            rows={waiting}
            rowKey={({ id }) => id}
          />
        </section>
      )}
      {page && <AdjustForm customer={page.customer} left={page.leftAlone} onDone={setDone} />}
      <Movements />
      {dialog}
    </>
  )
}

export default island(Wallet)
