import type { DocumentPage } from '../../contract/catalogue.ts'

/** An option of a filter, with how many documents it would give, where that is known. */
export interface Option {
  readonly value: string | number
  readonly text: string
  /** The whole sentence, where the text is only a number of stars. */
  readonly spoken?: string
  readonly count?: number | undefined
  /** It would give none, and cannot be chosen. */
  readonly isEmpty?: boolean
}

/** A filter of the form. */
export interface FilterGroup {
  readonly name: string
  readonly label: string
  readonly value: string | number | undefined
  readonly options: readonly Option[]
}

/** The filter with the counts of its options; other backends do not count. */
export function counted(group: FilterGroup, facets: DocumentPage['facets']): FilterGroup {
  const counts: Record<string, number> | undefined = facets?.[group.name as keyof typeof facets]
  // Where nothing is found, another filter changes nothing.
  if (!counts || Object.keys(counts).length === 0) return group
  const options = group.options.map((option) => {
    const count = counts[option.value] ?? 0
    return { ...option, count, isEmpty: count === 0 && option.value !== group.value }
  })
  return { ...group, options }
}
