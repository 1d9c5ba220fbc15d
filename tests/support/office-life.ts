import type { Page } from 'playwright'
import type { Locale } from '../../src/i18n/locales.ts'
import { type PHONE, atOffice as staffAt, type Visitor } from './browser.ts'
import type { Person } from './people.ts'
import type { OpenShop } from './shop.ts'
import { type KeyIn, uiText } from './texts.ts'

/** Console errors of a cut connection and of refused requests. */
export const allowed = [/ERR_|status of (400|409|415|422)/]

export const atOffice = (
  shop: OpenShop,
  person: Pick<Person, 'token'>,
  locale: Locale,
  viewport: typeof PHONE,
): Promise<Visitor> => staffAt(shop.url, person, { locale, viewport, allowed })

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
