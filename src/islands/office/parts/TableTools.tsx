import '../../parts/field.css'
import { useStore } from '@nanostores/react'
import { useEffect, useId, useRef } from 'react'
import { fillText } from '../../../i18n/format.ts'
import type { Table } from '../../../stores/office/table.ts'
import { useTexts } from '../../parts/island.tsx'
import { type Column, sortsOf, type TableFilter } from './columns.ts'

interface Props<Row> {
  table: Table<Row>
  columns: readonly Column<Row>[]
  search: string | undefined
  filters: readonly TableFilter[]
}

/**
 * The search box and the filters of a table; on phones, which hide the headings, also a sort menu.
 */
export function TableTools<Row>({ table, columns, search, filters }: Props<Row>) {
  const texts = useTexts('office:table')
  const view = useStore(table.$view)
  const sortable = columns.flatMap(({ head, sort }) =>
    sortsOf(table.sorts, sort).map((value) => ({
      value,
      text: fillText(value.startsWith('-') ? texts.descending : texts.ascending, { column: head }),
    })),
  )
  return (
    <div className="office-table__tools">
      {search && <Search table={table} label={search} />}
      {filters.map(({ name, label, options, none = texts.all }) => (
        <Choice
          key={name}
          label={label}
          value={view.filters[name] ?? ''}
          options={[{ value: '', text: none }, ...options]}
          onChoose={(value) => table.filter(name, value)}
        />
      ))}
      {sortable.length > 1 && (
        <div className="only-narrow">
          <Choice
            label={texts.sort}
            value={view.sort}
            options={sortable}
            onChoose={(sort) => table.show({ sort })}
          />
        </div>
      )}
    </div>
  )
}

function Search<Row>({ table, label }: { table: Table<Row>; label: string }) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const { q } = useStore(table.$view)
  // History navigation changes the query, which must not replace text that the user is typing.
  useEffect(() => {
    const box = input.current
    if (box && box !== document.activeElement) box.value = q
  }, [q])
  return (
    <search className="field">
      <label htmlFor={id}>{label}</label>
      <input
        ref={input}
        id={id}
        type="search"
        dir="auto"
        defaultValue={q}
        onChange={({ target }) => table.search(target.value)}
      />
    </search>
  )
}

interface ChoiceProps {
  label: string
  value: string
  options: readonly { value: string; text: string }[]
  onChoose: (value: string) => void
}

function Choice({ label, value, options, onChoose }: ChoiceProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={({ target }) => onChoose(target.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
    </div>
  )
}
