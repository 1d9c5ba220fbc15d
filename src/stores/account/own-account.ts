import type { OwnAccount } from '../../contract/own-account.ts'
import type { Language } from '../../rules/languages.ts'
import { createLoader } from '../session/loader.ts'
import { ask } from '../shared/backend.ts'
import { createLeaving } from '../shared/leaving.ts'
import { type Problem, problemOf } from '../shared/problem.ts'
import { learnFromToken } from '../shared/server-clock.ts'
import { keepToken } from '../shared/token.ts'

export type { LogIn, OwnAccount } from '../../contract/own-account.ts'

const loader = createLoader<OwnAccount>('own account')
export const $ownAccount = loader.$state

const read = () => ask(({ ownAccount }) => ownAccount.getOwnAccount, {})

export const loadOwnAccount = () => loader.load(read)

const refresh = () => loader.refresh(read)

export const leaving = createLeaving({
  pack: () => ask(({ ownAccount }) => ownAccount.askForExport, {}),
  fetchFile: () => ask(({ ownAccount }) => ownAccount.downloadExport, {}),
  remove: (body) => ask(({ ownAccount }) => ownAccount.askForDeletion, { body }),
  keep: () => ask(({ ownAccount }) => ownAccount.keepAccount, {}),
  refresh,
})

export const endLogIn = (id: number) =>
  change(() => ask(({ ownAccount }) => ownAccount.endLogIn, { params: { id } }))

export const endOtherLogIns = () =>
  change(async () => {
    const { accessToken } = await ask(({ ownAccount }) => ownAccount.endOtherLogIns, {})
    learnFromToken(accessToken)
    keepToken(accessToken)
  })

export const chooseMailLanguage = (locale: Language) =>
  change(() => ask(({ accounts }) => accounts.setLanguage, { body: { locale } }))

/** Makes a change, then shows the account as it is; returns why it could not be made, or null. */
async function change(make: () => Promise<unknown>): Promise<Problem | null> {
  try {
    await make()
    await refresh()
    return null
  } catch (error) {
    return problemOf(error)
  }
}
