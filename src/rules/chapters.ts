import type { InEachLanguage } from './languages.ts'
import type { Trimester } from './papers.ts'
import { isBlank, plainName } from './pasted-text.ts'
import { foldText } from './search-fold.ts'

/** The most chapters of a class and subject, including hidden ones. */
export const CHAPTERS_MAX = 60
/** The longest name of a chapter, and the longest other name. */
export const CHAPTER_NAME_MAX_LENGTH = 120
/** The most other names of a chapter. */
export const CHAPTER_ALIASES_MAX = 10
/** The most lines that are pasted at once, whatever they say. */
export const PASTED_CHAPTERS_MAX_LENGTH = CHAPTERS_MAX * CHAPTER_NAME_MAX_LENGTH * 4

/** The names of a chapter as administrators write them; one of the two may be ''. */
export interface ChapterNames {
  readonly ar: string
  readonly fr: string
  /** Other names, by which searches find it too. */
  readonly aliases: readonly string[]
}

/** A chapter of a class and subject. */
export interface WrittenChapter extends ChapterNames {
  readonly trimester: Trimester | null
  /** Whether documents can no longer be given it; those that have it keep it. */
  readonly isHidden: boolean
}

/** The names that pages show: a missing one is that of the other language, the English one the French. */
export function chapterNames({ ar, fr }: Pick<ChapterNames, 'ar' | 'fr'>): InEachLanguage {
  return { ar: ar || fr, fr: fr || ar, en: fr || ar }
}

/** The problem with one name or alias, or null; '' is none. */
export function chapterNameProblem(name: string): 'maxLength' | 'pattern' | null {
  if ([...name].length > CHAPTER_NAME_MAX_LENGTH) return 'maxLength'
  return /[\p{Cc}<>|]/u.test(name) ? 'pattern' : null
}

/** A name that two of these chapters have, in any language or spelling; undefined if there is none. */
export function sharedName(
  chapters: readonly Pick<ChapterNames, 'ar' | 'fr'>[],
): string | undefined {
  const seen = new Set<string>()
  for (const { ar, fr } of chapters) {
    const own = new Map([ar, fr].map((name) => [foldText(name), name]))
    own.delete('')
    for (const [folded, name] of own) {
      if (seen.has(folded)) return name
      seen.add(folded)
    }
  }
  return undefined
}

/** A name as it is typed; '' for one that nobody would see. */
export const chapterName = (typed: string): string => (isBlank(typed) ? '' : plainName(typed))

/** The number or bullet that begins a line of a pasted list. */
const BULLET = /^\s{0,9}(?:\d{1,3}\s?[.)/–-]|[•*–-])\s/

/**
 * The chapters of a pasted text, one a line: its names and other names between `|` or tabs, such as
 * `الإحصاء | Statistiques | Stats`. A single name is Arabic if it has Arabic letters.
 */
export function readPastedChapters(text: string): ChapterNames[] {
  return text
    .slice(0, PASTED_CHAPTERS_MAX_LENGTH)
    .split(/[\n\r]+/)
    .filter((line) => !isBlank(line))
    .flatMap((line) => {
      const parts = line.replace(BULLET, '').split(/[|\t]/).map(chapterName)
      // A line needs a name: behind two empty places it is the first of the others.
      const [first, ...rest] = parts[0] || parts[1] ? parts : parts.filter(Boolean)
      if (first === undefined) return []
      const isArabic = /\p{Script=Arabic}/u.test(first)
      const [ar = '', fr = '', ...aliases] =
        isArabic || rest.length > 0 ? [first, ...rest] : ['', first]
      return { ar, fr, aliases: aliases.filter(Boolean) }
    })
}

/** The longest readable part of an address. */
const ADDRESS_NAME_MAX_LENGTH = 60

/** The last part of the address of a chapter's page: its id, and its French name in plain letters. */
export function chapterAddress({ id, names }: { id: number; names: InEachLanguage }): string {
  const plain = foldText(names.fr)
    .replace(/[^a-z\d]+/g, '-')
    .slice(0, ADDRESS_NAME_MAX_LENGTH)
    .replace(/^-|-$/g, '')
  return plain === '' ? String(id) : `${id}-${plain}`
}

/** The source of a regular expression for that part; its group is the id. */
export const CHAPTER_PATTERN = `([1-9]\\d{0,8})(?:-[a-z\\d-]{1,${ADDRESS_NAME_MAX_LENGTH}})?`
