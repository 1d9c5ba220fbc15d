import type { NamedEntry } from '../rules/catalogue-names.ts'
import type { Details } from '../rules/document-fields.ts'
import type { InEachLanguage } from '../rules/languages.ts'
import { pictureVersion } from '../rules/pictures.ts'
import { catalogueNames } from './catalogue-names.ts'
import { paperLine, withKind } from './details.ts'
import { calledIn } from './format.ts'
import { textsIn } from './texts.ts'

interface Shared extends Readonly<Partial<Details>> {
  readonly hasCorrection?: boolean | undefined
  readonly kindNames?: InEachLanguage | undefined
  readonly title: string
  readonly classe: NamedEntry
  readonly matiere: NamedEntry
  readonly teacher: Parameters<typeof calledIn>[1]
}

/** Whether a text begins in Arabic, and so is read from the right. */
export const beginsInArabic = (text: string): boolean => /^[^\p{L}]*\p{Script=Arabic}/u.test(text)

/** What the picture of a shared document shows, in the language of its title: Arabic, or else French. */
export function sharedDocument({ title, classe, matiere, teacher, ...details }: Shared) {
  const locale = beginsInArabic(title) ? 'ar' : 'fr'
  const names = catalogueNames(locale)
  return {
    title,
    programme: [names.schoolClass(classe), names.matiere(matiere)].filter(Boolean).join(' · '),
    paper: paperLine(withKind(locale, textsIn(locale, 'catalogue:papers'), details), details),
    teacher: calledIn(locale, teacher),
    subjectCode: matiere.code ?? null,
  }
}

/** The path of that picture. */
export const sharedPicture = (document: Shared & { readonly id: number }): string =>
  `/media/og/${document.id}.png?v=${pictureVersion(sharedDocument(document))}`
