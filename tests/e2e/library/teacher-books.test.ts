import { expect, test } from 'vitest'
import { newVisitor } from '../../support/browser.ts'
import { button } from '../../support/scene-steps.ts'
import { sharedShop } from '../../support/stage.ts'
import { uiText } from '../../support/texts.ts'

const shop = sharedShop()

test('a teacher’s documents: 5 first, See More adds 5, Show Less resets', async () => {
  const teacher = await shop.aTeacher()
  for (let made = 0; made < 12; made++) await shop.aDocument({ teacherId: teacher.id })
  const { page } = await newVisitor(shop.url)
  // A page rendered in the background during the inserts is rendered again shortly.
  await expect
    .poll(async () => {
      await page.goto(`/teacher-details/${teacher.id}`)
      return page.locator('#books > li').count()
    })
    .toBe(12)
  const shown = page.locator('#books > li:visible')
  const more = button(page, 'ar', 'teacher:more')
  const less = button(page, 'ar', 'teacher:less')
  await expect.poll(() => shown.count()).toBe(5)
  await expect.poll(() => less.isVisible()).toBe(false)
  await more.click()
  await expect.poll(() => shown.count()).toBe(10)
  await more.click()
  await expect.poll(() => shown.count()).toBe(12)
  await expect.poll(() => more.isVisible()).toBe(false)
  await less.click()
  await expect.poll(() => shown.count()).toBe(5)
})

test('a teacher without documents has a friendly message', async () => {
  const teacher = await shop.aTeacher()
  const html = await (await fetch(`${shop.url}/teacher-details/${teacher.id}`)).text()
  expect(html).toContain(uiText('ar', 'teacher:empty'))
})
