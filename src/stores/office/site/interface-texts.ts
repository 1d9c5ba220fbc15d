import * as office from '../../../contract/office-interface-texts.ts'
import { type InterfaceText, TEXT_STATES } from '../../../contract/office-interface-texts.ts'
import type { Language } from '../../../rules/languages.ts'
import { ask } from '../backend.ts'
import { createTable } from '../table.ts'

/** The texts that can be others than the shipped ones. */
export const textTable = createTable<InterfaceText, 'key', office.InterfaceTextPage>({
  what: 'interface texts',
  sorts: ['key'],
  filters: ['state'],
  load: ({ page, q, state }, signal) => {
    const one = TEXT_STATES.find((each) => each === state)
    const query = { page, ...(q && { q }), ...(one && { state: one }) }
    return ask(office.listInterfaceTexts, { query }, { signal })
  },
})

export const readText = (key: string) => ask(office.getInterfaceText, { query: { key } })

/** Puts a text in place of the shipped one over a revision. */
export function saveText(key: string, locale: Language, revision: number, text: string) {
  return ask(office.saveInterfaceText, { body: { key, locale, revision, text } })
}
