import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeBrowser, visitor } from '../support/browser.ts'
import { type OpenShop, openShop } from '../support/shop.ts'
import { said } from '../support/texts.ts'

let shop: OpenShop

beforeAll(async () => {
  shop = await openShop()
})
afterAll(async () => {
  await closeBrowser()
  await shop.close()
})

test('a teacher’s documents: 5 first, See More adds 5, Show Less resets', async () => {
  const teacher = await shop.aTeacher()
  for (let made = 0; made < 12; made++) await shop.aDocument({ teacherId: teacher.id })
  const someone = await visitor(shop.url)
  const { page } = someone
  await page.goto(`/teacher-details/${teacher.id}`)
  const shown = page.locator('#books > li:visible')
  const more = page.getByRole('button', { name: said('ar', 'teacher:more') })
  const less = page.getByRole('button', { name: said('ar', 'teacher:less') })
  expect(await shown.count()).toBe(5)
  expect(await less.isVisible()).toBe(false)
  await more.click()
  expect(await shown.count()).toBe(10)
  await more.click()
  expect(await shown.count()).toBe(12)
  expect(await more.isVisible()).toBe(false)
  await less.click()
  expect(await shown.count()).toBe(5)
  await someone.leave()
})

test('a teacher without documents has a kind sentence', async () => {
  const teacher = await shop.aTeacher()
  const someone = await visitor(shop.url)
  await someone.page.goto(`/teacher-details/${teacher.id}`)
  await someone.page.getByText(said('ar', 'teacher:empty')).waitFor()
  await someone.leave()
})
