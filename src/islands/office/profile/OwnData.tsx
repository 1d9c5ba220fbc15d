import { own } from '../../../stores/office/own-account.ts'
import { proofOf } from '../../../stores/shared/leaving.ts'
import { Devices } from '../../own-account/Devices.tsx'
import { Delete, TakeAlong, ToBeDeleted } from '../../own-account/Leaving.tsx'
import { useTexts } from '../../parts/island.tsx'
import { LoadedStore } from '../parts/loaded-store.tsx'

/** What the account's page of the shop offers to customers, for a teacher. */
export function OwnData() {
  const texts = useTexts('own-account:page')
  return (
    <LoadedStore
      store={own.$account}
      load={own.load}
      texts={texts}
      shapes={['line', 'line', 'button']}
    >
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
