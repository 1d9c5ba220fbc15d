import * as office from '../../../contract/office-interface-texts.ts'
import {
  type InterfaceText,
  TEXT_STATES,
  type TextGroup,
} from '../../../contract/office-interface-texts.ts'
import type { Language } from '../../../rules/languages.ts'
import { ask } from '../../kit/backend.ts'
import { createLoader } from '../../kit/loader.ts'
import { choiceOf, createTable } from '../../kit/tables/table.ts'

/** The pages of the shop with the texts that are wanted; their number is that of the texts. */
export const textTable = createTable({
  what: 'interface texts',
  sorts: ['key'],
  filters: ['state'],
  load: async ({ q, state }, signal) => {
    const query = { ...(q && { q }), ...choiceOf('state', state, TEXT_STATES) }
    const content = await ask(office.listTextGroups, { query }, { signal })
    const totalElements = content.reduce((sum, { count }) => sum + count, 0)
    return { content, totalElements, totalPages: 1, number: 0 }
  },
})

/** How many texts of a page are read at a time. */
const SIZE = 50

/** The wanted texts of one page; `load` reads the first of them, `readMore` the next. */
export function createTextsOf(group: TextGroup['group']) {
  const { $state, load, refresh } = createLoader<readonly InterfaceText[]>('interface texts')
  const { q, filters } = textTable.$view.get()
  const filter = { group, ...(q && { q }), ...choiceOf('state', filters.state, TEXT_STATES) }
  let read: readonly InterfaceText[] = []
  const readNext = async () => {
    const query = { ...filter, size: SIZE, page: Math.floor(read.length / SIZE) }
    const { content } = await ask(office.listInterfaceTexts, { query })
    read = [...read, ...content]
    return read
  }
  return { $state, load: () => load(readNext), readMore: () => refresh(readNext) }
}

export const readText = (key: string) => ask(office.getInterfaceText, { query: { key } })

export function saveText(key: string, locale: Language, revision: number, text: string) {
  return ask(office.saveInterfaceText, { body: { key, locale, revision, text } })
}
