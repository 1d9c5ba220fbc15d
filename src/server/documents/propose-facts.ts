import type { Result } from '../../contract/call.ts'
import type { proposeFacts as call } from '../../contract/office-documents.ts'
import {
  DETAILS,
  type Details,
  fitsCategory,
  isOptionFor,
  readDetail,
} from '../../rules/document-fields.ts'
import { KINDS_OF_CATEGORIES } from '../../rules/papers.ts'
import { readTitle } from '../../rules/read-facts.ts'
import type { Deps } from '../deps.ts'

type Shop = Pick<Deps, 'catalogue'>

/** The facts that a document's title states, and its first page where the title does not, as its form has them. */
export async function proposeFacts(
  { catalogue }: Shop,
  title: string,
  firstPage: string,
): Promise<Result<typeof call>> {
  const { vocabulary, subjectIds, classIds, categoryIds } = await catalogue.schoolWords()
  const read = readTitle(title, vocabulary, firstPage)
  const category = Object.entries(KINDS_OF_CATEGORIES).find(([, kinds]) =>
    kinds.some((each) => each === read.kind?.value),
  )?.[0]
  return {
    matiereId: subjectIds.get(read.subjectCode?.value ?? '') ?? null,
    niveauId: classIds.get(read.classCode?.value ?? '') ?? null,
    categoryId: categoryIds.get(category ?? '') ?? null,
    ...detailsIn(read),
  }
}

/** Reads the details that a title states, of those that documents of a category may have. */
export async function detailReader({ catalogue }: Shop) {
  const { vocabulary } = await catalogue.schoolWords()
  return (title: string, category: string | null): Partial<Details> => {
    const stated = detailsIn(readTitle(title, vocabulary))
    const fits = DETAILS.filter(
      (name) =>
        fitsCategory(name, category) && isOptionFor(name, category, String(stated[name] ?? '')),
    )
    return Object.fromEntries(fits.map((name) => [name, stated[name]]))
  }
}

function detailsIn(read: ReturnType<typeof readTitle>): Details {
  const typed: Partial<Record<keyof Details, string | number | undefined>> = {
    paperKind: read.kind?.value,
    // A filter reads digits: a number that is a word is proposed in digits.
    paperNumber: /\d/.test(read.number?.typed ?? '') ? read.number?.typed : read.number?.value,
    trimester: read.trimester && `t${read.trimester.value}`,
    schoolYear: read.year?.value,
    minutes: read.minutes?.value,
    school: read.school?.value,
    paperAuthor: read.teacher?.value,
  }
  return Object.fromEntries(
    DETAILS.map((name) => [name, readDetail(name, String(typed[name] ?? '')) ?? null]),
  ) as Details
}
