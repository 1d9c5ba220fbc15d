import { readCode } from '../../rules/sms.ts'
import { normalisePhone } from '../../rules/typed-numbers.ts'
import { email as emailMistake } from '../../rules/validators.ts'
import { ask } from '../shared/backend.ts'
import { createForm } from '../shared/form.ts'
import { learnFromToken } from '../shared/server-clock.ts'
import { keepToken } from '../shared/token.ts'
import { own } from './own-account.ts'

type Mistake = 'required' | 'email' | 'phone' | 'code'

/** The new address or number, with the password. */
export const contactForm = (kind: 'email' | 'phone') =>
  createForm<'value' | 'password', Mistake>(['value', 'password'], ({ value, password }) => {
    const isWrong = kind === 'email' ? emailMistake(value) !== null : normalisePhone(value) === null
    return { ...(isWrong && { value: kind }), ...(password === '' && { password: 'required' }) }
  })

export const askForContact = (
  kind: 'email' | 'phone',
  { value, password }: Record<'value' | 'password', string>,
) =>
  own.change(() =>
    kind === 'email'
      ? ask(({ accounts }) => accounts.changeEmail, { body: { email: value, password } })
      : ask(({ accounts }) => accounts.changePhone, { body: { phone: value, password } }),
  )

/** The codes to both numbers; the one to the number so far may be left out. */
export const codesForm = () =>
  createForm<'code' | 'oldCode', Mistake>(['code', 'oldCode'], ({ code, oldCode }) => ({
    ...(readCode(code) === null && { code: 'code' }),
    ...(oldCode.trim() !== '' && readCode(oldCode) === null && { oldCode: 'code' }),
  }))

export const confirmPhone = ({ code, oldCode }: Record<'code' | 'oldCode', string>) =>
  own.change(async () => {
    const body = { code, oldCode: oldCode.trim() || null }
    const { accessToken } = await ask(({ accounts }) => accounts.confirmNewPhone, { body })
    if (!accessToken) return
    learnFromToken(accessToken)
    keepToken(accessToken)
  })

export const stopContactChange = () =>
  own.change(() => ask(({ accounts }) => accounts.stopContactChange, {}))
