// @everyday: what one writes survives a log-in on the way, and is nobody else's.
import type { Page } from 'playwright'
import { expect } from 'vitest'
import { inLanguage, pathIn } from '../../src/i18n/paths.ts'
import { atOffice, loggedIn, newVisitor, untilHydrated } from '../support/browser.ts'
import { aPair, openChat } from '../support/chat-page.ts'
import { PATIENCE } from '../support/patience.ts'
import { PASSWORD, type Person } from '../support/people.ts'
import { button } from '../support/scene-steps.ts'
import { journeys, sharedShop } from '../support/stage.ts'
import { logIn } from '../support/steps.ts'
import { uiText } from '../support/texts.ts'

const shop = sharedShop()
const WORDS = 'شرح واضح، والصفحة 3 ممتازة'

/**
 * The clock of the browser passes the end of the session; again where an answer on its way has set it
 * back, by the time that the server says.
 */
const sleepOver = (page: Page) =>
  expect
    .poll(async () => {
      const isOver = /\/login\?returnTo=/.test(page.url())
      if (!isOver) await page.clock.fastForward('13:00:00')
      return isOver
    }, PATIENCE)
    .toBe(true)

journeys('words that are not sent yet', ({ locale, viewport }, test) => {
  const visitor = { locale, viewport }
  const comment = (page: Page) => page.locator('.rating-form textarea')

  test('a rating without a log-in comes back with its words, and nobody else sees it', async () => {
    const { id } = await shop.aDocument({ title: `Brouillon ${locale}` })
    const [author, other] = [await shop.aCustomer(), await shop.aCustomer()]
    const path = inLanguage(locale, `/shop-details/${id}`)
    const { page } = await newVisitor(shop.url, visitor)
    await page.goto(path)
    await comment(page).fill(WORDS)
    await page.locator('.star-choice label').nth(3).click()
    await page.waitForURL(/\/login\?returnTo=/)
    await logIn(page, locale, author.email)
    await page.waitForURL((url) => url.pathname === path)
    await expect.poll(() => comment(page).inputValue()).toBe(WORDS)
    await expect.poll(() => page.locator('.star-choice .is-lit').count()).toBe(4)
    // It is one press away.
    await page.keyboard.press('Enter')
    await page.getByText(uiText(locale, 'ratings:form.messages.success')).waitFor()
    expect(await page.evaluate(() => Object.keys(sessionStorage))).toEqual([])

    // The session ends without a log-out, and somebody else logs in with the same browser.
    await comment(page).fill(`${WORDS}!`)
    await page.evaluate(() => localStorage.removeItem('token'))
    await page.goto(`${pathIn(locale, '/login')}?returnTo=${encodeURIComponent(path)}`)
    await logIn(page, locale, other.email)
    await page.waitForURL((url) => url.pathname === path)
    await comment(page).focus()
    await page.locator('main astro-island[ssr]:has(.rating-form)').waitFor({ state: 'detached' })
    await expect.poll(() => comment(page).inputValue()).toBe('')
    expect(await page.evaluate(() => Object.keys(sessionStorage))).toEqual([])
  })

  test('a report from before a log-in opens again with its words', async () => {
    const { id } = await shop.aDocument({ title: `Signalement ${locale}` })
    const author = await shop.aCustomer()
    const path = inLanguage(locale, `/shop-details/${id}`)
    const { page } = await newVisitor(shop.url, visitor)
    await page.goto(path)
    await button(page, locale, 'reports:link.open').click()
    const dialog = page.getByRole('dialog')
    await dialog.locator('select').selectOption('wrong')
    await dialog.locator('textarea').fill(WORDS)
    await dialog.getByRole('link').click()
    await page.waitForURL(/\/login\?returnTo=/)
    await logIn(page, locale, author.email)
    await page.waitForURL((url) => url.pathname === path)
    await expect.poll(() => dialog.locator('textarea').inputValue()).toBe(WORDS)
    await expect.poll(() => dialog.locator('select').inputValue()).toBe('wrong')
    await button(dialog, locale, 'report-dialog:send').click()
    await dialog.getByText(uiText(locale, 'report-dialog:sent')).waitFor()
    expect(await page.evaluate(() => Object.keys(sessionStorage))).toEqual([])
  })

  test('a custom order that outlives its session opens again with its words', async () => {
    const author = await shop.aCustomer()
    const path = pathIn(locale, '/shop')
    const { page } = await loggedIn(shop.url, author, visitor)
    await page.clock.install()
    await page.goto(path)
    await button(page, locale, 'chat:order.open').click()
    const details = page.getByRole('dialog').locator('textarea')
    await details.fill(WORDS)
    await sleepOver(page)
    await logIn(page, locale, author.email)
    await page.waitForURL((url) => url.pathname === path)
    await expect.poll(() => details.inputValue()).toBe(WORDS)
    await button(page.getByRole('dialog'), locale, 'chat:order.cancel').click()
    expect(await page.evaluate(() => Object.keys(sessionStorage))).toEqual([])
  })

  test('a message in the chat that outlives its session is still in its room', async () => {
    const { customer } = await aPair(shop)
    const { page } = await loggedIn(shop.url, customer, { ...visitor, allowed: [/WebSocket/] })
    await page.clock.install()
    await openChat(page, locale)
    const text = page.locator('.composer__text')
    await text.fill(WORDS)
    await sleepOver(page)
    await logIn(page, locale, customer.email)
    await page.waitForURL((url) => url.pathname === pathIn(locale, '/chat'))
    await expect.poll(() => text.inputValue()).toBe(WORDS)
  })

  test('a reason in the office that outlives its session is there again for the same person', async () => {
    const [person, another] = [await shop.aCustomer(), await shop.aCustomer()]
    const admin = await shop.anOfficeAdministrator()
    const { page } = await atOffice(shop.url, admin, visitor)
    await page.clock.install()
    const askAbout = async ({ id }: Person) => {
      await page.goto(`${pathIn(locale, '/office/person')}?id=${id}`)
      await untilHydrated(page)
      await button(page, locale, 'office-people:person.acts.block.button').click()
    }
    const reason = page.getByRole('dialog').locator('textarea')
    await askAbout(person)
    await reason.fill(WORDS)
    await sleepOver(page)
    await page.locator('[name=username]').fill(admin.email)
    await page.locator('[name=password]').fill(PASSWORD)
    await page.locator('main button[type=submit]').click()
    await page.waitForURL((url) => url.pathname === pathIn(locale, '/office/person'))
    await askAbout(another)
    await expect.poll(() => reason.inputValue()).toBe('')
    await askAbout(person)
    await expect.poll(() => reason.inputValue()).toBe(WORDS)
  })
})
