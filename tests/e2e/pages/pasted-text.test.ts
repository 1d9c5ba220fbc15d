import { expect, test } from 'vitest'
import { pathIn } from '../../../src/i18n/paths.ts'
import { fill, newVisitor, untilHydrated } from '../../support/browser.ts'
import { button } from '../../support/scene-steps.ts'
import { PERSONAS, sharedShop } from '../../support/stage.ts'
import { uiText } from '../../support/texts.ts'

const shop = sharedShop()

test.each(PERSONAS)('a registration with pasted marks $who', async ({ locale, viewport }) => {
  const { page } = await newVisitor(shop.url, { locale, viewport })
  const text = (key: 'username' | 'firstName' | 'lastName' | 'phone' | 'email') =>
    uiText(locale, `account:register.${key}`)
  const email = `pasted.${locale}@karras.test`
  await page.goto(pathIn(locale, '/register'))
  await untilHydrated(page)
  await fill(page, text('username'), '\u200f\u200b')
  await fill(page, text('firstName'), '\u2067أمل\u2069')
  await fill(page, text('lastName'), 'بن\u00a0صالح')
  await fill(page, text('phone'), locale === 'ar' ? '(+216)\u00a098‑555‑101' : '216 98/555/102')
  await fill(page, text('email'), `\u200f${email}\u200f`)
  await page.getByLabel(uiText(locale, 'account:register.female')).check()
  await fill(page, uiText(locale, 'account:register.password'), 'é12345'.normalize('NFD'))
  await fill(page, uiText(locale, 'account:register.confirmPassword'), 'é12345'.normalize('NFC'))
  const submit = button(page, locale, 'account:register.submit')
  await submit.click()
  // Only the name of invisible characters is missing.
  const mistakes = page.locator('#main .field__error')
  await expect
    .poll(() => mistakes.allTextContents())
    .toEqual([uiText(locale, 'account:register.errors.username')])
  await fill(page, text('username'), 'أمل')
  await submit.click()
  await page.waitForURL((url) => url.pathname === pathIn(locale, '/login'))
  const { kysely } = shop.database
  const account = await kysely
    .selectFrom('users')
    .select(['email', 'username', 'firstName', 'lastName', 'phone'])
    .where('email', '=', email)
    .executeTakeFirst()
  expect(account).toEqual({
    email,
    username: 'أمل',
    firstName: 'أمل',
    lastName: 'بن صالح',
    phone: locale === 'ar' ? '98555101' : '98555102',
  })
})
