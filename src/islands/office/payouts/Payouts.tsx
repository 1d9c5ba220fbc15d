import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { $bankAccount, $earnings, loadEarnings } from '../../../stores/office/payouts.ts'
import { notLoaded } from '../../../stores/shared/loader.ts'
import { LoadState } from '../../parts/States.tsx'
import { AskForPayout } from './AskForPayout.tsx'
import { BankAccountSection } from './BankAccountSection.tsx'
import { PayoutList } from './PayoutList.tsx'
import { island, useTexts } from './texts.ts'

const OUTLINES = ['line', 'button', 'button'] as const

/** The request form, the previous payouts, and the bank account. */
function Payouts() {
  const texts = useTexts('office-earnings:payouts')
  const earnings = useStore($earnings, { ssr: notLoaded })
  const account = useStore($bankAccount, { ssr: notLoaded })
  const [done, setDone] = useState('')
  useEffect(() => void loadEarnings(), [])
  return (
    <>
      <p className={done ? 'alert alert--success' : 'visually-hidden'} role="status">
        {done}
      </p>
      <LoadState
        state={earnings}
        loading={{ text: texts.loading, shapes: OUTLINES }}
        failed={texts.failed}
        onRetry={loadEarnings}
      >
        {(value) => (
          <AskForPayout
            earnings={value}
            account={account.phase === 'ready' ? account.value : undefined}
            onDone={() => setDone(texts.ask.done)}
          />
        )}
      </LoadState>
      <PayoutList onCancelled={() => setDone(texts.list.cancelled)} />
      <BankAccountSection />
    </>
  )
}

export default island(Payouts)
