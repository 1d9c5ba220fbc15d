import { TEXTS } from '../../src/i18n/texts.ts'
import { LANGUAGES } from '../../src/rules/languages.ts'
import { type Vocabulary, vocabularyOf } from '../../src/rules/school-words.ts'
import { readSchoolLists } from '../../src/server/catalogue/school-lists.ts'

/** The vocabulary of a new shop's lists. */
export async function schoolVocabulary(): Promise<Vocabulary> {
  const { subjects, classes } = await readSchoolLists()
  const namesOf = (
    list: 'matieres' | 'niveaux',
    { code, names }: { code: string; names: Readonly<Record<string, string | undefined>> },
  ) => [
    ...Object.values(names).flatMap((name) => name ?? []),
    ...LANGUAGES.flatMap((language) => {
      const texts: Readonly<Record<string, string>> = TEXTS[language].catalogue[list]
      return texts[code] ?? []
    }),
  ]
  const isOf = (classCode: string) => (place: string) => `${classCode}-`.startsWith(`${place}-`)
  return vocabularyOf({
    subjects: subjects.map((one) => ({ code: one.code, names: namesOf('matieres', one) })),
    classes: classes.map((one) => ({
      code: one.code,
      names: namesOf('niveaux', one),
      subjects: subjects
        .filter((subject) => subject.classes.some(isOf(one.code)))
        .map(({ code }) => code),
    })),
  })
}
