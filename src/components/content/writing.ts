import type { MarkdownInstance } from 'astro'
import type { Locale } from '../../i18n/locales.ts'

/** Somebody of the team, as `team.md` lists them. */
export interface Member {
  firstName: string
  lastName: string
  role: string
  text: string
}

interface Head {
  title: string
  description: string
  /** The sentence under the heading. */
  lead: string
  people?: Member[]
}

export type Writing = MarkdownInstance<Head>

const files = import.meta.glob<Writing>('../../content/*/*.md', { eager: true })

/** A text that an operator writes: `src/content/<language>/<name>.md`. Throws where there is none. */
export function writing(locale: Locale, name: string): Writing {
  const found = files[`../../content/${locale}/${name}.md`]
  if (!found) throw new Error(`src/content/${locale}/${name}.md is missing`)
  return found
}
