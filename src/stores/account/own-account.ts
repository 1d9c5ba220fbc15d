import type { Language } from '../../rules/languages.ts'
import { createLoader } from '../session/loader.ts'
import { ask } from '../shared/backend.ts'
import { createOwnAccount, type OwnAccount } from '../shared/own-account.ts'
import { learnFromToken } from '../shared/server-clock.ts'
import { keepToken } from '../shared/token.ts'

export type { OwnAccount } from '../shared/own-account.ts'

export const own = createOwnAccount({
  loader: createLoader<OwnAccount>('own account'),
  ask: (choose, input) => ask(({ ownAccount }) => choose(ownAccount), input),
  goOn(token) {
    learnFromToken(token)
    keepToken(token)
  },
})

export const chooseMailLanguage = (locale: Language) =>
  own.change(() => ask(({ accounts }) => accounts.setLanguage, { body: { locale } }))

export const chooseNewsMails = (areWanted: boolean) =>
  own.change(() => ask(({ following }) => following.setNewsMails, { body: { areWanted } }))
