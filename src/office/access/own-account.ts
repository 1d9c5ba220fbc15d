import * as ownAccount from '../../contract/own-account.ts'
import { createOwnAccount, type OwnAccount } from '../../stores/shared/own-account.ts'
import { ask } from '../kit/backend.ts'
import { createLoader } from '../kit/loader.ts'
import { startOfficeSession } from '../kit/session.ts'

export const own = createOwnAccount({
  loader: createLoader<OwnAccount>('own account'),
  ask: (choose, input) => ask(choose(ownAccount), input),
  goOn: startOfficeSession,
})
