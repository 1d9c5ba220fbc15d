import type { AnyCall, Input, Result } from '../../contract/call.ts'
import type * as contract from '../../contract/own-account.ts'
import type { CodesField, ContactField, ContactKind } from './contacts.ts'
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

/** One's own account, for customers in the shop and for staff in the office. */
export function createOwnAccount({ loader, ask, goOn }: Door) {
  const readAccount = () => ask((calls) => calls.getOwnAccount, {})
  const leaving = createLeaving({
    pack: () => ask((calls) => calls.askForExport, {}),
    fetchFile: () => ask((calls) => calls.downloadExport, {}),
    remove: (body) => ask((calls) => calls.askForDeletion, { body }),
    keep: () => ask((calls) => calls.keepAccount, {}),
    refresh: () => loader.refresh(readAccount),
  })
  const { change } = leaving
  return {
    $state: loader.$state,
    load: () => loader.load(readAccount),
    change,
    leaving,
    contacts: {
      ask: (kind: ContactKind, values: Readonly<Record<ContactField, string>>) =>
        change(() => {
          const { value, password, code } = values
          const proof = { password, code: code || null }
          return kind === 'email'
            ? ask((calls) => calls.changeEmail, { body: { email: value, ...proof } })
            : ask((calls) => calls.changePhone, { body: { phone: value, ...proof } })
        }),
      /** The code to the number so far may be left out. */
      confirmPhone: ({ code, oldCode }: Readonly<Record<CodesField, string>>) =>
        change(async () => {
          const body = { code, oldCode: oldCode.trim() || null }
          const { accessToken } = await ask((calls) => calls.confirmNewPhone, { body })
          if (accessToken) goOn(accessToken)
        }),
      stop: () => change(() => ask((calls) => calls.stopContactChange, {})),
    },
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

export type Contacts = ReturnType<typeof createOwnAccount>['contacts']
export type Devices = ReturnType<typeof createOwnAccount>['devices']
