// Following a teacher and a subject of a class: from a stranger's press to the news, and no longer.
import { expect } from 'vitest'
import { pathIn } from '../../../src/i18n/paths.ts'
import { dinars } from '../../../src/rules/money.ts'
import { unsubscribeToken } from '../../../src/server/following/following.ts'
import { keyOfText } from '../../../src/server/http/secret.ts'
import { loggedIn, newVisitor } from '../../support/browser.ts'
import { PATIENCE } from '../../support/patience.ts'
import { button } from '../../support/scene-steps.ts'
import { SECRET } from '../../support/shop.ts'
import { journeys, sharedShop } from '../../support/stage.ts'
import { logIn, openOwnMenu, refuse } from '../../support/steps.ts'
import { uiText } from '../../support/texts.ts'

const shop = sharedShop()

journeys('following', (person, test) => {
  const { locale } = person

  test('begins with a stranger’s press, survives the log-in, and brings news with a dot', async () => {
    const teacher = await shop.aTeacher({ firstName: 'Salma', lastName: `Zitouni ${locale}` })
    await shop.aDocument({ teacherId: teacher.id })
    const parent = await shop.aCustomer()
    const { page } = await newVisitor(shop.url, person)
    const path = pathIn(locale, `/teacher-details/${teacher.id}`)
    await page.goto(path)
    await button(page, locale, 'following:control.follow').click()
    await logIn(page, locale, parent.email)
    await page.waitForURL((url) => url.pathname === path)
    await button(page, locale, 'following:control.stop').waitFor()
    await page.getByText(uiText(locale, 'following:control.done')).waitFor()
    const gap = await page.locator('follow-this').evaluate(({ children }) => {
      const [control, said] = [...children].map((each) => each.getBoundingClientRect())
      if (!control || !said) return 0
      const beside = Math.max(said.left - control.right, control.left - said.right)
      return Math.max(beside, said.top - control.bottom)
    })
    expect(gap).toBeGreaterThanOrEqual(8)

    const published = await shop.aDocument({
      teacherId: teacher.id,
      title: `Nouveau ${locale}`,
      price: dinars(4),
    })
    // The browser asks again after some minutes.
    await page.evaluate(() => localStorage.removeItem('following'))
    await page.reload()
    const hasDot = () => page.evaluate(() => document.documentElement.dataset.news)
    expect(await hasDot()).not.toBe('true')
    await page.locator('h1').click()
    await expect.poll(hasDot, PATIENCE).toBe('true')
    await button(page, locale, 'following:control.stop').waitFor()

    await openOwnMenu(page, locale)
    const way = page.locator('a[href$="/news"]:visible').first()
    await way.getByRole('img', { name: uiText(locale, 'common:menu.newsThere') }).waitFor()
    await way.click()
    const line = page.locator('.news > li').filter({ hasText: published.title })
    await line.waitFor()
    expect(await line.innerText()).toContain(uiText(locale, 'following:page.new'))
    expect(await page.locator('.news-dot:visible').count()).toBe(0)
    await line.getByRole('link').click()
    await page.waitForURL((url) => url.pathname.endsWith(`/shop-details/${published.id}`))

    // It has been seen, and stays in the list.
    await page.goto(pathIn(locale, '/news'))
    await line.waitFor()
    expect(await line.locator('.news__new').count()).toBe(0)
  })

  test('mails once a week, and ends by the link of a mail without a log-in', async () => {
    const parent = await shop.aCustomer()
    const wants = async () =>
      (
        await shop.database.kysely
          .selectFrom('users')
          .select('wantsNews')
          .where('id', '=', parent.id)
          .executeTakeFirstOrThrow()
      ).wantsNews
    const { page } = await newVisitor(shop.url, person)
    const token = unsubscribeToken(keyOfText(SECRET), parent.id)
    await page.goto(`${pathIn(locale, '/unsubscribe')}?token=${token}`)
    const end = button(page, locale, 'following:unsubscribe.submit')
    await end.waitFor()
    expect(await wants()).toBe(true)
    await end.click()
    await page.getByText(uiText(locale, 'following:unsubscribe.done')).waitFor()
    expect(await wants()).toBe(false)

    const { page: own } = await loggedIn(shop.url, parent, person)
    await own.goto(pathIn(locale, '/account'))
    const box = own.getByRole('checkbox', { name: uiText(locale, 'own-account:page.news.wanted') })
    await box.press('Space')
    await own.getByText(uiText(locale, 'own-account:page.news.saved')).waitFor()
    expect([await box.isChecked(), await wants()]).toEqual([true, true])
  })

  test('of a subject of a class is ended where it began, and in the list by the keyboard', async () => {
    const { kysely } = shop.database
    const parent = await shop.aCustomer()
    const { page } = await loggedIn(shop.url, parent, { ...person, allowed: [/status of 5/] })
    const subjects = await kysely
      .selectFrom('documents')
      .innerJoin('niveaux', 'niveaux.id', 'niveauId')
      .innerJoin('matieres', 'matieres.id', 'matiereId')
      .select(['niveaux.code as classe', 'matieres.code as matiere'])
      .where('isPublished', '=', true)
      .where('niveaux.code', 'is not', null)
      .where('matieres.code', 'is not', null)
      .distinct()
      .limit(2)
      .execute()
    // In Arabic the one is a part of the other.
    const control = (name: 'follow' | 'stop') =>
      page.getByRole('button', { name: uiText(locale, `following:control.${name}`), exact: true })
    const [follow, stop] = [control('follow'), control('stop')]
    for (const { classe, matiere } of subjects) {
      await page.goto(pathIn(locale, `/programme/${classe}/${matiere}`))
      await follow.click()
      await stop.waitFor()
    }
    await stop.click()
    await follow.waitFor()
    // A failure is said, and nothing changes.
    await refuse(page, '**/api/follows/*', 500)
    await follow.click()
    await page.getByText(uiText(locale, 'following:control.failed')).waitFor()
    await follow.waitFor()
    await page.unroute('**/api/follows/*')

    await page.goto(pathIn(locale, '/news'))
    const end = page.getByRole('button', { name: uiText(locale, 'following:page.stop') })
    await end.focus()
    await refuse(page, '**/api/follows/*', 500)
    await page.keyboard.press('Enter')
    const failed = page.getByText(uiText(locale, 'following:page.notStopped'))
    await failed.waitFor()
    await page.unroute('**/api/follows/*')
    await page.keyboard.press('Enter')
    await page.getByText(uiText(locale, 'following:page.how')).waitFor()
    // What no longer holds is not said.
    expect(await failed.count()).toBe(0)
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.id), PATIENCE)
      .toBe('follows')
  })
})
