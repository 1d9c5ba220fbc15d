import type { Kysely } from 'kysely'
import { IMPORT_MAX_DOCUMENTS } from '../../../rules/imports.ts'
import { foldEmail } from '../../accounts/accounts.ts'
import type { Schema } from '../../database/schema.ts'
import type { ListedDocument } from './check-rows.ts'
import {
  IMPORT_STATES,
  type ImportState,
  OWN_COLUMNS,
  OWN_STATES,
  REQUIRED_COLUMNS,
} from './columns.ts'
import type { ImportProblem } from './problems.ts'
import type { ListLimits, Row } from './read-list.ts'

/** A teacher who gives a list of their own documents. */
export interface OwnTeacher {
  readonly id: number
  readonly email: string
  /** In every script, for the search. */
  readonly names: string
}

/** Who gives a list: a teacher, or the shop's operator, who may list everybody's documents. */
export interface ListOwner {
  /** As the staff's log names them. */
  readonly actor: string
  /** null: the operator. */
  readonly teacher: OwnTeacher | null
}

/** What is asked of this owner's list. */
export function limitsFor({ teacher }: ListOwner): ListLimits & { states: readonly ImportState[] } {
  if (!teacher) return { states: IMPORT_STATES }
  return {
    most: IMPORT_MAX_DOCUMENTS,
    required: REQUIRED_COLUMNS.filter((name) => OWN_COLUMNS.includes(name)),
    states: OWN_STATES,
  }
}

/** The rows of a teacher's list, which need not say whose they are and may name nobody else. */
export function asOwn(
  rows: readonly Row[],
  { teacher }: ListOwner,
): { rows: readonly Row[]; problems: ImportProblem[] } {
  if (!teacher) return { rows, problems: [] }
  const problems: ImportProblem[] = []
  const own = rows.map(({ number, values }) => {
    const named = values.teacher_email
    if (named !== '' && foldEmail(named) !== foldEmail(teacher.email)) {
      problems.push({ row: number, column: 'teacher_email', code: 'other_teacher', detail: named })
    }
    return { number, values: { ...values, teacher_email: teacher.email } }
  })
  return { rows: own, problems }
}

/**
 * The documents of a teacher's list under the references that the shop keeps them by: two teachers
 * may use the same one. What the operator has imported for the teacher has its reference as it is.
 */
export async function withKeptReferences(
  db: Kysely<Schema>,
  documents: readonly ListedDocument[],
  { teacher }: ListOwner,
): Promise<readonly ListedDocument[]> {
  if (!teacher || documents.length === 0) return documents
  const rows = await db
    .selectFrom('documents')
    .select('reference')
    .where('teacherId', '=', teacher.id)
    .where(
      'reference',
      'in',
      documents.map(({ reference }) => reference),
    )
    .execute()
  const kept = new Set(rows.map(({ reference }) => reference))
  return documents.map((document) =>
    kept.has(document.reference)
      ? document
      : { ...document, reference: listReference(teacher.id, document.reference) },
  )
}

/** How the shop keeps the reference of a document that a teacher's list has brought. */
export const listReference = (teacherId: number, reference: string): string =>
  `${teacherId}/${reference}`
