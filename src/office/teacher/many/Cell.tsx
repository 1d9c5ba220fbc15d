import '../../../parts/select.css'
import { type ClipboardEvent, type KeyboardEvent, memo } from 'react'
import { DECIMAL_MARK } from '../../../i18n/format.ts'
import { labelled } from '../../../i18n/listed.ts'
import { useLocale, useTexts } from '../../../islands/parts/island.tsx'
import { DETAILS, type Detail, fitsCategory, ruleOf } from '../../../rules/document-fields.ts'
import { pastedColumn } from '../../../rules/many-files.ts'
import { AUDIENCES } from '../../../rules/price-bands.ts'
import { foldText } from '../../../rules/search-fold.ts'
import { useNames } from '../../documents/names.ts'
import { Options, type SelectOption } from '../../kit/forms/fields.tsx'
import { useDetailOptions } from '../documents/detail-options.ts'
import { type EntryField, useEntryOptions } from '../documents/entry-options.ts'
import { categoryOf, type References } from '../documents/own.ts'
import { fieldNamed, type TextField, type TextValues } from '../documents/text.ts'
import { $rows, mistakesOf, type Row, saveRows, valuesIn, write } from './many.ts'

/** The fields that the table has columns for, in their order; the first names the row. */
export const CELLS = [
  ...(['title', 'niveauId', 'matiereId', 'categoryId', 'type'] as const),
  ...(['paperKind', 'paperNumber', 'trimester', 'schoolYear', 'price'] as const),
] satisfies readonly TextField[]
export type CellField = (typeof CELLS)[number]

const ENTRIES: readonly string[] = ['niveauId', 'matiereId', 'categoryId'] satisfies EntryField[]
const isEntry = (field: TextField): field is EntryField => ENTRIES.includes(field)

const LEFT_TO_RIGHT: Readonly<Partial<Record<TextField, 'decimal' | 'numeric'>>> = {
  price: 'decimal',
  schoolYear: 'numeric',
}

/** Returns a function for the options of a field; null for one that is typed. */
export function useCellOptions(references: References) {
  const names = useNames()
  const details = useDetailOptions()
  const entries = useEntryOptions(references)
  return (field: TextField, values: TextValues): readonly SelectOption[] | null => {
    if (isEntry(field)) return entries(field, values, values[field])
    if (field === 'type') return AUDIENCES.map((value) => ({ value, text: names.audience(value) }))
    const detail = DETAILS.find((name) => name === field)
    if (!detail || ruleOf(detail).kind !== 'option') return null
    return details(detail, categoryOf(references, values), values[detail])
  }
}

interface Props {
  row: Row
  field: CellField
  references: References
  /** Hears how many pasted cells name no option of the field. */
  onPasted: (unknown: number) => void
}

/** A cell in which a value is chosen or typed; it is saved when it is left. */
export const Cell = memo(function Cell({ row, field, references, onPasted }: Props) {
  const locale = useLocale()
  const { untitled, choose } = useTexts('office-many:row')
  const fields = useTexts('office-documents:fields')
  const optionsOf = useCellOptions(references)
  const { id } = row.document
  const values = valuesIn(row, DECIMAL_MARK[locale])
  const value = values[field]
  const options = optionsOf(field, values)
  const detail = DETAILS.find((name): name is Detail & CellField => name === field)
  if (detail && value === '' && !fitsCategory(detail, categoryOf(references, values))) return '–'

  const set = (typed: string) => write(new Map([[id, { [field]: typed }]]))
  const paste = (event: ClipboardEvent) => {
    const cells = pastedColumn(event.clipboardData.getData('text'))
    if (!cells) return
    event.preventDefault()
    const rows = $rows.get()
    const below = rows.slice(rows.findIndex(({ document }) => document.id === id))
    const read = below.flatMap((each, at): [number, string | undefined][] => {
      const text = cells[at]
      if (text === undefined) return []
      return [[each.document.id, meantBy(text, optionsOf(field, valuesIn(each)))]]
    })
    const known = read.flatMap(([of, typed]) =>
      typed === undefined ? [] : [[of, { [field]: typed }] as const],
    )
    write(new Map(known))
    void saveRows(known.map(([of]) => of))
    onPasted(read.length - known.length)
  }
  const shared = {
    value,
    className: 'many__cell',
    'data-field': field,
    'aria-label': labelled(locale, fields[fieldNamed(field)], values.title || untitled),
    'aria-invalid': mistakesOf(row)[field] ? true : undefined,
    onPaste: paste,
  } as const
  if (options) {
    return (
      <select
        {...shared}
        onChange={({ target }) => {
          set(target.value)
          void saveRows([id])
        }}
      >
        <Options of={[{ value: '', text: choose }, ...options]} />
      </select>
    )
  }
  const inputMode = LEFT_TO_RIGHT[field]
  return (
    <input
      {...shared}
      {...(inputMode ? { inputMode, dir: 'ltr' } : { dir: 'auto' })}
      autoComplete="off"
      onChange={({ target }) => set(target.value)}
      onBlur={() => void saveRows([id])}
      onKeyDown={goDown}
    />
  )
})

/** Enter goes to the cell below, as in a spreadsheet, with Shift to that above. */
function goDown({ key, shiftKey, currentTarget }: KeyboardEvent<HTMLInputElement>): void {
  if (key !== 'Enter') return
  const row = currentTarget.closest('tr')
  const next = shiftKey ? row?.previousElementSibling : row?.nextElementSibling
  next?.querySelector<HTMLElement>(`[data-field=${currentTarget.dataset.field}]`)?.focus()
}

/** What a pasted text means in a cell: the option of this name, or the text; undefined for none. */
function meantBy(text: string, options: readonly SelectOption[] | null): string | undefined {
  if (!options || text === '') return text
  const all = options.flatMap((each) => ('heading' in each ? each.options : each))
  return all.find((each) => foldText(each.text) === foldText(text))?.value
}
