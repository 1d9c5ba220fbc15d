import type { Named } from '../../../contract/names.ts'
import type { Level } from '../../../rules/price-bands.ts'
import { useTexts } from '../../parts/island.tsx'

/** The names of subjects, by code, else as the shop has them, and of levels. */
export function useNames() {
  const subjects: Readonly<Record<string, string>> = useTexts('catalogue:matieres')
  const levels = useTexts('catalogue:levels')
  return {
    subject: ({ code, name }: Named) =>
      (code && Object.hasOwn(subjects, code) && subjects[code]) || name,
    level: (level: Level) => levels[level].name,
  }
}
