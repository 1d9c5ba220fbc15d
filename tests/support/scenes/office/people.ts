import type { Page } from 'playwright'
import type { Locale } from '../../../../src/i18n/locales.ts'
import { DEMO_PASSWORD } from '../../../../src/server/demo/demo.ts'
import { button, link } from '../../scene-steps.ts'
import { uiText } from '../../texts.ts'
import { type Scene, scene } from '../scene.ts'
import { open, plain } from './kinds.ts'

/** The page of the first customer in the list, or what opens from it. */
const person = (name: string, then?: (page: Page, locale: Locale) => Promise<void>): Scene =>
  scene(`office-${name}`, { as: 'administrator' }, async (page, locale) => {
    await open(page, locale, '/office/people', '?role=PARENT&sort=since')
    await page.locator('main table th a').first().click()
    await page.locator('.person__who').waitFor()
    await then?.(page, locale)
  })

/** People, the log, and one's own security settings. */
export const PEOPLE_SCENES: readonly Scene[] = [
  plain('people', '/office/people', 'administrator'),
  scene('office-people-invite', { as: 'administrator' }, async (page, locale) => {
    await open(page, locale, '/office/people')
    await button(page, locale, 'office-people:people.invite').click()
    await page.getByRole('dialog').locator('[name="role"]').selectOption('ADMIN')
    await page.getByRole('dialog').locator('[name="reason"]').waitFor()
  }),
  person('person'),
  person('person-block', async (page, locale) => {
    const name = uiText(locale, 'office-people:person.acts.block.button')
    await page.getByRole('button', { name }).click()
    await page.getByRole('dialog').waitFor()
  }),
  person('merge', async (page, locale) => {
    await link(page, locale, 'office-people:person.merge').click()
    await page.locator('input[name="q"]').fill('parent2@karras.test')
    await button(page.getByRole('main'), locale, 'office-people:merge.find').click()
    await page.locator('.person__list button').first().click()
    await page.locator('.merge__pair').waitFor()
  }),
  scene('office-merge-deletion', { as: 'administrator' }, async (page, locale) => {
    const dueAt = '2026-03-19T10:00:00Z'
    await page.route('**/api/office/admin/people/20/merge?*', async (route) => {
      const preview = await (await route.fetch()).json()
      await route.fulfill({ json: { ...preview, deletions: [{ id: preview.from.id, dueAt }] } })
    })
    await open(page, locale, '/office/merge', '?id=20&from=21')
    await page.locator('.merge__pair').waitFor()
    await page.locator('main .button--danger').click()
    await page.locator('.field__error').first().waitFor()
  }),
  plain('log', '/office/log', 'administrator'),
  plain('security', '/office/security', 'teacher'),
  scene('office-security-set-up', { as: 'teacher' }, async (page, locale) => {
    await open(page, locale, '/office/security')
    await page
      .getByRole('button', { name: uiText(locale, 'office-access:security.start'), exact: true })
      .click()
    await page.locator('.security__form input[name="password"]').first().fill(DEMO_PASSWORD)
    await button(page, locale, 'office-access:security.continue').click()
    await page.locator('.security__secret').waitFor()
  }),
]
