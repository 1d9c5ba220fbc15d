import { OFFICE_TOKEN_KEY } from '../../src/rules/storage-keys.ts'
import { newVisitor, type Visitor, type VisitorOptions } from './browser.ts'
import type { Person } from './people.ts'

/** A staff member who is logged in at the office of the shop at `url`. */
export async function atOffice(
  person: Person,
  url: string,
  options: VisitorOptions,
): Promise<Visitor> {
  const visitor = await newVisitor(url, options)
  await visitor.context.addInitScript(
    // The blank page of a new tab has no storage.
    ([key = '', token = '']) => {
      if (location.protocol === 'http:') localStorage.setItem(key, token)
    },
    [OFFICE_TOKEN_KEY, person.token],
  )
  return visitor
}
