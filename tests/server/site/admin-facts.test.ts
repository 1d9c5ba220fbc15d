import { beforeAll, describe, expect, test } from 'vitest'
import * as facts from '../../../src/contract/office-facts.ts'
import * as versions from '../../../src/contract/office-site-versions.ts'
import * as site from '../../../src/contract/site.ts'
import { initiateRecharge } from '../../../src/contract/wallet.ts'
import { TEXTS } from '../../../src/i18n/texts.ts'
import { inEachLanguage } from '../../../src/rules/languages.ts'
import { moneyMailWriters } from '../../../src/server/money/mails.ts'
import { EXAMPLE_FACTS } from '../../../src/site.ts'
import { type TestApp, testApp } from '../../support/app.ts'
import { refused } from '../../support/refusals.ts'
import { actionsOn } from '../../support/staff-log.ts'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['anOfficeAdministrator']>>
let other: typeof admin

beforeAll(async () => {
  app = await testApp()
  admin = await app.anOfficeAdministrator({ firstName: 'Hajer', lastName: 'Mansouri' })
  other = await app.anOfficeAdministrator({ firstName: 'Anis', lastName: 'Kasmi' })
  return app.stop
})

const publicFacts = () => app.call(site.getFacts, {})
const officeFacts = () => app.call(facts.getOfficeFacts, { as: admin })

describe('facts', () => {
  test('are those of the repository, then what an administrator saves, and can be restored', async () => {
    expect(await publicFacts()).toEqual(EXAMPLE_FACTS)
    const { groups } = await officeFacts()
    expect(groups.contact).toEqual({ revision: 0, changed: null })
    const value = { ...EXAMPLE_FACTS.contact, phones: ['0021671123456', ' 98 765 432 '] }
    const saved = await app.call(facts.saveContact, { as: admin, body: { revision: 0, value } })
    const phones = ['+216 71 123 456', '+216 98 765 432']
    expect(saved.facts.contact.phones).toEqual(phones)
    expect(saved.groups.contact).toMatchObject({ revision: 1, changed: { by: 'Hajer Mansouri' } })
    expect((await publicFacts()).contact.phones).toEqual(phones)
    expect(app.published).toContain('every-page')
    // Saving the same values is no change.
    const same = await app.call(facts.saveContact, {
      as: other,
      body: { revision: 0, value: saved.facts.contact },
    })
    expect(same.groups.contact.revision).toBe(1)
    const subject = 'facts contact' as const
    const differences = await app.call(versions.getSiteDifferences, {
      as: admin,
      params: { revision: 1 },
      query: { subject },
    })
    expect(differences.map(({ field }) => field)).toEqual(['phones.0', 'phones.1'])
    await app.call(versions.restoreSiteVersion, {
      as: other,
      body: { subject, revision: 1, to: 0 },
    })
    expect(await publicFacts()).toEqual(EXAMPLE_FACTS)
    const { content } = await app.call(versions.listSiteVersions, { as: admin, query: { subject } })
    expect(content).toMatchObject([
      { revision: 2, by: 'Anis Kasmi', restores: 0 },
      { revision: 1, by: 'Hajer Mansouri', restores: null },
    ])
    expect(await actionsOn(app, subject)).toEqual([
      { actor: `user ${admin.id}`, action: 'change' },
      { actor: `user ${other.id}`, action: 'restore' },
    ])
  })

  test('appear in payment mails from then on', async () => {
    const { groups } = await officeFacts()
    const value = { phone: '22333444', holder: 'LIBRAIRIE KARRAS' }
    await app.call(facts.saveD17, { as: admin, body: { revision: groups.d17.revision, value } })
    const buyer = await app.aCustomer()
    const { paymentRef: reference } = await app.call(initiateRecharge, {
      as: buyer,
      key: 'k',
      body: { userId: buyer.id, amount: 20, paymentMethod: 'd17' },
    })
    const due = { userId: buyer.id, reference }
    const mail = await moneyMailWriters(app.deps).payment_waiting(due, TEXTS)
    const text = mail?.text ?? ''
    expect(text).toContain('+216 22 333 444')
    expect(text).toContain('LIBRAIRIE KARRAS')
  })

  test.each([
    ['phones', { phones: ['123'] }],
    ['email', { email: 'nobody' }],
    ['addresses', { addresses: [{ ...inEachLanguage(() => 'a'), ar: '' }] }],
    ['school', { school: { ...inEachLanguage(() => 'a'), ar: '<b>' } }],
    ['place', { place: { latitude: 95, longitude: 0 } }],
  ])('refuse a wrong %s', async (field, wrong) => {
    const value = { ...EXAMPLE_FACTS.contact, ...wrong }
    const answer = await refused(
      app.call(facts.saveContact, { as: admin, body: { revision: 2, value } }),
    )
    expect(answer).toMatchObject({ status: 400, code: 'invalid_input' })
    expect(Object.keys(answer.fields ?? {})[0]).toContain(`value.${field}`)
  })

  test.each(['http://a.tn', 'javascript:alert(1)', 'https://u:p@a.tn', 'https://a.tn/"', 'a.tn'])(
    'refuse the link %s, and a bank account with wrong check digits',
    async (url) => {
      const value = { followers: 1, links: [{ name: 'x', url }] }
      const link = app.call(facts.saveCommunity, { as: admin, body: { revision: 0, value } })
      expect(await refused(link)).toMatchObject({ status: 400 })
      const bank = { ...EXAMPLE_FACTS.bank, rib: '00 000 0000000000000 96' }
      const saved = app.call(facts.saveBank, { as: admin, body: { revision: 0, value: bank } })
      expect(await refused(saved)).toMatchObject({ fields: { 'value.rib': 'pattern' } })
    },
  )
})
