import type { Result } from '../../contract/call.ts'
import type { proposeFacts as call } from '../../contract/office-documents.ts'
import { DETAILS, type Details, readDetail } from '../../rules/document-fields.ts'
import { KINDS_OF_CATEGORIES } from '../../rules/papers.ts'
import { readTitle } from '../../rules/read-facts.ts'
import type { Deps } from '../deps.ts'

/** The facts that a document's title states, as its form has them. */
export async function proposeFacts(
  { catalogue }: Pick<Deps, 'catalogue'>,
  title: string,
): Promise<Result<typeof call>> {
  const { vocabulary, subjectIds, classIds, categoryIds } = await catalogue.schoolWords()
  const read = readTitle(title, vocabulary)
  const kind = read.kind?.value
  const category = Object.entries(KINDS_OF_CATEGORIES).find(([, kinds]) =>
    kinds.some((each) => each === kind),
  )?.[0]
  const typed: Partial<Record<keyof Details, string | number | undefined>> = {
    paperKind: kind,
    // A filter reads digits: a number that is a word is proposed in digits.
    paperNumber: /\d/.test(read.number?.typed ?? '') ? read.number?.typed : read.number?.value,
    trimester: read.trimester && `t${read.trimester.value}`,
    schoolYear: read.year?.value,
    minutes: read.minutes?.value,
    school: read.school?.value,
    paperAuthor: read.teacher?.value,
  }
  return {
    matiereId: subjectIds.get(read.subjectCode?.value ?? '') ?? null,
    niveauId: classIds.get(read.classCode?.value ?? '') ?? null,
    categoryId: categoryIds.get(category ?? '') ?? null,
    ...(Object.fromEntries(
      DETAILS.map((name) => [name, readDetail(name, String(typed[name] ?? '')) ?? null]),
    ) as Details),
  }
}
