import type { InEachLanguage, Language } from './languages.ts'

/** An entry of the catalogue with a name; `names` if administrators have written them. */
export interface NamedEntry {
  readonly name: string
  readonly names?: InEachLanguage | null | undefined
  readonly code?: string | null | undefined
}

/**
 * The name of a catalogue entry in a language: the one that administrators wrote, or else the one
 * in `table` under the entry's code, or else the backend's.
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
