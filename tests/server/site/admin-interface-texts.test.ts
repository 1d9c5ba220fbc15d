import { beforeAll, describe, expect, test } from 'vitest'
import * as texts from '../../../src/contract/office-interface-texts.ts'
import * as versions from '../../../src/contract/office-site-versions.ts'
import * as site from '../../../src/contract/site.ts'
import { shippedTexts } from '../../../src/i18n/texts.ts'
import { readTexts } from '../../../src/server/site-texts/site-texts.ts'
import { type TestApp, testApp } from '../../support/app.ts'
import { refused } from '../../support/refusals.ts'
import { actionsOn } from '../../support/staff-log.ts'
import { uiText } from '../../support/texts.ts'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['anOfficeAdministrator']>>
let other: typeof admin

beforeAll(async () => {
  app = await testApp()
  admin = await app.anOfficeAdministrator({ firstName: 'Hajer', lastName: 'Mansouri' })
  other = await app.anOfficeAdministrator({ firstName: 'Anis', lastName: 'Kasmi' })
  return app.stop
})

describe('texts of the interface', () => {
  const KEY = 'cart:add.add'
  const GREETING = 'mail:hello'
  const publicTexts = async () => (await app.call(site.getInterfaceTexts, {})).texts
  const find = (query: object) => app.call(texts.listInterfaceTexts, { as: admin, query })
  const read = (key: string) => app.call(texts.getInterfaceText, { as: admin, query: { key } })
  const save = (key: string, text: string, more: object = {}, as = admin) =>
    app.call(texts.saveInterfaceText, {
      as,
      body: { key, locale: 'fr', revision: 0, text, ...more },
    })

  test('are found by their words in any language, folded, and by their keys', async () => {
    const [key] = [...shippedTexts('ar').keys()].filter((each) => each.startsWith('shop:'))
    const [arabic = '', french = ''] = (['ar', 'fr'] as const).map((each) =>
      shippedTexts(each).get(key ?? ''),
    )
    for (const q of [key, arabic, french?.toUpperCase()]) {
      const { content } = await find({ q, size: 100 })
      expect(content.map((text) => text.key)).toContain(key)
    }
    const { totalElements } = await find({})
    expect(totalElements).toBeGreaterThan(500)
    expect((await find({ q: 'xyzxyz' })).content).toEqual([])
    expect(
      (await find({ q: 'office' })).content.filter(({ key }) => key.startsWith('office')),
    ).toEqual([])
  })

  test('an override is public at once, in mails as well, and can be removed', async () => {
    const before = app.published.length
    const saved = await save(GREETING, 'Cher {{name}},')
    expect(saved.fr).toMatchObject({
      shipped: uiText('fr', GREETING),
      own: 'Cher {{name}},',
      revision: 1,
      changed: { by: 'Hajer Mansouri' },
    })
    expect(saved.ar).toMatchObject({ own: null, revision: 0 })
    expect((await publicTexts()).fr).toEqual({ [GREETING]: 'Cher {{name}},' })
    expect(app.published.slice(before)).toContain('every-page')
    expect((await readTexts(app.deps.database.kysely)).fr.mail.hello).toBe('Cher {{name}},')
    expect((await find({ state: 'own' })).content.map(({ key }) => key)).toEqual([GREETING])
    expect((await find({ q: 'CHÈR name', size: 100 })).content.map(({ key }) => key)).toContain(
      GREETING,
    )
    const subject = `text fr ${GREETING}` as const
    const [changed] = await app.call(versions.getSiteDifferences, {
      as: admin,
      params: { revision: 1 },
      query: { subject },
    })
    expect(changed?.parts.filter(({ kind }) => kind === 'added')[0]?.text).toContain('Cher')
    await app.call(versions.restoreSiteVersion, {
      as: other,
      body: { subject, revision: 1, to: 0 },
    })
    expect((await publicTexts()).fr).toEqual({})
    expect((await readTexts(app.deps.database.kysely)).fr.mail.hello).toBe(uiText('fr', GREETING))
    expect((await read(GREETING)).fr).toMatchObject({ own: null, revision: 2 })
    expect(await actionsOn(app, subject)).toEqual([
      { actor: `user ${admin.id}`, action: 'change' },
      { actor: `user ${other.id}`, action: 'restore' },
    ])
  })

  test('the shipped text itself is not an override', async () => {
    const { fr } = await read(GREETING)
    const revision = fr?.revision ?? 0
    await save(GREETING, 'Salut {{name}},', { revision })
    await save(GREETING, uiText('fr', GREETING), { revision: revision + 1 })
    expect((await read(GREETING)).fr).toMatchObject({ own: null, revision: revision + 2 })
  })

  test.each([
    ['Bonjour,', 'placeholder'],
    ['Bonjour {{nom}},', 'placeholder'],
    ['Bonjour {{name}} {{name, upper}},', 'placeholder'],
    ['Bonjour {{name}} {{', 'placeholder'],
    ['<b>Bonjour</b> {{name}}', 'html'],
    ['$t(common:skip) {{name}}', 'invalid'],
    [`{{name}} ${'x'.repeat(200)}`, 'maxLength'],
    ['  ', 'required'],
  ])('%j is refused', async (text, why) => {
    const answer = await refused(save(GREETING, text))
    expect(answer).toMatchObject({ status: 400, fields: { text: why } })
  })

  test.each([
    'office:menu.home',
    'busy:title',
    'own-rating:title',
    'shop:nothing',
    '__proto__',
    'shop:toString',
  ])('%s is not offered: a change would never be shown', async (key) => {
    expect(await refused(save(key, 'x'))).toMatchObject({ status: 404 })
    expect(await refused(read(key))).toMatchObject({ status: 404 })
  })

  test('two administrators at once: one saves, the other is told who was first', async () => {
    const both = await Promise.allSettled([save(KEY, 'Prendre'), save(KEY, 'Choisir', {}, other)])
    const lost = both.filter(({ status }) => status === 'rejected')
    expect(lost).toHaveLength(1)
    const [{ reason }] = lost as [PromiseRejectedResult]
    const own = (await read(KEY)).fr?.own
    const winner = own === 'Prendre' ? 'Hajer Mansouri' : 'Anis Kasmi'
    expect(reason.body).toMatchObject({ error: 'done_before', done: { by: winner } })
  })

  test('an override that is invalid since an update is reported, and not shown to buyers', async () => {
    const version = {
      subject: 'text en mail:hello',
      revision: 1,
      value: JSON.stringify('Hello {{who}},'),
      restores: null,
      actor: `user ${admin.id}`,
      madeAt: new Date(app.deps.now()),
    }
    const gone = { ...version, subject: 'text en mail:gone' }
    await app.deps.database.kysely.insertInto('siteVersions').values([version, gone]).execute()
    expect((await publicTexts()).en).toEqual({})
    const { content } = await find({ state: 'ignored' })
    expect(content.map(({ key }) => key)).toEqual([GREETING, 'mail:gone'])
    expect(content[0]?.en).toMatchObject({ own: 'Hello {{who}},', isIgnored: true })
    const again = app.call(versions.restoreSiteVersion, {
      as: admin,
      body: { subject: 'text en mail:hello', revision: 1, to: 1 },
    })
    expect(await refused(again)).toMatchObject({ status: 400 })
    await app.call(versions.restoreSiteVersion, {
      as: admin,
      body: { subject: 'text en mail:gone', revision: 1, to: 0 },
    })
    expect((await find({ state: 'ignored' })).totalElements).toBe(1)
  })
})
