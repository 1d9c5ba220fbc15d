import type { Input } from '../../../contract/call.ts'
import { proposeFacts } from '../../../contract/office-documents.ts'
import { DETAILS, fitsCategory, isOptionFor } from '../../../rules/document-fields.ts'
import { ask } from '../../kit/backend.ts'
import { TEXT_FIELDS, type TextField, type TextValues, typedDetails } from './text.ts'

/** What a title states, and the first page of a file, as the form's values. */
export async function readProposed(
  query: Input<typeof proposeFacts>['query'],
  signal?: AbortSignal,
): Promise<Readonly<Partial<TextValues>>> {
  const facts = await ask(proposeFacts, { query }, signal && { signal })
  const { matiereId, niveauId, categoryId } = facts
  const idOf = (id: number | null) => (id === null ? '' : String(id))
  return {
    ...typedDetails(facts),
    matiereId: idOf(matiereId),
    niveauId: idOf(niveauId),
    categoryId: idOf(categoryId),
  }
}

/** Those of them for which nothing is filled in yet; `category` as `categoryOf` has it. */
export const openProposals = (
  values: TextValues,
  proposed: Readonly<Partial<TextValues>>,
  category: string | null,
): { field: TextField; value: string }[] =>
  TEXT_FIELDS.flatMap((field) => {
    const value = values[field] === '' ? (proposed[field] ?? '') : ''
    return value === '' || !fits(field, value, category) ? [] : [{ field, value }]
  })

/** Whether documents of the chosen category may have a value; any, where none is chosen yet. */
function fits(field: TextField, value: string, category: string | null): boolean {
  const detail = DETAILS.find((name) => name === field)
  if (!detail || category === '') return true
  return fitsCategory(detail, category) && isOptionFor(detail, category, value)
}
