import type { InEachLanguage } from './in-each-language.ts'
import type { Language } from './languages.ts'

/** Something of the catalogue with a name; `names` where administrators have written them. */
export interface NamedEntry {
  readonly name: string
  readonly names?: InEachLanguage | null | undefined
  readonly code?: string | null | undefined
}

/**
 * What an entry of the catalogue is called in a language: as administrators wrote it, else as
 * `table` has it by the entry's code, else as the backend gives it.
 */
export function nameIn(
  language: Language,
  { name, names, code }: NamedEntry,
  table: Readonly<Record<string, string>>,
): string {
  const written = names?.[language]
  if (written) return written
  return (code && Object.hasOwn(table, code) ? table[code] : undefined) ?? name
}
