import type { AnyCall, Input, Result } from '../../contract/call.ts'
import type * as contract from '../../contract/own-account.ts'
import { createLeaving } from './leaving.ts'
import type { createLoaderFor } from './loader.ts'

export type { LogIn, OwnAccount } from '../../contract/own-account.ts'

interface Door {
  loader: ReturnType<typeof createLoaderFor<contract.OwnAccount>>
  ask: <C extends AnyCall>(
    choose: (calls: typeof contract) => C,
    input: Input<C>,
  ) => Promise<Result<C>>
  /** Keeps the token with which the session goes on after all others have ended. */
  goOn: (token: string) => unknown
}

/** One's own account, for customers in the shop and for teachers in the office. */
export function createOwnAccount({ loader, ask, goOn }: Door) {
  const read = () => ask((calls) => calls.getOwnAccount, {})
  const leaving = createLeaving({
    pack: () => ask((calls) => calls.askForExport, {}),
    fetchFile: () => ask((calls) => calls.downloadExport, {}),
    remove: (body) => ask((calls) => calls.askForDeletion, { body }),
    keep: () => ask((calls) => calls.keepAccount, {}),
    refresh: () => loader.refresh(read),
  })
  const { change } = leaving
  return {
    $account: loader.$state,
    load: () => loader.load(read),
    change,
    leaving,
    devices: {
      end: (id: number) => change(() => ask((calls) => calls.endLogIn, { params: { id } })),
      endOthers: () =>
        change(async () => {
          const { accessToken } = await ask((calls) => calls.endOtherLogIns, {})
          goOn(accessToken)
        }),
    },
  }
}

export type Devices = ReturnType<typeof createOwnAccount>['devices']
