import type { Kysely, Selectable } from 'kysely'
import type { CannedAnswer, CannedAnswerForm } from '../../contract/office-canned-answers.ts'
import { completed, DEFAULT_LANGUAGE, LANGUAGES } from '../../rules/languages.ts'
import type { Database } from '../database/pool.ts'
import type { Schema } from '../database/schema.ts'
import { type Tx, transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import { describeChanges, doneBefore, logStaff } from '../staff-log/staff-log.ts'

type Row = Selectable<Schema['cannedAnswers']>

const subjectOf = (id: number) => ({ kind: 'canned answer', id })

export async function readCannedAnswers(db: Kysely<Schema>): Promise<CannedAnswer[]> {
  const rows = await db.selectFrom('cannedAnswers').selectAll().orderBy('id').execute()
  return rows.map(presentAnswer)
}

export function addCannedAnswer(
  database: Pick<Database, 'kysely'>,
  { name, text }: CannedAnswerForm,
  actor: string,
): Promise<CannedAnswer> {
  return transaction(database, async (tx) => {
    const row = await tx
      .insertInto('cannedAnswers')
      .values({ name: JSON.stringify(name), text: JSON.stringify(text) })
      .returningAll()
      .executeTakeFirstOrThrow()
    const reason = describeChanges([
      ['name', name[DEFAULT_LANGUAGE]],
      ['text', text[DEFAULT_LANGUAGE]],
    ])
    await logStaff(tx, { actor, action: 'add canned answer', subject: subjectOf(row.id), reason })
    return presentAnswer(row)
  })
}

interface Change extends CannedAnswerForm {
  readonly id: number
  readonly revision: number
  readonly isRetired: boolean
}

/**
 * Changes, retires or restores a canned answer. Throws `canned_answer_not_found`, `done_before`.
 */
export function changeCannedAnswer(
  { database, now }: Pick<Deps, 'database' | 'now'>,
  { id, revision, name, text, isRetired }: Change,
  actor: string,
): Promise<CannedAnswer> {
  return transaction(database, async (tx) => {
    const before = await tx
      .selectFrom('cannedAnswers')
      .selectAll()
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!before) throw fault('canned_answer_not_found')
    if (before.revision !== revision) throw await changedBefore(tx, id)
    const row = await tx
      .updateTable('cannedAnswers')
      .set({
        name: JSON.stringify(name),
        text: JSON.stringify(text),
        retiredAt: isRetired ? (before.retiredAt ?? new Date(now())) : null,
        revision: revision + 1,
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    const wasRetired = before.retiredAt !== null
    const action =
      isRetired === wasRetired ? 'change' : isRetired ? ('retire' as const) : ('restore' as const)
    const changed = LANGUAGES.flatMap((language) => [
      ...(name[language] === before.name[language]
        ? []
        : [[`name.${language}`, name[language]] as const]),
      ...(text[language] === before.text[language]
        ? []
        : [[`text.${language}`, text[language]] as const]),
    ])
    const reason = describeChanges(changed) || null
    await logStaff(tx, {
      actor,
      action: `${action} canned answer`,
      subject: subjectOf(id),
      reason,
    })
    return presentAnswer(row)
  })
}

async function changedBefore(tx: Tx, id: number) {
  const actions = [
    'change canned answer',
    'retire canned answer',
    'restore canned answer',
    'add canned answer',
  ] as const
  return (await doneBefore(tx, { subject: subjectOf(id), actions })) ?? fault('done_before')
}

function presentAnswer({ id, revision, name, text, retiredAt }: Row): CannedAnswer {
  const isRetired = retiredAt !== null
  return { id, revision, name: completed(name, ''), text: completed(text, ''), isRetired }
}
