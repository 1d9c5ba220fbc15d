import * as officeFacts from '../../contract/office-facts.ts'
import * as officeTexts from '../../contract/office-interface-texts.ts'
import * as officePages from '../../contract/office-site-pages.ts'
import type {
  InterfaceTextSubject,
  SiteSubject,
  TextSubject,
} from '../../contract/office-site-versions.ts'
import * as officeVersions from '../../contract/office-site-versions.ts'
import * as contract from '../../contract/site.ts'
import { FEATURES } from '../../rules/features.ts'
import { FACT_GROUPS, type FactGroup } from '../../rules/site-facts.ts'
import {
  isEmptyPage,
  missingIn,
  type PageTexts,
  SITE_PAGES,
  type SitePageName,
} from '../../rules/site-pages.ts'
import { calendarOf, shownCalendar, writeCatalogueVersion } from '../catalogue/catalogue.ts'
import type { Config } from '../config/config.ts'
import { countRows } from '../database/count-rows.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import { pageOf as listPage, type Route, route, type User } from '../http/route.ts'
import { actorNames } from '../staff-log/staff-log.ts'
import {
  changedFields,
  changeSubject,
  type Difference,
  differences,
  findVersion,
  lastChanges,
  latestVersions,
  listVersions,
  type Version,
} from '../versions/versions.ts'
import {
  factsOf,
  firstFacts,
  readBrand,
  readFacts,
  saveFacts,
  tagOf,
  tellOfAccount,
} from './facts.ts'
import {
  checkText,
  countByGroup,
  findText,
  findTexts,
  placeOf,
  readInterfaceTexts,
  saveInterfaceText,
  textOfPlace,
} from './interface-texts.ts'
import { storeLogo } from './logos.ts'
import {
  firstPage,
  pageOf,
  presentPage,
  readEmptyPages,
  readSitePage,
  saveSitePage,
  tagsOfPage,
} from './pages.ts'
import { currentTerms, publishTerms } from './terms.ts'

const VERSIONS_ON_A_PAGE = 20
const TEXTS_ON_A_PAGE = 20

export const siteTextRoutes: Route[] = [
  route(contract.getFeatures, async () => ({ features: [...FEATURES] })),
  route(contract.getFacts, async ({ deps }) => {
    const [facts, emptyPages] = await Promise.all([readFacts(deps), readEmptyPages(deps)])
    return { ...facts, ...(emptyPages.length > 0 && { emptyPages }) }
  }),
  route(contract.getSitePage, ({ input, deps }) =>
    readSitePage(deps, input.params.name, input.query.locale),
  ),
  route(contract.getInterfaceTexts, ({ deps }) => readInterfaceTexts(deps.database.kysely)),
  route(officeFacts.getOfficeFacts, ({ deps }) => readOfficeFacts(deps)),
  ...FACT_GROUPS.map(savesGroup),
  route(officeFacts.uploadLogo, async ({ input, user, deps }) => ({
    logo: await storeLogo(deps, Buffer.from(input.body.content, 'base64'), user.actor),
  })),
  route(officePages.listSitePages, async ({ deps: { config, database } }) => {
    const subjects = SITE_PAGES.map((name) => `page ${name}` as const)
    const versions = await latestVersions(database.kysely, subjects)
    const changes = await lastChanges(database.kysely, versions)
    return SITE_PAGES.map((name) => {
      const page = pageOf(firstPage(name, config), versions.get(`page ${name}`))
      const isEmpty = isEmptyPage(name, page)
      return { name, ...changes(`page ${name}`), missing: missingIn(name, page), isEmpty }
    })
  }),
  route(officePages.getOfficePage, ({ input, deps }) => readOfficePage(deps, input.params.name)),
  route(officePages.saveSitePage, async ({ input, user, deps }) => {
    const { name } = input.params
    await saveSitePage(deps, name, { ...input.body, ...by(user) })
    return readOfficePage(deps, name)
  }),
  route(officePages.previewSitePage, async ({ input, deps }) =>
    presentPage(input.params.name, input.body.page, {
      locale: input.body.locale,
      shop: await readBrand(deps.database.kysely),
    }),
  ),
  route(contract.getTerms, async ({ deps }) => {
    const current = await currentTerms(deps.database.kysely)
    return { current: current && { ...current, publishedAt: current.publishedAt.toISOString() } }
  }),
  route(officePages.getBindingTerms, ({ deps }) => readBindingTerms(deps)),
  route(officePages.publishTerms, async ({ input, user, deps }) => {
    await publishTerms(deps, { ...input.body, ...by(user) })
    return readBindingTerms(deps)
  }),
  route(officeTexts.listInterfaceTexts, async ({ input, deps }) => {
    const { page = 0, size = TEXTS_ON_A_PAGE, ...query } = input.query
    const found = await findTexts(deps.database.kysely, query)
    const rows = found.slice(page * size, (page + 1) * size)
    return listPage(rows, { total: found.length, page, size })
  }),
  route(officeTexts.listTextGroups, ({ input, deps }) =>
    countByGroup(deps.database.kysely, input.query),
  ),
  route(officeTexts.getInterfaceText, ({ input, deps }) =>
    findText(deps.database.kysely, input.query.key),
  ),
  route(officeTexts.saveInterfaceText, async ({ input, user, deps }) => {
    const { key, locale, revision, text } = input.body
    await saveInterfaceText(deps, { key, locale }, { revision, text, ...by(user) })
    return findText(deps.database.kysely, key)
  }),
  route(officeVersions.listSiteVersions, async ({ input, deps: { database } }) => {
    const { subject, page = 0, size = VERSIONS_ON_A_PAGE } = input.query
    const at = { offset: page * size, limit: size }
    const { versions, total } = await listVersions(database.kysely, subject, at)
    const names = await actorNames(
      database.kysely,
      versions.map(({ actor }) => actor),
    )
    const rows = versions.map(({ revision, actor, madeAt, restores }) => {
      return { revision, restores, by: names.get(actor) ?? actor, at: madeAt.toISOString() }
    })
    return listPage(rows, { total, page, size })
  }),
  route(officeVersions.getSiteDifferences, ({ input, deps }) =>
    readDifferences(deps, input.query.subject, input.params.revision),
  ),
  route(officeVersions.restoreSiteVersion, async ({ input, user, deps }) => {
    const { subject } = input.body
    await restoreVersion(deps, { ...input.body, ...by(user) })
    const latest = (await latestVersions(deps.database.kysely, [subject])).get(subject)
    return { revision: latest?.revision ?? 0 }
  }),
]

const by = ({ actor }: User) => ({ actor })

function savesGroup(group: FactGroup): Route {
  return route(officeFacts.FACT_CALLS[group], async ({ input, user, deps }) => {
    await saveFacts(deps, group, { ...input.body, ...by(user) })
    return readOfficeFacts(deps)
  })
}

async function readOfficeFacts(
  deps: Pick<Deps, 'config' | 'database'>,
): Promise<officeFacts.OfficeFacts> {
  const db = deps.database.kysely
  const subjects = FACT_GROUPS.map((group) => `facts ${group}` as const)
  const changes = await lastChanges(db, await latestVersions(db, subjects))
  const groups = FACT_GROUPS.map((group) => [group, changes(`facts ${group}`)])
  return { facts: await readFacts(deps), groups: Object.fromEntries(groups) }
}

async function readBindingTerms({
  database: { kysely },
}: Pick<Deps, 'database'>): Promise<officePages.BindingTerms> {
  const current = await currentTerms(kysely)
  if (!current) return { current }
  const { number, revision, publishedAt } = current
  const accepted = await countRows(
    kysely.selectFrom('termsAcceptances').where('version', '=', number),
  )
  return { current: { number, revision, publishedAt: publishedAt.toISOString(), accepted } }
}

async function readOfficePage(
  { config, database }: Pick<Deps, 'config' | 'database'>,
  name: SitePageName,
): Promise<officePages.OfficePage> {
  const db = database.kysely
  const subject = `page ${name}` as const
  const versions = await latestVersions(db, [subject])
  const changes = await lastChanges(db, versions)
  return { name, ...changes(subject), page: pageOf(firstPage(name, config), versions.get(subject)) }
}

/** The content of a subject in one of its versions. */
function contentOf(
  config: Config,
  subject: SiteSubject,
  version: Pick<Version, 'value'> | undefined,
): unknown {
  const place = placeOf(subject)
  if (place) return { text: textOfPlace(place, version) }
  const [kind, name] = subject.split(' ') as [string, string]
  if (kind === 'calendar') return shownCalendar(calendarOf(version))
  if (kind === 'facts') return factsOf(firstFacts(config), name as FactGroup, version)
  if (kind === 'page') return pageOf(firstPage(name as SitePageName, config), version)
  // An order of entries contains its ids twice: compares the names in their place instead.
  const { ids: _, ...content } = (version?.value ?? {}) as { ids?: unknown }
  return content
}

const isText = (subject: SiteSubject): subject is TextSubject | InterfaceTextSubject =>
  /^(?:facts |page |text |calendar$)/.test(subject)

/**
 * The differences between a version and the previous one. Throws `not_found` if there is no such
 * version.
 */
async function readDifferences(
  { config, database }: Pick<Deps, 'config' | 'database'>,
  subject: SiteSubject,
  revision: number,
): Promise<Difference[]> {
  const db = database.kysely
  const version = await findVersion(db, subject, revision)
  if (!version) throw fault('not_found')
  const before = await findVersion(db, subject, revision - 1)
  return differences(contentOf(config, subject, before), contentOf(config, subject, version))
}

/**
 * Restores a subject: adds a version with the content of version `to`, where 0 is the repository's.
 * Does nothing if that is the current content. Throws `not_found`, `invalid_input` for a text of
 * the interface that no longer fits the shipped one, or `done_before` as a change does.
 */
async function restoreVersion(
  deps: Deps,
  change: { subject: SiteSubject; revision: number; to: number; actor: string },
): Promise<void> {
  const { to, ...by } = change
  const { subject } = change
  await changeSubject(deps, by, async (tx, latest) => {
    const version = await findVersion(tx, subject, to)
    const isFirst = to === 0 && (isText(subject) || !latest)
    if (!version && !isFirst) throw fault('not_found')
    const place = placeOf(subject)
    if (place && typeof version?.value === 'string') checkText(place, version.value)
    const [now, then] = [
      contentOf(deps.config, subject, latest),
      contentOf(deps.config, subject, version),
    ]
    if (changedFields(now, then).length === 0) return null
    await tellOfAccount(tx, deps.jobs, subject, change.actor)
    const value = version?.value ?? null
    const [kind, name] = subject.split(' ')
    const tags = isText(subject)
      ? kind === 'page'
        ? tagsOfPage(name as SitePageName, now as PageTexts, then as PageTexts)
        : [tagOf(subject)]
      : await writeCatalogueVersion(tx, subject, value)
    return { value, restores: to, reason: `version ${to}`, tags }
  })
}
