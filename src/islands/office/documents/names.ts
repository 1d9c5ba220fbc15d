import { AUDIENCES } from '../../../rules/price-bands.ts'
import { useTexts } from '../../parts/island.tsx'

interface Named {
  code?: string | null
  name: string
}

/** Names of the catalogue in the page's language if their code is known, or as the backend gives them. */
export function useNames() {
  const types = useTexts('catalogue:types')
  const named =
    (table: Readonly<Record<string, string>>) =>
    ({ code, name }: Named): string =>
      (code && Object.hasOwn(table, code) && table[code]) || name
  return {
    matiere: named(useTexts('catalogue:matieres')),
    schoolYear: named(useTexts('catalogue:niveaux')),
    category: named(useTexts('catalogue:categories')),
    audience: (type: string) => (type === AUDIENCES[0] ? types.student : types.teacher),
  }
}
