import { TEXTS } from '../../src/i18n/texts.ts'
import { LANGUAGES } from '../../src/rules/languages.ts'
import { type Vocabulary, vocabularyOf } from '../../src/rules/school-words.ts'
import { readSchoolLists } from '../../src/server/catalogue/school-lists.ts'

/** The vocabulary of a new shop's lists. */
export async function schoolVocabulary(): Promise<Vocabulary> {
  const { subjects, classes } = await readSchoolLists()
  // The lists are written with their Arabic names; the interface translates them by their codes.
  const namesOf = (list: 'matieres' | 'niveaux', code: string, arabic: string) => [
    arabic,
    ...LANGUAGES.flatMap((language) => {
      const texts: Readonly<Record<string, string>> = TEXTS[language].catalogue[list]
      return texts[code] ?? []
    }),
  ]
  const isOf = (classCode: string) => (place: string) => `${classCode}-`.startsWith(`${place}-`)
  return vocabularyOf({
    subjects: subjects.map((one) => ({
      code: one.code,
      names: namesOf('matieres', one.code, one.names.ar),
    })),
    classes: classes.map((one) => ({
      code: one.code,
      names: namesOf('niveaux', one.code, one.names.ar),
      subjects: subjects
        .filter((subject) => subject.classes.some(isOf(one.code)))
        .map(({ code }) => code),
    })),
  })
}
