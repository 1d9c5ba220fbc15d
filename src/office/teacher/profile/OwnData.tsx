import { Devices } from '../../../islands/own-account/Devices.tsx'
import { Delete, TakeAlong, ToBeDeleted } from '../../../islands/own-account/Leaving.tsx'
import { useTexts } from '../../../islands/parts/island.tsx'
import { proofOf } from '../../../stores/shared/leaving.ts'
import { own } from '../../access/own-account.ts'
import { LoadedStore } from '../../kit/loaded-store.tsx'

/** What the account's page of the shop offers to customers, for a teacher. */
export function OwnData() {
  const texts = useTexts('own-account:page')
  return (
    <LoadedStore from={own} texts={texts} shapes={['line', 'line', 'button']}>
      {(account) => (
        <div className="stack">
          <ToBeDeleted deletion={account.deletion} leaving={own.leaving} />
          <Devices logIns={account.logIns} devices={own.devices} />
          <TakeAlong pack={account.export} leaving={own.leaving} />
          <Delete account={account} leaving={own.leaving} proof={proofOf(account)} />
        </div>
      )}
    </LoadedStore>
  )
}
