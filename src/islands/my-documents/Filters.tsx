import { useStore } from '@nanostores/react'
import { useId } from 'react'
import {
  $filterOptions,
  $libraryFilters,
  filterLibrary,
  type LibraryFilters,
} from '../../stores/library.ts'
import { type CatalogueTexts, type LibraryTexts, nameOf } from './texts.ts'

interface Props {
  texts: LibraryTexts['filters']
  names: CatalogueTexts
}

/** Subject, level and type; each offers only what the customer has. */
export function Filters({ texts, names }: Props) {
  return (
    <search className="cluster" aria-label={texts.label}>
      <Filter name="matiereId" texts={texts} table={names.matieres} />
      <Filter name="niveauId" texts={texts} table={names.niveaux} />
      <Filter name="categoryId" texts={texts} table={names.categories} />
    </search>
  )
}

interface FilterProps {
  name: keyof LibraryFilters
  texts: LibraryTexts['filters']
  table: Readonly<Record<string, string>>
}

function Filter({ name, texts, table }: FilterProps) {
  const id = useId()
  const options = useStore($filterOptions)[name]
  const chosen = useStore($libraryFilters)[name]
  return (
    <div className="field">
      <label htmlFor={id}>{texts[name]}</label>
      <select
        id={id}
        name={name}
        value={chosen ?? ''}
        onChange={(event) => filterLibrary(name, Number(event.currentTarget.value) || null)}
      >
        <option value="">{texts.all}</option>
        {options.map((option) => (
          <option key={option.id} value={option.id}>
            {nameOf(table, option.code, option.name)}
          </option>
        ))}
      </select>
    </div>
  )
}
