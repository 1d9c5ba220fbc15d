import type { Api } from '../../client/api.ts'
import type { Choices } from '../../components/shop/labels.ts'
import * as catalogue from '../../contract/catalogue.ts'
import * as references from '../../contract/references.ts'
import type { ShopFilters } from '../../contract/shop-filters.ts'
import { PAGE_SIZE } from '../../rules/pager.ts'
import { settled } from './settled.ts'

/**
 * The shop's page of documents and what its filter form offers; `complete` is false if a part
 * failed.
 */
export async function readShop(
  api: Api,
  filters: ShopFilters,
): Promise<{ page: catalogue.DocumentPage | null; choices: Choices; complete: boolean }> {
  const [page, categories, matieres, classes] = await Promise.all([
    settled(readPage(api, filters)),
    settled(api(references.listCategories, {})),
    settled(api(references.listMatieres, {})),
    settled(api(references.listClasses, {})),
  ])
  return {
    page,
    choices: {
      categories: categories ?? [],
      matieres: matieres ?? [],
      classes: classes ?? [],
    },
    complete: [page, categories, matieres, classes].every((part) => part !== null),
  }
}

/** A page of results; the last page if an old link names one past the end. */
async function readPage(api: Api, filters: ShopFilters): Promise<catalogue.DocumentPage> {
  const read = (page: number) =>
    api(catalogue.searchDocuments, { query: { ...filters, page, size: PAGE_SIZE } })
  const requested = filters.page ?? 0
  const page = await read(requested)
  const last = page.totalPages - 1
  return page.content.length === 0 && last >= 0 && last < requested ? read(last) : page
}
