// A correction sold apart: a parent asks for it, a teacher offers it, the parent finds it.
import { sql } from 'kysely'
import { expect } from 'vitest'
import { inLanguage } from '../../../src/i18n/paths.ts'
import { CORRECTION_WAITS_MAX } from '../../../src/rules/corrections.ts'
import { atOffice, loggedIn, newVisitor, untilHydrated } from '../../support/browser.ts'
import { PATIENCE } from '../../support/patience.ts'
import { journeys, sharedShop } from '../../support/stage.ts'
import { logIn } from '../../support/steps.ts'
import { uiText } from '../../support/texts.ts'

const shop = sharedShop()

journeys('a correction sold apart', ({ locale, viewport }, test) => {
  test('is asked for on the paper’s page, offered from the wanted list, and linked from both', async () => {
    const { kysely } = shop.database
    const exams = kysely.selectFrom('categories').select('id').where('code', '=', 'exams')
    const { id: categoryId } = await exams.executeTakeFirstOrThrow()
    const title = `Zéphyr ${locale}`
    const paper = await shop.aDocument({ title, categoryId })
    const parent = await shop.aCustomer()
    const { page } = await loggedIn(shop.url, parent, { locale, viewport })
    const details = shop.url + inLanguage(locale, `/shop-details/${paper.id}`)
    const reader = { locale, viewport, javaScriptEnabled: false }
    const { page: unscripted } = await newVisitor(shop.url, reader)
    await unscripted.goto(details)
    expect(await unscripted.locator('.details__wait').isVisible()).toBe(true)
    expect(await unscripted.locator('.details__wait button').isVisible()).toBe(false)
    await page.goto(details)
    await page.getByText(uiText(locale, 'document:wait.none')).waitFor()
    await page.getByRole('button', { name: uiText(locale, 'document:wait.ask') }).click()
    await page.getByText(uiText(locale, 'document:wait.waiting')).waitFor()

    const teacher = await shop.anOfficeTeacher()
    const { page: desk } = await atOffice(shop.url, teacher, { locale, viewport })
    await desk.goto(shop.url + inLanguage(locale, '/office/wanted'))
    await desk.getByRole('link', { name: title, exact: true }).waitFor()
    const offer = uiText(locale, 'office-wanted:list.offer')
    await desk.locator(`a[href$="correctionOf=${paper.id}"]`, { hasText: offer }).click()
    await desk.waitForURL(/\/office\/document\?id=/)
    await untilHydrated(desk)
    await desk
      .locator('[name=correctionOf]')
      .evaluate((field) => field.closest('section')?.scrollIntoView({ block: 'end' }))
    const chosen = desk.getByRole('group', {
      name: uiText(locale, 'office-documents:fields.correctionOf'),
    })
    await chosen.getByRole('link', { name: title }).waitFor()
    expect(await desk.locator('[name=categoryId]').inputValue()).toBe(String(categoryId))
    const id = Number(new URL(desk.url()).searchParams.get('id'))

    // Its review is a journey of its own.
    const solved = `Corrigé ${locale}`
    await sql`
      UPDATE documents SET title = ${solved}, price = 2500, audience = source.audience,
        file_id = source.file_id, state = 'published', first_published_at = now()
      FROM documents source WHERE source.id = ${paper.id} AND documents.id = ${id}`.execute(kysely)
    const link = page.getByRole('link', { name: solved })
    await expect
      .poll(async () => {
        await page.goto(details)
        return await link.count()
      }, PATIENCE)
      .toBe(1)
    expect(await page.locator('.details__wait').count()).toBe(0)
    await link.click()
    await page.waitForURL(new RegExp(`/shop-details/${id}$`))
    await page.getByRole('link', { name: title }).waitFor()
  })

  test('is waited for by one press before the log-in, and no longer from one’s own list', async () => {
    const { kysely } = shop.database
    const exams = kysely.selectFrom('categories').select('id').where('code', '=', 'exams')
    const { id: categoryId } = await exams.executeTakeFirstOrThrow()
    const title = `Aquilon ${locale}`
    const paper = await shop.aDocument({ title, categoryId })
    const parent = await shop.aCustomer()
    const { page } = await newVisitor(shop.url, { locale, viewport })
    await page.goto(inLanguage(locale, `/shop-details/${paper.id}`))
    await page.getByRole('button', { name: uiText(locale, 'document:wait.ask') }).click()
    await page.waitForURL(/\/login\?/)
    await logIn(page, locale, parent.email)
    await page.waitForURL((url) => url.pathname.endsWith(`/shop-details/${paper.id}`))
    await page.getByText(uiText(locale, 'document:wait.waiting')).waitFor()

    await page.goto(inLanguage(locale, '/wishlist'))
    const waits = page.getByRole('region', { name: uiText(locale, 'wishlist:waits.title') })
    await waits.getByRole('link', { name: title }).waitFor()
    await waits.getByRole('button', { name: title }).click()
    await waits.getByText(uiText(locale, 'wishlist:waits.none')).waitFor()
    expect(await waits.getByRole('status').innerText()).toContain(title)
    await page.reload()
    await waits.getByText(uiText(locale, 'wishlist:waits.none')).waitFor()
  })

  test('cannot be waited for past the most of an account, which is said; another account waits anew', async () => {
    const { kysely } = shop.database
    const exams = kysely.selectFrom('categories').select('id').where('code', '=', 'exams')
    const { id: categoryId } = await exams.executeTakeFirstOrThrow()
    const paper = await shop.aDocument({ categoryId })
    const parent = await shop.aCustomer()
    await sql`
      INSERT INTO documents (title, teacher_id, price)
      SELECT 'Autre', teacher_id, price FROM documents, generate_series(1, ${CORRECTION_WAITS_MAX})
      WHERE id = ${paper.id}`.execute(kysely)
    await sql`
      INSERT INTO correction_waits (user_id, document_id)
      SELECT ${parent.id}, id FROM documents WHERE id <> ${paper.id}
      ORDER BY id DESC LIMIT ${CORRECTION_WAITS_MAX}`.execute(kysely)
    const allowed = [/status of 409/]
    const { page } = await loggedIn(shop.url, parent, { locale, viewport, allowed })
    await page.goto(shop.url + inLanguage(locale, `/shop-details/${paper.id}`))
    const ask = page.getByRole('button', { name: uiText(locale, 'document:wait.ask') })
    await ask.click()
    await page.getByRole('alert').getByText(uiText(locale, 'errors:codes.waits_full')).waitFor()

    await sql`DELETE FROM correction_waits WHERE user_id = ${parent.id}`.execute(kysely)
    await ask.click()
    await page.getByText(uiText(locale, 'document:wait.waiting')).waitFor()
    const other = await shop.aCustomer()
    // As a log-in in another tab.
    await page.evaluate((token) => {
      localStorage.setItem('token', token)
      dispatchEvent(new StorageEvent('storage', { key: 'token', newValue: token }))
    }, other.token)
    await ask.waitFor()
  })
})
