import '../parts/field.css'
import { useStore } from '@nanostores/react'
import { useId } from 'react'
import {
  $filterOptions,
  $libraryFilters,
  filterLibrary,
  type LibraryFilters,
} from '../../stores/library/library.ts'
import { type CatalogueTexts, type LibraryTexts, nameOf } from './texts.ts'

interface Props {
  texts: LibraryTexts['filters']
  names: CatalogueTexts
}

/** Subject and level offer what the customer has; the type offers the four that there are. */
export function Filters({ texts, names }: Props) {
  return (
    <search className="cluster" aria-label={texts.label}>
      <Filter name="matiereId" texts={texts} table={names.matieres} />
      <Filter name="niveauId" texts={texts} table={names.niveaux} />
      <Filter name="category" texts={texts} table={names.categories} />
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
        onChange={(event) => filterLibrary(name, event.currentTarget.value || null)}
      >
        <option value="">{texts.all}</option>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {nameOf(table, option.code, option.name)}
          </option>
        ))}
      </select>
    </div>
  )
}
