import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import * as waiting from '../../../src/contract/office-desk.ts'
import { proxyWatch } from '../../../src/server/http/proxy-watch.ts'
import { testApp } from '../../support/app.ts'
import { PATIENCE } from '../../support/patience.ts'

test('a proxy of the operator that is not trusted waits for administrators, and is said once', async () => {
  const app = await testApp()
  const admin = await app.anOfficeAdministrator()
  const proxyOf = async () =>
    (await app.call(waiting.getWaiting, { as: admin })).groups.find(({ kind }) => kind === 'proxy')
  const from = (remoteAddress: string, headers = { 'x-forwarded-for': '203.0.113.1' }) =>
    ({ headers, socket: { remoteAddress } }) as unknown as IncomingMessage
  const watching = (env: { trustedProxies?: string[]; production?: boolean }) =>
    proxyWatch({
      ...app.deps,
      config: { ...app.deps.config, production: true, ...env },
    })

  const watch = watching({})
  for (const address of ['127.0.0.1', '::1', '203.0.113.9']) watch(from(address))
  watch(from('10.0.0.5', {} as never))
  watching({ production: false })(from('10.0.0.5'))
  expect(app.reports).toEqual([])

  watch(from('10.0.0.5'))
  watch(from('10.0.0.6'))
  await expect.poll(proxyOf, PATIENCE).toMatchObject({
    reason: '10.0.0.5 names its clients, but is not in TRUSTED_PROXIES',
  })
  expect(app.reports).toHaveLength(1)

  // A start with the right setting settles it.
  watching({ trustedProxies: ['10.0.0.0/8'] })(from('10.0.0.5'))
  await expect.poll(proxyOf, PATIENCE).toBeUndefined()
})
