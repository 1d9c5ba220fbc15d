import type { Kysely } from 'kysely'
import type { SiteSubject } from '../../contract/office-site-versions.ts'
import type { FactGroup } from '../../rules/site-facts.ts'
import type { SitePageName } from '../../rules/site-pages.ts'
import type { Schema } from '../database/schema.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import {
  changeSubject,
  type Difference,
  differences,
  findVersion,
  type Version,
} from '../versions/versions.ts'
import { factsOf } from './facts.ts'
import { checkText, placeOf, textOf } from './interface-texts.ts'
import { pageOf } from './pages.ts'
import { tagOf } from './tags.ts'

/** What a version of a subject says. */
function saidBy(subject: SiteSubject, version: Pick<Version, 'value'> | undefined): unknown {
  const text = placeOf(subject)
  if (text) return { text: textOf(text, version) }
  const [kind, name] = subject.split(' ') as [string, string]
  return kind === 'facts'
    ? factsOf(name as FactGroup, version)
    : pageOf(name as SitePageName, version)
}

/** What a version changed of the one before it. Throws `not_found` where there is no such version. */
export async function readDifferences(
  db: Kysely<Schema>,
  subject: SiteSubject,
  revision: number,
): Promise<Difference[]> {
  const version = await findVersion(db, subject, revision)
  if (!version) throw fault('not_found')
  const before = await findVersion(db, subject, revision - 1)
  return differences(saidBy(subject, before), saidBy(subject, version))
}

/**
 * Undoes: adds a version that says what version `to` said; 0 is the first, of the repository. Nothing
 * changes where that is what it says now. Throws `not_found`, `invalid_input` for a text of the
 * interface that does not fit the shipped one any more, or `done_before` as a change does.
 */
export function restoreVersion(
  deps: Deps,
  change: { subject: SiteSubject; revision: number | null; to: number; actor: string },
): Promise<void> {
  const { to, ...by } = change
  return changeSubject(deps, by, async (tx, latest) => {
    const version = to === 0 ? undefined : await findVersion(tx, change.subject, to)
    if (to !== 0 && !version) throw fault('not_found')
    const text = placeOf(change.subject)
    if (text && typeof version?.value === 'string') checkText(text, version.value)
    const [now, then] = [saidBy(change.subject, latest), saidBy(change.subject, version)]
    if (differences(now, then).length === 0) return null
    const tags = [tagOf(change.subject)]
    return { value: version?.value ?? null, restores: to, reason: `version ${to}`, tags }
  })
}
