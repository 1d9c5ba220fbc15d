import * as office from '../../../contract/office-catalogue.ts'
import {
  coverColorProblem,
  entryNameProblem,
  LISTS,
  type ListName,
} from '../../../rules/catalogue-lists.ts'
import { inEachLanguage, LANGUAGES } from '../../../rules/languages.ts'
import type { Level } from '../../../rules/price-bands.ts'
import { ask } from '../../kit/backend.ts'
import { createLoader } from '../../kit/loader.ts'

type NameField = `names.${(typeof LANGUAGES)[number]}`
export type EntryField = NameField | 'color' | 'level'
export type EntryValues = Record<EntryField, string>

const loader = createLoader<office.Lists>('lists')
export const $lists = loader.$state

const readLists = () => ask(office.getLists, {})
export const loadLists = () => loader.load(readLists)

export async function refreshLists(): Promise<void> {
  loader.show(await readLists())
}

export function listInAddress(): ListName {
  const name = new URLSearchParams(location.search).get('list')
  return LISTS.find((each) => each === name) ?? LISTS[0]
}

/** The form fields for an entry of a list; some fields exist only for a new entry. */
export function fieldsOf(list: ListName, isNew: boolean): readonly EntryField[] {
  return [
    ...LANGUAGES.map((each) => `names.${each}` as const),
    ...(list === 'classes' && isNew ? (['level'] as const) : []),
    ...(list === 'covers' ? (['color'] as const) : []),
  ]
}

const DEFAULT_COLOR = '#2b62b8'

export function valuesOf(entry?: office.Entry): EntryValues {
  return {
    ...(Object.fromEntries(
      LANGUAGES.map((each) => [`names.${each}`, entry?.names[each] ?? '']),
    ) as Record<NameField, string>),
    color: entry?.color ?? DEFAULT_COLOR,
    level: entry?.level ?? '',
  }
}

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
  loader.show(await ask(office.addEntry, { params: { list }, body }))
}

/** Loads the current revision of an entry; default values if it was deleted. */
export async function readEntry(list: ListName, id: number) {
  const lists = await readLists()
  loader.show(lists)
  const entry = lists[list].entries.find((each) => each.id === id)
  return { revision: entry?.revision ?? 0, values: valuesOf(entry) }
}

export async function saveEntry(
  list: ListName,
  id: number,
  { revision, values }: { revision: number; values: EntryValues },
): Promise<number> {
  const body = { revision, names: namesIn(values), ...colorIn(list, values) }
  const lists = await ask(office.changeEntry, { params: { list, id }, body })
  loader.show(lists)
  return lists[list].entries.find((each) => each.id === id)?.revision ?? revision
}

export async function retireEntry(
  list: ListName,
  { id, revision }: office.Entry,
  isRetired: boolean,
): Promise<void> {
  const body = { revision, isRetired }
  loader.show(await ask(office.retireEntry, { params: { list, id }, body }))
}

export async function saveOrder(
  list: ListName,
  revision: number,
  ids: readonly number[],
): Promise<void> {
  const body = { revision, ids: [...ids] }
  loader.show(await ask(office.orderList, { params: { list }, body }))
}
