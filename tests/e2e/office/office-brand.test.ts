import { expect, test } from 'vitest'
import { FIRST_PEN } from '../../../src/rules/brand.ts'
import { SITE } from '../../../src/site.ts'
import { atOffice, DESKTOP } from '../../support/browser.ts'
import { PATIENCE } from '../../support/patience.ts'
import { shopForFile } from '../../support/stage.ts'
import { uiText } from '../../support/texts.ts'

const shop = shopForFile({})

test('an administrator renames the shop, chooses a colour and a logo, and takes the logo back', async () => {
  const admin = await shop.anOfficeAdministrator()
  const { page, leave } = await atOffice(shop.url, admin, {
    locale: 'fr',
    viewport: DESKTOP,
    allowed: [/status of 415/],
  })
  await page.goto('/fr/office/facts#brand')
  // The link of the first page opens the group that it names.
  const form = page.locator('#brand form')
  await form.locator('[name="name.fr"]').fill('L’Étoile')
  await form.locator('[name="accent"]').fill('#FFDF6B')
  await expect.poll(() => page.getByText(uiText('fr', 'office-site:brand.derived')).count()).toBe(1)
  await form.locator('input[type=color]').fill(FIRST_PEN)
  expect(await form.locator('[name="accent"]').inputValue()).toBe(FIRST_PEN)

  const choose = form.locator('input[type=file]')
  const wrong = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')
  await choose.setInputFiles({ name: 'a.svg', mimeType: 'image/svg+xml', buffer: wrong })
  await page.getByText(uiText('fr', 'office-errors:codes.not_a_logo')).waitFor()
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><circle cx="9" cy="9" r="9"/></svg>'
  await choose.setInputFiles({
    name: 'b.svg',
    mimeType: 'image/svg+xml',
    buffer: Buffer.from(svg),
  })
  const shown = form.locator('.brand-logo__shown img')
  await shown.waitFor()
  await form.locator('[type=submit]').click()
  const brand = async () => (await (await fetch(`${shop.url}/api/site/facts`)).json()).brand
  await expect.poll(async () => (await brand()).name.fr, PATIENCE).toBe('L’Étoile')
  await form.locator('.save-state', { hasText: uiText('fr', 'office:form.saved') }).waitFor()
  const { logo, accent } = await brand()
  expect([await shown.getAttribute('src'), accent]).toEqual([`/media/brand/${logo}`, FIRST_PEN])

  await page.getByRole('button', { name: uiText('fr', 'office-site:brand.noLogo') }).click()
  await form.locator('[type=submit]').click()
  await expect.poll(async () => (await brand()).logo, PATIENCE).toBe('')
  expect((await brand()).name.ar).toBe(SITE.name.ar)
  await leave()
})
