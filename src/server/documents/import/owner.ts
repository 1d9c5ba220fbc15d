import type { Kysely } from 'kysely'
import { IMPORT_MAX_DOCUMENTS } from '../../../rules/imports.ts'
import { EMAIL_MAX_LENGTH } from '../../../rules/validators.ts'
import { foldEmail } from '../../accounts/accounts.ts'
import type { Schema } from '../../database/schema.ts'
import type { Customer } from '../../workers/workers.ts'
import type { ListedDocument } from './check-rows.ts'
import {
  IMPORT_STATES,
  type ImportState,
  OWN_COLUMNS,
  OWN_STATES,
  REQUIRED_COLUMNS,
} from './columns.ts'
import { type ImportProblem, shownDetail } from './problems.ts'
import type { ListLimits, ListRow } from './read-list.ts'

/** A teacher who imports a list of their own documents. */
interface OwnTeacher {
  readonly id: number
  readonly email: string
  /** In every script, for the search. */
  readonly names: string
}

/**
 * The owner of a list: a teacher, or the operator, whose list may contain documents of every
 * teacher.
 */
export interface ListOwner {
  /** The subject of the owner in the staff log. */
  readonly actor: string
  /** null: the operator. */
  readonly teacher: OwnTeacher | null
}

/** The account that pays for opening the files of a list; nobody waits for it. */
export const customerOf = ({ actor }: ListOwner): Customer => ({ lane: 'behind', account: actor })

export function limitsFor({ teacher }: ListOwner): ListLimits & { states: readonly ImportState[] } {
  if (!teacher) return { states: IMPORT_STATES }
  return {
    most: IMPORT_MAX_DOCUMENTS,
    required: REQUIRED_COLUMNS.filter((name) => OWN_COLUMNS.includes(name)),
    states: OWN_STATES,
  }
}

/**
 * The rows with their teacher filled in: a teacher's list need not name a teacher, and may not name
 * another one.
 */
export function asOwn(
  rows: readonly ListRow[],
  { teacher }: ListOwner,
): { rows: readonly ListRow[]; problems: ImportProblem[] } {
  if (!teacher) return { rows, problems: [] }
  const problems: ImportProblem[] = []
  const own = rows.map(({ number, values }) => {
    const named = values.teacher_email
    const isMine = named.length <= EMAIL_MAX_LENGTH && foldEmail(named) === foldEmail(teacher.email)
    if (named !== '' && !isMine) {
      const detail = shownDetail(named)
      problems.push({ row: number, column: 'teacher_email', code: 'other_teacher', detail })
    }
    return { number, values: { ...values, teacher_email: teacher.email } }
  })
  return { rows: own, problems }
}

/**
 * Replaces the references of a teacher's list with those that the shop stores, since two teachers
 * may use the same one. Documents that the operator imported for the teacher keep their plain
 * reference.
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

/** The reference that the shop stores for a document from a teacher's list. */
export const listReference = (teacherId: number, reference: string): string =>
  `${teacherId}/${reference}`
