// @one-database: it is about tokens.

import { getBalance } from '../../../src/contract/wallet.ts'
import { HOUR_MS } from '../../../src/rules/durations.ts'
import { TOKEN_LIFETIME_MS } from '../../../src/server/http/identity.ts'
import { expectCode } from '../../support/refusals.ts'
import { test } from '../../support/test.ts'

test('a token that was accepted before is refused once it is changed or has expired', async ({
  app,
}) => {
  const parent = await app.aCustomer()
  const balance = (token: string) =>
    app.call(getBalance, { as: { ...parent, token }, query: { userId: parent.id } })

  await balance(parent.token)
  await balance(parent.token)
  const [head = '', , signature = ''] = parent.token.split('.')
  const other = (await app.aCustomer()).token.split('.')[1]
  await expectCode(balance(`${head}.${other}.${signature}`), 'invalid_token')

  app.travel(TOKEN_LIFETIME_MS - HOUR_MS)
  await balance(parent.token)
  app.travel(HOUR_MS)
  await expectCode(balance(parent.token), 'invalid_token')
})
