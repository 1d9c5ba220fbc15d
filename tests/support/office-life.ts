import type { Page } from 'playwright'
import type { Locale } from '../../src/i18n/locales.ts'
import { OFFICE_TOKEN_KEY } from '../../src/rules/storage-keys.ts'
import { newVisitor, type PHONE, type Visitor } from './browser.ts'
import type { Person } from './people.ts'
import type { OpenShop } from './shop.ts'
import { type KeyIn, uiText } from './texts.ts'

/** Console errors of a cut connection and of refused requests. */
export const allowed = [/ERR_|status of (400|409|415|422)/]

export async function atOffice(
  shop: OpenShop,
  person: Pick<Person, 'token'>,
  locale: Locale,
  viewport: typeof PHONE,
): Promise<Visitor> {
  const visitor = await newVisitor(shop.url, { locale, viewport, allowed })
  await visitor.page.goto('/robots.txt')
  await visitor.page.evaluate(([key, token]) => localStorage.setItem(key, token), [
    OFFICE_TOKEN_KEY,
    person.token,
  ] as const)
  return visitor
}

/** Texts and buttons of the documents' part of the office. */
export const inLocale = (locale: Locale) => {
  const text = (key: KeyIn<'office-documents'>) => uiText(locale, `office-documents:${key}`)
  return {
    text,
    /** Presses an action, and confirms it. */
    async act(page: Page, act: 'submit' | 'withdraw' | 'publish' | 'unpublish' | 'delete') {
      const name = text(`acts.${act}.button`)
      await page.locator('main').getByRole('button', { name, exact: true }).first().click()
      const dialog = page.getByRole('dialog', { name: text(`acts.${act}.title`) })
      await dialog.getByRole('button', { name, exact: true }).click()
      await dialog.waitFor({ state: 'detached' })
    },
    stands: (page: Page, state: 'draft' | 'submitted' | 'published' | 'unpublished') =>
      page
        .locator('.standing')
        .getByText(text(`states.${state}`))
        .first()
        .waitFor(),
    isSaved: (page: Page) =>
      page.locator('.save-state').getByText(uiText(locale, 'office:form.saved')).waitFor(),
  }
}

export const field = (page: Page, name: string) => page.locator(`.editor__text [name="${name}"]`)

export async function aDraft(shop: OpenShop, teacher: Person): Promise<number> {
  const { body } = await shop.send(teacher, 'POST', '/office/documents')
  return (body as { id: number }).id
}
