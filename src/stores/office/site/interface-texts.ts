import * as office from '../../../contract/office-interface-texts.ts'
import { TEXT_STATES } from '../../../contract/office-interface-texts.ts'
import type { Language } from '../../../rules/languages.ts'
import { ask } from '../backend.ts'
import { createTable } from '../table.ts'

export const textTable = createTable({
  what: 'interface texts',
  sorts: ['key'],
  filters: ['state'],
  load: ({ page, q, state }, signal) => {
    const validState = TEXT_STATES.find((each) => each === state)
    const query = { page, ...(q && { q }), ...(validState && { state: validState }) }
    return ask(office.listInterfaceTexts, { query }, { signal })
  },
})

export const readText = (key: string) => ask(office.getInterfaceText, { query: { key } })

export function saveText(key: string, locale: Language, revision: number, text: string) {
  return ask(office.saveInterfaceText, { body: { key, locale, revision, text } })
}
