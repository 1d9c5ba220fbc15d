import type { Kysely } from 'kysely'
import { create, type Struct } from 'superstruct'
import { FACTS } from '../../contract/office-facts.ts'
import type { Facts } from '../../contract/site.ts'
import { completed, type InEachLanguage } from '../../rules/in-each-language.ts'
import { DEFAULT_LANGUAGE } from '../../rules/languages.ts'
import { FACT_GROUPS, type FactGroup } from '../../rules/site-facts.ts'
import { FIRST_FACTS } from '../../site.ts'
import type { Schema } from '../database/schema.ts'
import type { Deps } from '../deps.ts'
import { describeChanges } from '../staff-log/staff-log.ts'
import { changeSubject, fieldsOf, latestVersions, type Version } from '../versions/versions.ts'
import { tagOf } from './tags.ts'

const SUBJECTS = FACT_GROUPS.map((group) => `facts ${group}` as const)

/** The facts of a group in one of its versions. */
export function factsOf<Group extends FactGroup>(
  group: Group,
  version: Pick<Version, 'value'> | undefined,
): Facts[Group] {
  return version?.value ? READ[group](version.value as Facts[Group]) : FIRST_FACTS[group]
}

/** The facts of each group from what is stored, which may be older than a language of the shop. */
const READ: { readonly [Group in FactGroup]: (stored: Facts[Group]) => Facts[Group] } = {
  contact: (stored) => ({
    ...stored,
    school: inDefault(stored.school),
    addresses: stored.addresses.map(inDefault),
  }),
  community: (stored) => stored,
  bank: (stored) => ({ ...stored, name: inDefault(stored.name) }),
  d17: (stored) => stored,
}

/** A stored text, in the default language where it has no other. */
function inDefault(stored: InEachLanguage): InEachLanguage {
  return completed(stored, stored[DEFAULT_LANGUAGE])
}

/** The current facts. */
export async function readFacts(db: Kysely<Schema>): Promise<Facts> {
  const versions = await latestVersions(db, SUBJECTS)
  return {
    contact: factsOf('contact', versions.get('facts contact')),
    community: factsOf('community', versions.get('facts community')),
    bank: factsOf('bank', versions.get('facts bank')),
    d17: factsOf('d17', versions.get('facts d17')),
  }
}

/**
 * Changes a group of facts, which is public immediately; identical values change nothing. Throws
 * `done_before` if somebody has changed it since `revision`; null replaces the current revision,
 * whichever it is.
 */
export function saveFacts<Group extends FactGroup>(
  deps: Deps,
  group: Group,
  change: { revision: number | null; value: Facts[Group]; actor: string },
): Promise<void> {
  const { revision, actor } = change
  // Normalises numbers to the form that pages show.
  const value = create(change.value, FACTS[group] as unknown as Struct<Facts[Group]>)
  const subject = `facts ${group}` as const
  return changeSubject(deps, { subject, revision, actor }, async (_, latest) => {
    const before = fieldsOf(factsOf(group, latest))
    const changes = [...fieldsOf(value)].filter(([field, text]) => before.get(field) !== text)
    const isSame = changes.length === 0 && before.size === fieldsOf(value).size
    return isSame ? null : { value, reason: describeChanges(changes), tags: [tagOf(subject)] }
  })
}
