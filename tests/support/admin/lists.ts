import * as shop from '../../../src/contract/catalogue.ts'
import * as office from '../../../src/contract/office-catalogue.ts'
import type { ListName } from '../../../src/rules/catalogue-lists.ts'
import { inEachLanguage, type Language } from '../../../src/rules/languages.ts'
import type { TestApp } from '../app.ts'
import type { Person } from '../people.ts'

// Calls of administrators that read and change the lists of the catalogue.

export const lists = (app: TestApp, admin: Person) => app.call(office.getLists, { as: admin })
/** A name in each language; those that are not given are made from the Arabic one. */
export function named(ar: string, fr?: string, en?: string) {
  const given: { [L in Language]?: string | undefined } = { ar, fr, en }
  return inEachLanguage((each) => given[each] ?? `${ar} ${each}`)
}

export async function add(
  app: TestApp,
  as: Person,
  list: ListName,
  names = named('جديد'),
  more: object = {},
) {
  const body = { names, ...more }
  const { entries } = (await app.call(office.addEntry, { as, params: { list }, body }))[list]
  return entries.at(-1) as office.Entry
}

export async function find(app: TestApp, admin: Person, list: ListName, id: number) {
  const entry = (await lists(app, admin))[list].entries.find((each) => each.id === id)
  if (!entry) throw new Error(`there is no ${id} in ${list}`)
  return entry
}

export async function rename(
  app: TestApp,
  admin: Person,
  list: ListName,
  id: number,
  names: object,
  { as = admin, revision = -1 } = {},
) {
  const now = await find(app, admin, list, id)
  const body = {
    revision: revision < 0 ? now.revision : revision,
    names: { ...now.names, ...names },
  }
  return await app.call(office.changeEntry, { as, params: { list, id }, body })
}

export async function retire(
  app: TestApp,
  admin: Person,
  list: ListName,
  id: number,
  isRetired = true,
) {
  const { revision } = await find(app, admin, list, id)
  const params = { list, id }
  return await app.call(office.retireEntry, { as: admin, params, body: { revision, isRetired } })
}

export const found = async (app: TestApp, title: string) =>
  (await app.call(shop.searchDocuments, { query: { title } })).content.map(({ id }) => id)

export const idOf = (entries: readonly office.Entry[], code: string) =>
  entries.find((each) => each.code === code)?.id ?? 0
