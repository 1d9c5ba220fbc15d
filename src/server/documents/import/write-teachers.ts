import { sql } from 'kysely'
import { fullName } from '../../../rules/full-name.ts'
import type { Tx } from '../../database/transaction.ts'
import type { ListedDocument } from './check-rows.ts'

/** The teachers of a list by e-mail, after adding the unknown ones; `names` is for the search. */
export async function writeTeachers(
  tx: Tx,
  documents: readonly ListedDocument[],
): Promise<Map<string, { id: number; names: string }>> {
  const teachers = new Map<string, { id: number; names: string }>()
  const listed = new Map(documents.map(({ teacher }) => [teacher.email, teacher]))
  const rows = await tx
    .selectFrom('teachers')
    .select(['id', 'firstName', 'lastName', 'latinName', 'email'])
    .where(sql<string>`lower(email)`, 'in', [...listed.keys()])
    .orderBy('id')
    .execute()
  const keep = ({ email, id, latinName, ...person }: (typeof rows)[number]) =>
    teachers.set(email.toLowerCase(), { id, names: `${fullName(person)} ${latinName}` })
  rows.forEach(keep)
  for (const teacher of listed.values()) {
    if (teachers.has(teacher.email)) continue
    const { id } = await tx
      .insertInto('teachers')
      .values({ ...teacher, userId: null })
      .returning('id')
      .executeTakeFirstOrThrow()
    keep({ id, latinName: '', ...teacher })
  }
  return teachers
}
