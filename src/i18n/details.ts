import { type Detail, type Details, givenDetails, ruleOf } from '../rules/document-fields.ts'
import type { InEachLanguage } from '../rules/languages.ts'
import { yearText } from '../rules/papers.ts'
import { pluralText } from './format.ts'
import type { Locale } from './locales.ts'

type Texts = Readonly<Record<string, string>>

/** Texts of details with the name of a kind that administrators have added. */
export const withKind = (
  locale: Locale,
  texts: Texts,
  { paperKind, kindNames }: { paperKind?: string | null | undefined; kindNames?: KindNames },
): Texts => (kindNames ? { ...texts, [`paperKind_${paperKind}`]: kindNames[locale] } : texts)
type KindNames = InEachLanguage | undefined

/** The details that a document has, as its page shows them; `texts` are `office-documents:details`. */
export function detailTexts(
  locale: Locale,
  texts: Texts,
  document: Readonly<Partial<Details>>,
): [Detail, string][] {
  return givenDetails(document).flatMap(([name, value]): [Detail, string][] => {
    const { kind } = ruleOf(name)
    // Shown by its title, where that is known.
    if (kind === 'paper') return []
    if (kind === 'number') return [[name, pluralText(locale, texts, name, Number(value))]]
    if (kind === 'year') return [[name, yearText(Number(value), document.paperKind)]]
    return [[name, kind === 'option' ? (texts[`${name}_${value}`] ?? '') : String(value)]]
  })
}

/** What a paper is in a few words, such as `DC 1 · with correction · T1 · 2024/25`; `texts` are `catalogue:papers`. */
export function paperLine(
  texts: Texts,
  document: Readonly<Partial<Details> & { hasCorrection?: boolean | undefined }>,
): string {
  const { paperKind, paperNumber, trimester, schoolYear, correctionPage } = document
  const { correctionOf, hasCorrection } = document
  const kind = paperKind && texts[`paperKind_${paperKind}`]
  return [
    kind && [kind, paperNumber].filter(Boolean).join('\u00a0'),
    correctionOf ? texts.correction : (correctionPage || hasCorrection) && texts.corrected,
    trimester && texts[`trimester_${trimester}`],
    schoolYear && yearText(schoolYear, paperKind),
  ]
    .filter(Boolean)
    .join(' · ')
}
