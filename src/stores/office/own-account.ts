import * as ownAccount from '../../contract/own-account.ts'
import { createOwnAccount, type OwnAccount } from '../shared/own-account.ts'
import { ask } from './backend.ts'
import { createLoader } from './loader.ts'
import { startOfficeSession } from './session.ts'

export const own = createOwnAccount({
  loader: createLoader<OwnAccount>('own account'),
  ask: (choose, input) => ask(choose(ownAccount), input),
  goOn: startOfficeSession,
})
