// @everyday: what a failed, a late and a successful answer say, where one looks.
import type { ElementHandle, Route } from 'playwright'
import { describe, expect, test } from 'vitest'
import { CALLS } from '../../src/contract/index.ts'
import type { Locale } from '../../src/i18n/locales.ts'
import { inLanguage } from '../../src/i18n/paths.ts'
import { dinars } from '../../src/rules/money.ts'
import { type Action, SHOP_ACTIONS } from '../support/actions.ts'
import { RUN } from '../support/amount.ts'
import { atOffice, loggedIn, newVisitor, untilHydrated, type Visitor } from '../support/browser.ts'
import { OFFICE_ACTIONS } from '../support/office-actions.ts'
import { expectSaid, isBusy, notePlace } from '../support/said.ts'
import { visitorOf } from '../support/scenes/cast.ts'
import { SCENES } from '../support/scenes/scenes.ts'
import { castOf, PERSONAS, type Persona, sharedShop } from '../support/stage.ts'
import { type TextKey, uiText } from '../support/texts.ts'

const shop = sharedShop()
const cast = castOf(shop)

/** Each action is tried once, the persons taking turns; those of everyday by each. */
const triedBy = (person: number) =>
  [...SHOP_ACTIONS, ...OFFICE_ACTIONS].filter(({ isEveryday }, at) => {
    if (isEveryday || RUN === 'long') return true
    return RUN !== 'everyday' && at % PERSONAS.length === person
  })

/** The words of a text up to its first value. */
const wordsOf = (locale: Locale, key: TextKey) => (uiText(locale, key).split('{{')[0] ?? '').trim()

/** A visitor who has got to the control. */
async function visitorAt(action: Action, persona: Persona): Promise<Visitor> {
  const { locale } = persona
  const options = { ...persona, allowed: [/status of [45]/] }
  if (action.scene) {
    const scene = SCENES.find(({ name }) => name === action.scene)
    if (!scene) throw new Error(`no scene ${action.scene}`)
    const visitor = await visitorOf(scene, cast, shop.url, options)
    await scene.show(visitor.page, locale)
    await action.prepare?.(visitor.page, locale)
    return visitor
  }
  const { who = 'customer' } = action
  const person =
    who === 'administrator'
      ? await shop.anOfficeAdministrator()
      : await shop.aCustomer({ balance: dinars(60) })
  const address = inLanguage(locale, (await action.open?.(shop, person)) ?? '/')
  const visitor =
    who === 'visitor'
      ? await newVisitor(shop.url, options)
      : who === 'customer'
        ? await loggedIn(shop.url, person, options)
        : await atOffice(shop.url, person, options)
  await visitor.page.goto(address)
  // The islands of a document's page wake when they are touched.
  if (!address.includes('/shop-details/')) await untilHydrated(visitor.page)
  await action.prepare?.(visitor.page, locale)
  return visitor
}

/** The method of a call, and what its addresses look like. */
function addressOf(name: string): [method: string, path: RegExp] {
  const call = CALLS[name]
  if (!call) throw new Error(`no call ${name}`)
  return [call.method, new RegExp(`/api${call.path.replace(/:\w+/g, '[^/]+')}(\\?|$)`)]
}

describe.each(PERSONAS.map((persona, person) => ({ ...persona, person })))(
  'what is said, $who',
  ({ person, ...persona }) => {
    const { locale } = persona
    test.each(triedBy(person))('$what: late, failed, and done', async (action) => {
      const { late, status = 500, failed = 'errors:codes.server_error', done } = action
      const { page } = await visitorAt(action, persona)
      let calls = 0
      const held = Promise.withResolvers<void>()
      const [method, path] = addressOf(action.call)
      await page.route(path, async (route: Route) => {
        if (route.request().method() !== method) return route.fallback()
        calls++
        if (calls > 1) return route.fallback()
        await held.promise
        const error = status === 500 ? 'server_error' : 'forbidden'
        await route.fulfill({ status, json: { status, error, message: '' } })
      })
      const control = action.control
        ? action.control(page, locale)
        : page.getByRole('dialog').locator('.dialog__foot button').last()
      await notePlace(control)
      // Its text may change while it waits.
      const pressed = (await control.elementHandle()) as ElementHandle<HTMLElement>
      await control.press('Space')
      await expect.poll(() => calls).toBe(1)
      if (late) {
        await page.getByText(uiText(locale, late)).first().waitFor()
      } else {
        await expect.poll(() => isBusy(pressed)).toBe(true)
        await pressed.evaluate((element) => element.click())
      }
      held.resolve()
      await expectSaid(page, wordsOf(locale, failed))
      expect(calls).toBe(1)
      if (!done) return

      await action.again?.(page, locale)
      await notePlace(control)
      await control.press('Space')
      await expectSaid(page, wordsOf(locale, done))
      expect(calls).toBe(2)
    })
  },
)
