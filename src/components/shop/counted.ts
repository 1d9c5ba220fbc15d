import type { DocumentPage } from '../../contract/catalogue.ts'

/** An option of a filter, with the number of documents that it would find, if known. */
export interface Option {
  readonly value: string | number
  readonly text: string
  /** The whole sentence for screen readers, if the text is only a number of stars. */
  readonly spoken?: string
  readonly count?: number | undefined
  /** Whether it would find nothing, so that it cannot be chosen. */
  readonly isEmpty?: boolean
}

/** A filter of the form. */
export interface FilterGroup {
  readonly name: string
  readonly label: string
  readonly value: string | number | undefined
  readonly options: readonly Option[]
}

/** The filter with the counts of its options; unchanged if the backend does not count. */
export function counted(group: FilterGroup, facets: DocumentPage['facets']): FilterGroup {
  const counts: Record<string, number> | undefined = facets?.[group.name as keyof typeof facets]
  // If nothing is found at all, no other value would help.
  if (!counts || Object.keys(counts).length === 0) return group
  const options = group.options.map((option) => {
    const count = counts[option.value] ?? 0
    return { ...option, count, isEmpty: count === 0 && option.value !== group.value }
  })
  return { ...group, options }
}
