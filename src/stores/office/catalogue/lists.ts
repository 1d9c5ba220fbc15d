import * as office from '../../../contract/office-catalogue.ts'
import {
  coverColorProblem,
  entryNameProblem,
  LISTS,
  type ListName,
} from '../../../rules/catalogue-lists.ts'
import { inEachLanguage } from '../../../rules/in-each-language.ts'
import { LANGUAGES } from '../../../rules/languages.ts'
import type { Level } from '../../../rules/price-bands.ts'
import { ask } from '../backend.ts'
import { createLoader } from '../loader.ts'

export type EntryField = `names.${(typeof LANGUAGES)[number]}` | 'color' | 'level'
export type EntryValues = Record<EntryField, string>

const reading = createLoader<office.Lists>('lists')
export const $lists = reading.$state

const readLists = () => ask(office.getLists, {})
export const loadLists = () => reading.load(readLists)

/** Reloads the lists while the old ones stay visible. */
export async function refreshLists(): Promise<void> {
  reading.show(await readLists())
}

/** The list that the address names; the first one where it names none. */
export function listInAddress(): ListName {
  const name = new URLSearchParams(location.search).get('list')
  return LISTS.find((each) => each === name) ?? LISTS[0]
}

/** The fields of the form for an entry of a list; of a new one where it is. */
export function fieldsOf(list: ListName, isNew: boolean): readonly EntryField[] {
  return [
    ...LANGUAGES.map((each) => `names.${each}` as const),
    ...(list === 'classes' && isNew ? (['level'] as const) : []),
    ...(list === 'covers' ? (['color'] as const) : []),
  ]
}

const FIRST_COLOR = '#2b62b8'

/** What the form holds of an entry, or of none. */
export function valuesOf(entry?: office.Entry): EntryValues {
  return {
    'names.ar': entry?.names.ar ?? '',
    'names.fr': entry?.names.fr ?? '',
    'names.en': entry?.names.en ?? '',
    color: entry?.color ?? FIRST_COLOR,
    level: entry?.level ?? '',
  }
}

/** What cannot be saved as it is, by field. */
export function entryMistakes(
  fields: readonly EntryField[],
  values: EntryValues,
): Partial<EntryValues> {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const mistake = mistakeIn(field, values[field])
      return mistake ? [[field, mistake]] : []
    }),
  )
}

function mistakeIn(field: EntryField, value: string): string | null {
  if (field === 'level') return value === '' ? 'required' : null
  return field === 'color' ? coverColorProblem(value) : entryNameProblem(value)
}

const namesIn = (values: EntryValues) =>
  inEachLanguage((language) => values[`names.${language}`].trim())

const colorIn = (list: ListName, { color }: EntryValues) => list === 'covers' && { color }

export async function addEntry(list: ListName, values: EntryValues): Promise<void> {
  const level = list === 'classes' && { level: values.level as Level }
  const body = { names: namesIn(values), ...level, ...colorIn(list, values) }
  reading.show(await ask(office.addEntry, { params: { list }, body }))
}

/** An entry as it is now; its values where nobody has it any more. */
export async function readEntry(list: ListName, id: number) {
  const lists = await readLists()
  reading.show(lists)
  const entry = lists[list].entries.find((each) => each.id === id)
  return { revision: entry?.revision ?? 0, values: valuesOf(entry) }
}

/** Saves an entry over a revision of it; the new revision. */
export async function saveEntry(
  list: ListName,
  id: number,
  { revision, values }: { revision: number; values: EntryValues },
): Promise<number> {
  const body = { revision, names: namesIn(values), ...colorIn(list, values) }
  const lists = await ask(office.changeEntry, { params: { list, id }, body })
  reading.show(lists)
  return lists[list].entries.find((each) => each.id === id)?.revision ?? revision
}

/** Retires an entry, or offers it again. */
export async function retireEntry(
  list: ListName,
  { id, revision }: office.Entry,
  isRetired: boolean,
): Promise<void> {
  const body = { revision, isRetired }
  reading.show(await ask(office.retireEntry, { params: { list, id }, body }))
}

/** Saves the order of a list over a revision of it. */
export async function saveOrder(
  list: ListName,
  revision: number,
  ids: readonly number[],
): Promise<void> {
  const body = { revision, ids: [...ids] }
  reading.show(await ask(office.orderList, { params: { list }, body }))
}
