import type { Page } from 'playwright'
import type { Locale } from '../../src/i18n/locales.ts'
import { inLanguage } from '../../src/i18n/paths.ts'
import { aPdf } from './pdf.ts'
import type { Person } from './people.ts'
import type { OpenShop } from './shop.ts'

type Teacher = Person & { teacherId: number }

export const aDocument = (
  shop: OpenShop,
  { teacherId }: Teacher,
  pages: number,
  isPublished = true,
) => shop.aDocument({ teacherId, file: aPdf('Fractions', pages), pages, isPublished })

export const pathOf = (locale: Locale, { id }: { id: number }) =>
  `${inLanguage(locale, '/office/sample')}?id=${id}`

export const field = (page: Page) => page.locator('.sample [name="pages"]')
export const box = (page: Page, at: number) => page.locator('.sample__page input').nth(at - 1)
export const save = (page: Page) => page.locator('.sample [type="submit"]')

/** The pages of a document's sample that the server has stored. */
export async function kept(
  shop: OpenShop,
  teacher: Teacher,
  { id }: { id: number },
): Promise<number[] | null> {
  const { body } = await shop.send(teacher, 'GET', `/office/documents/${id}`)
  return body.document.samplePages
}

export const ticked = (page: Page) =>
  page
    .locator('.sample__page input')
    .evaluateAll((boxes: HTMLInputElement[]) =>
      boxes.flatMap(({ checked }, at) => (checked ? [at + 1] : [])),
    )
