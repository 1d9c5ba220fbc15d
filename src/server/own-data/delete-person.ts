import { type RawBuilder, sql } from 'kysely'
import { CATALOGUE_TAG, documentTag, TEACHERS_TAG, teacherTag } from '../../rules/page-tags.ts'
import { endSessions } from '../accounts/accounts.ts'
import { rewriteSearchTexts } from '../catalogue/catalogue.ts'
import type { Tx } from '../database/transaction.ts'
import { forgetJobsOf } from '../jobs/jobs.ts'
import { logStaff, userSubject } from '../staff-log/staff-log.ts'
import { type Names, PERSONAL } from './tables.ts'

/**
 * Deletes a person in the caller's transaction: what is left is a number, in what the law keeps.
 * Returns the tags of the pages that showed something of it.
 */
export async function deletePerson(tx: Tx, names: Names, actor: string): Promise<string[]> {
  const { users, teachers } = names
  const tags = await tagsOf(tx, names)
  const { rows: files } = await sql<{ id: number }>`
    SELECT file_id AS id FROM documents WHERE teacher_id = ANY (${[...teachers]}::integer[])
    UNION SELECT v.file_id FROM document_versions v JOIN documents d ON d.id = v.document_id
      WHERE d.teacher_id = ANY (${[...teachers]}::integer[])`.execute(tx)

  // The logs let words go in this transaction alone.
  await sql`SELECT set_config('karras.deletes_person', 'on', true)`.execute(tx)
  await takeNamesOut(tx, names)
  for (const [table, { whose, becomes }] of Object.entries(PERSONAL)) {
    const where = whose(names)
    await (becomes
      ? sql`UPDATE ${sql.table(table)} SET ${assignments(becomes)} WHERE ${where}`
      : sql`DELETE FROM ${sql.table(table)} WHERE ${where}`
    ).execute(tx)
  }
  await sql`
    DELETE FROM files WHERE id = ANY (${files.map(({ id }) => id)}::integer[])
      AND NOT EXISTS (SELECT FROM documents WHERE file_id = files.id)
      AND NOT EXISTS (SELECT FROM document_versions WHERE file_id = files.id)`.execute(tx)
  for (const id of teachers) await rewriteSearchTexts(tx, id)
  await forgetJobsOf(tx, { userIds: users, texts: [...names.emails, ...names.phones] })
  for (const id of users) await endSessions(tx, id)
  await logStaff(
    tx,
    ...users.map((id) => ({
      actor,
      action: 'delete account' as const,
      subject: userSubject(id),
    })),
  )
  return tags
}

const assignments = (becomes: Readonly<Record<string, RawBuilder<unknown>>>) =>
  sql.join(
    Object.entries(becomes).map(([column, value]) => sql`${sql.ref(column)} = ${value}`),
    sql`, `,
  )

/** Replaces the person in what the other side of their conversations wrote. */
async function takeNamesOut(tx: Tx, { users, emails, phones, called }: Names): Promise<void> {
  // A name is a whole word, so that a short one does not tear others apart.
  const patterns = [
    ...emails.map(inPattern),
    ...phones.map((phone) => phone.split('').join('[ .-]?')),
    ...called.map((name) => `\\m${inPattern(name)}\\M`),
  ]
  const content = patterns.reduce<RawBuilder<unknown>>(
    (text, pattern) => sql`regexp_replace(${text}, ${pattern}, '…', 'gi')`,
    sql`content`,
  )
  await sql`
    UPDATE chat_messages SET content = ${content}
    WHERE receiver_id = ANY (${[...users]}::integer[])
      AND NOT sender_id = ANY (${[...users]}::integer[])`.execute(tx)
}

/** A text within a regular expression; what is neither a letter nor a digit may be any sign. */
const inPattern = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '.')

async function tagsOf(tx: Tx, { users, teachers }: Names): Promise<string[]> {
  const { rows } = await sql<{ documentId: number | null; teacherId: number | null }>`
    SELECT document_id, teacher_id FROM ratings WHERE user_id = ANY (${[...users]}::integer[])
    UNION SELECT id, teacher_id FROM documents
      WHERE teacher_id = ANY (${[...teachers]}::integer[])`.execute(tx)
  return [
    ...rows.flatMap(({ documentId }) => (documentId === null ? [] : documentTag(documentId))),
    ...rows.flatMap(({ teacherId }) => (teacherId === null ? [] : teacherTag(teacherId))),
    ...(teachers.length > 0 ? [TEACHERS_TAG, CATALOGUE_TAG, ...teachers.map(teacherTag)] : []),
  ]
}
