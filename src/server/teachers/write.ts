import type { ProfileText } from '../../contract/teacher-profile.ts'
import { CATALOGUE_TAG } from '../../rules/page-tags.ts'
import { LEVELS } from '../../rules/price-bands.ts'
import { rewriteSearchTexts } from '../catalogue/catalogue.ts'
import type { Tx } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import { describeChanges } from '../staff-log/staff-log.ts'
import { changeProfile, type ProfileEditor } from './change.ts'
import { findProfile, type Profile, textOfProfile } from './profile.ts'

/** The fields that cards show and searches look into. */
const NAMES = new Set(['firstName', 'lastName', 'latinName'])

/**
 * Replaces the whole text of `revision`. An identical text changes
 * nothing. Throws `profile_changed`, or `invalid_input` for an unknown subject.
 */
export function saveProfile(
  deps: Deps,
  editor: ProfileEditor,
  { revision, text }: { revision: number; text: ProfileText },
): Promise<Profile> {
  return changeProfile(deps, editor, async ({ tx, teacher }) => {
    const wanted = inOrder(text)
    const before = inOrder(textOfProfile(await findProfile(tx, teacher.id)))
    const changes = Object.entries(wanted).filter(
      ([name, value]) => String(before[name as keyof ProfileText]) !== String(value),
    )
    if (changes.length === 0) return null
    if (revision !== teacher.revision) throw fault('profile_changed')
    const { subjectIds, ...columns } = wanted
    await tx
      .updateTable('teachers')
      .set({ ...columns, revision: teacher.revision + 1 })
      .where('id', '=', teacher.id)
      .execute()
    await writeSubjects(tx, teacher.id, subjectIds)
    const action = 'change profile'
    const reason = describeChanges(changes)
    if (!changes.some(([name]) => NAMES.has(name))) return { action, reason }
    await rewriteSearchTexts(tx, teacher.id)
    return { action, reason, tags: [CATALOGUE_TAG] }
  })
}

/** Each subject and level once, in the order of the shop. */
function inOrder({ subjectIds, levels, ...text }: ProfileText): ProfileText {
  return {
    ...text,
    subjectIds: [...new Set(subjectIds)].sort((a, b) => a - b),
    levels: LEVELS.filter((level) => levels.includes(level)),
  }
}

async function writeSubjects(tx: Tx, teacherId: number, subjectIds: number[]): Promise<void> {
  const removed = await tx
    .deleteFrom('teacherSubjects')
    .where('teacherId', '=', teacherId)
    .returning('matiereId')
    .execute()
  if (subjectIds.length === 0) return
  const own = new Set(removed.map(({ matiereId }) => matiereId))
  const kept = subjectIds.filter((id) => own.has(id))
  const known = await tx
    .selectFrom('matieres')
    .select('id')
    .where('id', 'in', subjectIds)
    // A retired subject may stay, but not be added.
    .where((row) => row.or([row('isRetired', '=', false), row('id', 'in', [0, ...kept])]))
    .forKeyShare()
    .execute()
  if (known.length < subjectIds.length) {
    throw fault('invalid_input', { fields: { subjectIds: 'invalid' } })
  }
  await tx
    .insertInto('teacherSubjects')
    .values(subjectIds.map((matiereId) => ({ teacherId, matiereId })))
    .execute()
}
