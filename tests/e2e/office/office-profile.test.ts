import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import type { Locale } from '../../../src/i18n/locales.ts'
import { inLanguage } from '../../../src/i18n/paths.ts'
import { atOffice, PHONE } from '../../support/browser.ts'
import { aPicture } from '../../support/picture.ts'
import { button, link } from '../../support/scene-steps.ts'
import { ARABIC, FRENCH, sharedShop } from '../../support/stage.ts'
import { uiText } from '../../support/texts.ts'

const shop = sharedShop()

/** Console errors of a refused request. */
const allowed = [/status of (400|409|415)/]

const field = (page: Page, name: string) => page.locator(`.profile__text [name="${name}"]`)
const choice = (page: Page, group: string, at: number) =>
  page.locator(`fieldset:has([name="${group}"]) .choice-card`).nth(at)
const save = (page: Page, locale: Locale) =>
  button(page, locale, 'office-profile:form.submit').click()
const isSaved = (page: Page, locale: Locale) =>
  page.locator('.save-state').getByText(uiText(locale, 'office:form.saved')).waitFor()

/** Polls the HTML at a URL; a stored page follows a change within seconds. */
const expectHtml = (path: string) => expect.poll(async () => (await fetch(shop.url + path)).text())

test('in Arabic on a phone: names, bio, subjects and a picture, public at once', async () => {
  const teacher = await shop.anOfficeTeacher({ firstName: 'سلمى', lastName: 'الزواري' })
  const fractions = await shop.aDocument({ teacherId: teacher.teacherId })
  const publicPath = `/teacher-details/${teacher.teacherId}`
  const cardPath = `/fr/shop-details/${fractions.id}`
  // Stored, like pages that somebody has visited.
  for (const path of [`/fr${publicPath}`, '/teachers', cardPath]) {
    expect((await fetch(shop.url + path)).status).toBe(200)
  }
  const { page } = await atOffice(shop.url, teacher, { ...ARABIC, allowed, at: '/office' })
  await page.locator('.office-bar:visible button').click()
  await link(page.locator('.office-panel:popover-open'), 'ar', 'office:menu.profile').click()
  await page.waitForURL(/\/office\/profile$/)
  await field(page, 'firstName').waitFor()
  const preview = page.locator('.profile-preview')
  await expect.poll(() => preview.locator('.avatar').first().innerText()).toBe('س\u200c ا')

  // An invalid value is reported at its field, which gets the focus.
  await field(page, 'bio').fill('')
  await field(page, 'latinName').fill('سلمى')
  await field(page, 'lastName').fill('ز'.repeat(5000))
  await save(page, 'ar')
  await expect.poll(() => page.locator('.field__error').count()).toBe(3)
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('name')))
    .toBe('lastName')

  await field(page, 'lastName').fill('الزواري')
  await field(page, 'latinName').fill('Salma Zouari')
  await field(page, 'bio').fill('أدرّس <b>الرياضيات</b>.\nفي صفاقس.')
  await field(page, 'bioFr').fill('J’enseigne à Sfax.')
  await choice(page, 'subjectIds', 0).click()
  await choice(page, 'subjectIds', 2).click()
  await choice(page, 'levels', 1).click()
  const subject = await choice(page, 'subjectIds', 0).innerText()
  await preview.getByText(subject).first().waitFor()
  await preview.getByRole('button', { name: 'Français' }).click()
  await preview.getByText('Salma Zouari').first().waitFor()
  await preview.getByText('J’enseigne à Sfax.').waitFor()

  // Nobody sees it yet; it survives leaving without saving.
  await page.reload()
  await page.getByText(uiText('ar', 'office:form.restored')).waitFor()
  await expect.poll(() => field(page, 'latinName').inputValue()).toBe('Salma Zouari')
  await expect.poll(() => page.locator('.choice-card :checked').count()).toBe(3)
  expect(await (await fetch(`${shop.url}/fr${publicPath}`)).text()).not.toContain('Salma Zouari')

  await save(page, 'ar')
  await isSaved(page, 'ar')
  await expectHtml(`/fr${publicPath}`).toContain('Salma Zouari')
  await expectHtml(`/fr${publicPath}`).toContain('J’enseigne à Sfax.')
  await expectHtml(publicPath).toContain('أدرّس &lt;b&gt;الرياضيات&lt;/b&gt;')
  await expectHtml('/teachers').toContain(subject)
  await expectHtml(cardPath).toContain('Salma Zouari')

  const input = page.locator('input[type="file"]')
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
  await input.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: svg })
  await page.locator('.upload').getByText(uiText('ar', 'errors:codes.not_a_picture')).waitFor()
  const buffer = await aPicture('#6a51a3', 800, 600)
  await input.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer })
  await page.locator('.profile__picture img.avatar').waitFor()
  const [, picture = ''] =
    /\/portraits\/([\da-f]{64})/.exec(
      (await preview.locator('img.avatar').first().getAttribute('src')) ?? '',
    ) ?? []
  await expectHtml(publicPath).toContain(`/media/portraits/${picture}-160.webp`)
  // The metadata for messengers and search engines.
  await expectHtml(publicPath).toContain(`${picture}-640.jpeg`)
  await expectHtml(publicPath).toContain('"@type":"Person"')
  await expectHtml('/teachers').toContain(picture)
  await page.setViewportSize(PHONE)

  await page.goto(publicPath)
  const shown = page.locator('.teacher__card img.avatar')
  await expect
    .poll(() => shown.evaluate((each: HTMLImageElement) => each.naturalWidth))
    .toBeGreaterThan(0)
})

test('in French on a desktop: two tabs notice each other, and a picture is removed', async () => {
  const teacher = await shop.anOfficeTeacher({ firstName: 'ليلى', lastName: 'الغربي', bio: '' })
  const path = inLanguage('fr', '/office/profile')
  const visitor = await atOffice(shop.url, teacher, { ...FRENCH, allowed })
  const { page } = visitor
  // The first page says that this teacher has no public text yet.
  await page.goto(inLanguage('fr', '/office'))
  await link(page, 'fr', 'office:home.lines.profile').click()
  await page.waitForURL(/\/fr\/office\/profile$/)
  await field(page, 'bio').fill('أدرّس العربية.')
  await save(page, 'fr')
  await isSaved(page, 'fr')
  await page.getByText(uiText('fr', 'office-profile:account.none')).waitFor()
  const other = await visitor.context.newPage()
  await other.goto(path)
  await field(other, 'bioFr').waitFor()

  await field(page, 'bioFr').fill('Écrit dans le premier onglet.')
  await save(page, 'fr')
  await isSaved(page, 'fr')
  await field(other, 'bioFr').fill('Écrit dans le second.')
  await choice(other, 'levels', 0).click()
  await save(other, 'fr')
  const conflict = other.locator('.conflict')
  await conflict.waitFor()
  await expect.poll(() => conflict.innerText()).toContain('Écrit dans le premier onglet.')
  await button(conflict, 'fr', 'office-profile:conflict.keep').click()
  await isSaved(other, 'fr')
  await conflict.waitFor({ state: 'detached' })
  await other.close()
  await page.reload()
  await expect.poll(() => field(page, 'bioFr').inputValue()).toBe('Écrit dans le second.')

  const buffer = await aPicture('#11766a', 300, 300)
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name: 'moi.png', mimeType: 'image/png', buffer })
  await page.locator('.profile__picture img.avatar').waitFor()
  await button(page, 'fr', 'office-profile:picture.remove').click()
  await page.locator('.profile__picture span.avatar').waitFor()
  await expectHtml(`/fr/teacher-details/${teacher.teacherId}`).not.toContain('/media/portraits/')
})

test('in French on a desktop: a link of one’s own, which is printed and leads to the page', async () => {
  const [teacher, other] = [await shop.anOfficeTeacher(), await shop.anOfficeTeacher()]
  await shop.database.kysely
    .insertInto('teacherLinks')
    .values({ name: 'pris', teacherId: other.teacherId, chosenAt: new Date() })
    .execute()
  const at = '/office/profile'
  const { page } = await atOffice(shop.url, teacher, { ...FRENCH, allowed, at })
  const choose = async (name: string) => {
    await page.locator('[name="link"]').fill(name)
    await button(page, 'fr', 'office-profile:link.submit').click()
  }
  await choose('Salma Maths')
  await page.getByText(uiText('fr', 'office-profile:link.mistake')).waitFor()
  await choose('pris')
  await page.getByText(uiText('fr', 'office-errors:codes.link_taken')).waitFor()
  await choose('Salma-Maths')
  await page.getByText(uiText('fr', 'office-profile:link.done')).waitFor()
  await link(page, 'fr', 'office-profile:link.poster').click()
  await expect.poll(() => page.locator('.qr-code').count()).toBe(11)
  const address = `${new URL(shop.url).host}/t/salma-maths`
  expect(await page.locator('.poster__address').innerText()).toBe(address)
  await page.goto('/t/salma-maths')
  expect(new URL(page.url()).pathname).toBe(`/teacher-details/${teacher.teacherId}`)
})
