import type { Kysely } from 'kysely'
import { create, type Struct } from 'superstruct'
import { savedFacts } from '../../contract/office-facts.ts'
import type { InterfaceTextSubject, TextSubject } from '../../contract/office-site-versions.ts'
import type { Facts } from '../../contract/site.ts'
import type { Reason } from '../../contract/values.ts'
import { completedFacts, isAccount, NO_FACTS } from '../../rules/fact-fields.ts'
import { completed, DEFAULT_LANGUAGE, type InEachLanguage } from '../../rules/languages.ts'
import { CALENDAR_TAG, EVERY_PAGE_TAG, sitePageTag } from '../../rules/page-tags.ts'
import { FACT_GROUPS, type FactGroup } from '../../rules/site-facts.ts'
import type { SitePageName } from '../../rules/site-pages.ts'
import { EXAMPLE_FACTS, SITE } from '../../site.ts'
import { type Config, realBecause } from '../config/config.ts'
import type { Schema } from '../database/schema.ts'
import type { Tx } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import { tellTeam } from '../mail/mail.ts'
import { describeChanges } from '../staff-log/staff-log.ts'
import { changeSubject, fieldsOf, latestVersions, type Version } from '../versions/versions.ts'
import { hasLogo } from './logos.ts'

const SUBJECTS = FACT_GROUPS.map((group) => `facts ${group}` as const)

/** A real shop begins with a brand alone. */
export const FIRST_FACTS: Facts = { ...NO_FACTS, brand: SITE }

/** The first version of the facts: those of a private shop are examples. */
export function firstFacts(config: Config): Facts {
  return realBecause(config) === null ? EXAMPLE_FACTS : FIRST_FACTS
}

/** The facts of a group in one of its versions; `first` are those of the repository. */
export function factsOf<Group extends FactGroup>(
  first: Facts,
  group: Group,
  version: Pick<Version, 'value'> | undefined,
): Facts[Group] {
  return version?.value
    ? completedFacts(group, version.value as Facts[Group], inDefault)
    : first[group]
}

/** The shop's brand in one of its versions, as far as its name and look go: without an example's credit. */
export function brandOf(version: Pick<Version, 'value'> | undefined): Facts['brand'] {
  return factsOf(FIRST_FACTS, 'brand', version)
}

export async function readBrand(db: Kysely<Schema>): Promise<Facts['brand']> {
  return brandOf((await latestVersions(db, ['facts brand'])).get('facts brand'))
}

/** Whether the operator has named the shop. */
export async function isBrandWritten(db: Kysely<Schema>): Promise<boolean> {
  return (await latestVersions(db, ['facts brand'])).has('facts brand')
}

/** A stored text, in the default language where it has no other. */
function inDefault(stored: InEachLanguage): InEachLanguage {
  return completed(stored, stored[DEFAULT_LANGUAGE])
}

/**
 * The address that the shop's mails come from: its own, or one of its host where it has none, at
 * which nobody reads answers.
 */
export async function senderAddress(deps: Pick<Deps, 'database' | 'config'>): Promise<string> {
  const { email } = (await readFacts(deps)).contact
  return email || `no-reply@${new URL(deps.config.siteUrl).hostname}`
}

/**
 * The owner's address, who is told what administrators do alone: a setting of the server, which no
 * administrator changes, else the shop's contact address; null: there is neither.
 */
export async function ownerAddress(
  deps: Pick<Deps, 'database' | 'config'>,
): Promise<string | null> {
  return deps.config.ownerEmail ?? ((await readFacts(deps)).contact.email || null)
}

export async function readFacts({
  database,
  config,
}: Pick<Deps, 'database' | 'config'>): Promise<Facts> {
  const versions = await latestVersions(database.kysely, SUBJECTS)
  const first = firstFacts(config)
  const facts = FACT_GROUPS.map((group) => [
    group,
    factsOf(first, group, versions.get(`facts ${group}`)),
  ])
  return Object.fromEntries(facts) as Facts
}

/**
 * Changes a group of facts, which is public immediately; identical values change nothing, except
 * that the group counts as written once it was saved. Throws
 * `invalid_input` for an account that is only partly given or a logo that the shop does not have,
 * and `done_before` if somebody has changed it since `revision`.
 */
export async function saveFacts<Group extends FactGroup>(
  deps: Deps,
  group: Group,
  change: { revision: number; value: Facts[Group]; actor: string },
): Promise<void> {
  const { revision, actor } = change
  // Normalises numbers to the form that pages show.
  const value = create(change.value, savedFacts(group) as unknown as Struct<Facts[Group]>)
  const fields = await unfit(deps, group, value)
  if (Object.keys(fields).length > 0) throw fault('invalid_input', { fields })
  const subject = `facts ${group}` as const
  return changeSubject(deps, { subject, revision, actor }, async (tx, latest) => {
    const before = fieldsOf(factsOf(firstFacts(deps.config), group, latest))
    const changes = [...fieldsOf(value)].filter(([field, text]) => before.get(field) !== text)
    const isSame = changes.length === 0 && before.size === fieldsOf(value).size
    // The first one who saves what is there has seen it: the list of what opens the shop asks no more.
    if (isSame && latest) return null
    if (changes.length > 0) await tellOfAccount(tx, deps.jobs, subject, actor)
    return { value, reason: describeChanges(changes), tags: [tagOf(subject)] }
  })
}

/** Mails the owner and every administrator the name of the one who changed the shop's bank or D17 account. */
export async function tellOfAccount(
  tx: Tx,
  jobs: Deps['jobs'],
  subject: string,
  by: string,
): Promise<void> {
  const group = (['bank', 'd17'] as const).find((each) => subject === `facts ${each}`)
  if (group) await tellTeam(tx, jobs, 'shop_account_changed', { group, by })
}

/** What is wrong with a group as a whole, by field. */
async function unfit(
  { database }: Pick<Deps, 'database'>,
  group: FactGroup,
  value: Facts[FactGroup],
): Promise<Record<string, Reason>> {
  if (isAccount(group)) {
    // An account is whole, or not there at all.
    const texts = [...fieldsOf(value)]
    if (texts.every(([, text]) => text === '')) return {}
    const missing = texts.filter(([, text]) => text === '')
    return Object.fromEntries(missing.map(([field]) => [`value.${field}`, 'required']))
  }
  if (group === 'legal') {
    // A shop that charges no VAT says why, in every language.
    const { vatRate, exemption } = value as Facts['legal']
    const missing = Object.entries(exemption).filter(([, text]) => text === '')
    if (vatRate !== '0') return {}
    return Object.fromEntries(missing.map(([l]) => [`value.exemption.${l}`, 'required']))
  }
  const { logo = '' } = value as Partial<Facts['brand']>
  if (group !== 'brand' || logo === '' || (await hasLogo(database.kysely, logo))) return {}
  return { 'value.logo': 'invalid' }
}

/** The tag of the pages that show a subject; facts and texts of the interface are on every page. */
export function tagOf(subject: TextSubject | InterfaceTextSubject): string {
  const [kind, name] = subject.split(' ') as [string, SitePageName]
  if (kind === 'calendar') return CALENDAR_TAG
  return kind === 'page' ? sitePageTag(name) : EVERY_PAGE_TAG
}
