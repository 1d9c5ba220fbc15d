import type { Page } from 'playwright'
import { expect } from 'vitest'
import { fillText, pluralText } from '../../../src/i18n/format.ts'
import { pathIn } from '../../../src/i18n/paths.ts'
import { textsIn } from '../../../src/i18n/texts.ts'
import { dinars } from '../../../src/rules/money.ts'
import { documentTag } from '../../../src/rules/page-tags.ts'
import { ANSWER_MAX_LENGTH } from '../../../src/rules/rating.ts'
import { roomId } from '../../../src/rules/room.ts'
import { noteChanges } from '../../../src/server/publishing/changes/changes.ts'
import { atOffice, newVisitor, untilHydrated } from '../../support/browser.ts'
import { button } from '../../support/scene-steps.ts'
import { journeys, sharedShop } from '../../support/stage.ts'
import { type KeyIn, uiText } from '../../support/texts.ts'

const shop = sharedShop()

journeys('a teacher', (person, test) => {
  const { locale } = person
  const text = (key: KeyIn<'office-ratings'>) => uiText(locale, `office-ratings:${key}`)
  const cards = (page: Page) => page.locator('.received')
  const press = (page: Page, key: KeyIn<'office-ratings'>) =>
    page.getByRole('button', { name: text(key), exact: true }).click()
  const open = async (page: Page, path: `/office${string}`) => {
    await page.goto(pathIn(locale, '/office') + path.slice('/office'.length))
    await untilHydrated(page)
  }

  test('answers a rating, which buyers read below it, edits the answer and deletes it', async () => {
    const teacher = await shop.anOfficeTeacher({ firstName: 'Salma', lastName: 'Zouari' })
    const { teacherId } = teacher
    const document = await shop.aDocument({ teacherId, title: 'الكسور', price: dinars(2) })
    const { page } = await atOffice(shop.url, teacher, { ...person, allowed: [/ERR_FAILED/] })

    await page.route('**/api/office/ratings?*', (route) => route.abort())
    await open(page, '/office/ratings')
    await page.locator('.error-state').waitFor()
    await page.unroute('**/api/office/ratings?*')
    await button(page, locale, 'office:table.retry').click()
    await page.getByText(text('ratings.empty.title')).waitFor()

    const buyer = await shop.aCustomer({ balance: dinars(5), firstName: 'Amal', lastName: 'Ben' })
    await shop.buys(buyer, [document.id])
    const guest = await shop.aCustomer()
    const subject = { document: { id: document.id } }
    const comment = 'شرح واضح\nhttps://example.com'
    const rate = (who: typeof buyer, rating: number, words: string) =>
      shop.send(who, 'POST', '/ratings', {
        user: { id: who.id },
        rating,
        comment: words,
        ...subject,
      })
    await rate(guest, 5, '')
    await rate(buyer, 2, comment)
    const address = pathIn(locale, `/shop-details/${document.id}`)
    // Without the time of day at which the rating was written.
    const html = async () =>
      (await (await fetch(shop.url + address)).text()).replaceAll(/T[\d:.]+Z/g, '')
    // Ratings reach the pages within a minute; this one is published at once.
    await noteChanges(shop.database.kysely, [documentTag(document.id)])
    await expect.poll(html).toContain('شرح واضح')
    const unanswered = await html()

    await page.goto(pathIn(locale, '/office'))
    const waits = pluralText(locale, textsIn(locale, 'office:home.lines'), 'ratings', 1)
    await page.getByRole('link', { name: waits }).click()
    await expect.poll(() => cards(page).count()).toBe(1)
    await expect.poll(() => cards(page).innerText()).toContain(text('ratings.verified'))
    await expect.poll(() => cards(page).locator('a').count()).toBe(1)
    await press(page, 'ratings.write')
    const field = page.getByLabel(text('ratings.form.label'), { exact: true })
    await press(page, 'ratings.form.submit')
    await page.getByText(text('ratings.form.required')).waitFor()
    await field.fill('x'.repeat(ANSWER_MAX_LENGTH + 1))
    await press(page, 'ratings.form.submit')
    const tooLong = fillText(text('ratings.form.tooLong'), { most: ANSWER_MAX_LENGTH })
    await page.getByText(tooLong).waitFor()

    // The input survives a reload.
    await field.fill('شكرا، صحّحته. Merci <b>!</b>')
    await page.reload()
    await page.getByText(uiText(locale, 'office:form.restored')).waitFor()
    await expect.poll(() => field.inputValue()).toBe('شكرا، صحّحته. Merci <b>!</b>')
    await press(page, 'ratings.form.submit')
    await page.getByText(text('ratings.done')).waitFor()
    await button(page, locale, 'office:table.clear').click()
    await expect.poll(() => cards(page).count()).toBe(2)
    const mine = page.locator('.received__answer')
    await expect.poll(() => mine.innerText()).toContain('Merci <b>!</b>')

    await expect.poll(html).toContain('Merci &lt;b&gt;!&lt;/b&gt;')
    const parent = await newVisitor(shop.url, person)
    await parent.page.goto(address)
    const shown = parent.page.locator('.comment', { hasText: 'شرح واضح' }).locator('.alert')
    await expect.poll(() => shown.innerText()).toContain(uiText(locale, 'ratings:comments.answer'))
    await expect
      .poll(() => shown.locator('[dir="auto"]').innerText())
      .toBe('شكرا، صحّحته. Merci <b>!</b>')
    expect(await shown.locator('a').count()).toBe(0)
    await parent.leave()

    // Its author edits the rating: the answer stays, and asks for a check.
    await rate(buyer, 4, comment)
    await page.getByLabel(text('ratings.filters.awaits')).selectOption('answer')
    await page.getByText(text('ratings.outdated')).waitFor()
    await press(page, 'ratings.change')
    await field.fill('Merci encore')
    await press(page, 'ratings.form.submit')
    await button(page, locale, 'office:table.clear').click()
    await expect.poll(() => mine.innerText()).toContain('Merci encore')
    await press(page, 'ratings.remove')
    const dialog = page.getByRole('dialog', { name: text('ratings.removal.title') })
    await dialog.waitFor()
    await dialog.getByRole('button', { name: text('ratings.removal.yes') }).click()
    await page.getByText(text('ratings.removal.done')).waitFor()
    await rate(buyer, 2, comment)
    await noteChanges(shop.database.kysely, [documentTag(document.id)])
    // Nothing is left of it.
    await expect.poll(html).toBe(unanswered)
  })

  test('reads questions about their documents, and the shop’s answers', async () => {
    const teacher = await shop.anOfficeTeacher()
    const { page } = await atOffice(shop.url, teacher, person)
    await open(page, '/office/questions')
    await page.getByText(text('questions.empty.title')).waitFor()

    const document = await shop.aDocument({ teacherId: teacher.teacherId, title: 'Fractions' })
    const customer = await shop.aCustomer({ firstName: 'Amal', lastName: 'Zribi' })
    const admin = await shop.anAdministrator()
    const room = roomId(customer.id, admin.id)
    await shop.send(customer, 'POST', `/messages/room?user1Id=${customer.id}&user2Id=${admin.id}`)
    const say = (from: typeof customer, to: typeof customer, content: string) => {
      const body = { senderId: from.id, receiverId: to.id, content }
      return shop.send(from, 'POST', `/messages/room/${room}/send`, body)
    }
    const about = `${shop.url}/shop-details/${document.id}`
    await say(customer, admin, `هل فيه إصلاح؟ هاتفي 20 123 456\n${about}`)
    await say(admin, customer, 'نعم، في آخره.')
    await say(customer, admin, `Et le barème ?\n${about}`)
    await page.reload()
    await expect.poll(() => cards(page).count()).toBe(2)
    const [last, first] = await cards(page).allInnerTexts()
    expect(last).toContain(text('questions.unanswered'))
    expect(first).toContain('هل فيه إصلاح؟ هاتفي […]')
    expect(first).toContain('نعم، في آخره.')
    expect(await page.locator('main').innerText()).not.toMatch(/Zribi|123 456|shop-details/)
  })
})
