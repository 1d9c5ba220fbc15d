import { useTexts } from '../../../islands/parts/island.tsx'
import { type Detail, optionsFor } from '../../../rules/document-fields.ts'
import { useKindTexts, useOwnKinds } from '../../documents/kinds.ts'

/** Returns a function for the options of a detail of a category, and the document's own value. */
export function useDetailOptions() {
  const texts = useKindTexts(useTexts('office-documents:details'))
  const ownKinds = useOwnKinds().flatMap(({ code, retired }) => (retired || !code ? [] : code))
  return (name: Detail, category: string | null, own: string) => {
    const fitting = [...optionsFor(name, category), ...(name === 'paperKind' ? ownKinds : [])]
    const options = own === '' || fitting.includes(own) ? fitting : [own, ...fitting]
    return options.map((value) => ({ value, text: texts[`${name}_${value}`] ?? value }))
  }
}
