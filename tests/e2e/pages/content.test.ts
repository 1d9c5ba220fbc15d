import { describe, expect, test } from 'vitest'
import { inLanguage, pathIn } from '../../../src/i18n/paths.ts'
import { inUnits, RETENTION } from '../../../src/rules/retention.ts'
import { DESKTOP, newVisitor, PHONE } from '../../support/browser.ts'
import { sharedShop } from '../../support/stage.ts'
import { uiText } from '../../support/texts.ts'

const shop = sharedShop()

describe.each([
  { locale: 'ar', viewport: PHONE },
  { locale: 'fr', viewport: DESKTOP },
] as const)('in $locale', ({ locale, viewport }) => {
  test('teachers, questions and texts are readable without script', async () => {
    const { page } = await newVisitor(shop.url, { viewport, javaScriptEnabled: false })
    await page.goto(pathIn(locale, '/teachers'))
    const teachers = page.locator('main a[href*="/teacher-details/"]')
    await expect.poll(() => teachers.count()).toBeGreaterThanOrEqual(8)
    await teachers.first().click()
    expect(page.url()).toContain('/teacher-details/')
    await page.goto(pathIn(locale, '/faq'))
    const question = page.locator('main details').first()
    await expect.poll(() => question.locator('p').first().isVisible()).toBe(false)
    await question.locator('summary').click()
    await expect.poll(() => question.locator('p').first().isVisible()).toBe(true)
    for (const path of ['/about', '/team', '/terms', '/privacy']) {
      await page.locator(`footer a[href="${inLanguage(locale, path)}"]`).click()
      await page.waitForURL(shop.url + inLanguage(locale, path))
      expect((await page.locator('main').innerText()).length).toBeGreaterThan(300)
    }
    // How long is kept what, as the job that deletes it knows.
    const periods = page.locator('[aria-labelledby=retention] tbody tr')
    await expect.poll(() => periods.count()).toBe(Object.keys(RETENTION).length)
    const messages = uiText(locale, 'retention:table.rows.messages')
    const { count } = inUnits(RETENTION.messages)
    await expect
      .poll(() => periods.filter({ hasText: messages }).first().innerText())
      .toContain(String(count))
    await page.goto(pathIn(locale, '/contact'))
    await expect.poll(() => page.locator('main a[href^="tel:"]:visible').count()).toBe(2)
    await expect.poll(() => page.locator('main address').first().isVisible()).toBe(true)
  })

  test('the map is requested only after a tap, and the policy allows it in a frame', async () => {
    // The network stub refuses other sites; the message of a policy violation is a different one.
    const { page } = await newVisitor(shop.url, {
      viewport,
      allowed: [/net::ERR_NAME_NOT_RESOLVED/],
    })
    const requested: string[] = []
    page.on('request', (request) => requested.push(request.url()))
    await page.goto(pathIn(locale, '/contact'), { waitUntil: 'networkidle' })
    const other = () =>
      requested.filter((url) => !url.startsWith(shop.url) && url.startsWith('http'))
    expect(other()).toEqual([])
    await expect.poll(() => page.locator('main a[href^="tel:"]').count()).toBe(2)
    const wanted = page.waitForRequest(/openstreetmap\.org\/export\/embed/)
    await page.getByText(uiText(locale, 'content:contact.openMap')).click()
    await wanted
    await expect
      .poll(() => page.locator('main iframe').getAttribute('title'))
      .toBe(uiText(locale, 'content:contact.map'))
    await page.getByText(uiText(locale, 'content:contact.mapShown'), { exact: true }).waitFor()
    expect(await page.getByText(uiText(locale, 'content:contact.mapNote')).count()).toBe(0)
    await expect.poll(() => page.locator('main form').count()).toBe(0)
  })
})

test('/about-us redirects, and only the contact page may frame another site', async () => {
  const response = await fetch(`${shop.url}/fr/about-us`, { redirect: 'manual' })
  expect([response.status, response.headers.get('location')]).toEqual([301, '/fr/about'])
  const policy = async (path: string) =>
    (await fetch(shop.url + path)).headers.get('content-security-policy') ?? ''
  expect(await policy('/contact')).toContain("frame-src 'self' https://www.openstreetmap.org;")
  expect(await policy('/about')).toContain("frame-src 'self';")
})
