import { expect } from 'vitest'
import { labelled } from '../../../src/i18n/listed.ts'
import { inLanguage } from '../../../src/i18n/paths.ts'
import { textsIn } from '../../../src/i18n/texts.ts'
import { NOTICE_KINDS } from '../../../src/rules/upkeep.ts'
import { atOffice } from '../../support/browser.ts'
import { journeys, sharedShop } from '../../support/stage.ts'
import { uiText } from '../../support/texts.ts'

const shop = sharedShop()

journeys('notices', ({ locale, viewport }, test) => {
  const texts = textsIn(locale, 'office-notices:page')
  const [noFolder = ''] = uiText(locale, 'office-notices:folder.text').split('{{')

  test('an administrator learns that mails reach nobody, tries it, and switches notices', async () => {
    const admin = await shop.anOfficeAdministrator({ firstName: 'سلمى', lastName: 'الزواري' })
    const { page } = await atOffice(shop.url, admin, { locale, viewport, at: '/office/notices' })
    await page.locator('.summary').getByText(texts.mail.folder).waitFor()
    await page.getByText(noFolder).first().waitFor()

    await page.getByRole('button', { name: texts.mail.test }).click()
    const filed = page.locator('.summary').getByRole('alert')
    await filed.getByText('/outbox').waitFor()
    expect(await filed.textContent()).toContain(admin.email)

    const { switchOff, switchOn, kinds, done } = texts.notices
    const off = page.getByRole('button', { name: new RegExp(`^${switchOff} ?: `) })
    expect(await off.count()).toBe(NOTICE_KINDS.length)
    await page.getByRole('button', { name: labelled(locale, switchOff, kinds.backup) }).click()
    await page.getByText(done.off).waitFor()
    await page.getByRole('button', { name: labelled(locale, switchOn, kinds.backup) }).click()
    await page.getByText(done.on).waitFor()
    expect(await off.count()).toBe(NOTICE_KINDS.length)

    // Where a page says that a mail is sent, it says so too.
    await page.goto(inLanguage(locale, '/office/people'))
    await page.getByText(noFolder).first().waitFor()
    await page.goto(inLanguage(locale, '/office'))
    await page.getByText(noFolder).first().waitFor()
  })
})
