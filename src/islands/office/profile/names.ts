import { type NamedEntry, nameIn } from '../../../rules/catalogue-names.ts'
import type { Level } from '../../../rules/price-bands.ts'
import { useLocale, useTexts } from '../../parts/island.tsx'

/** Functions that name subjects and levels in the page's language. */
export function useNames() {
  const locale = useLocale()
  const subjects = useTexts('catalogue:matieres')
  const levels = useTexts('catalogue:levels')
  return {
    subject: (entry: NamedEntry) => nameIn(locale, entry, subjects),
    level: (level: Level) => levels[level].name,
  }
}
