import type { Named } from '../../../contract/names.ts'
import type { Level } from '../../../rules/price-bands.ts'
import { useTexts } from '../../parts/island.tsx'

/** Names of subjects and levels in the page's language; subjects without a known code keep the backend's name. */
export function useNames() {
  const subjects: Readonly<Record<string, string>> = useTexts('catalogue:matieres')
  const levels = useTexts('catalogue:levels')
  return {
    subject: ({ code, name }: Named) =>
      (code && Object.hasOwn(subjects, code) && subjects[code]) || name,
    level: (level: Level) => levels[level].name,
  }
}
