import type {
  InterfaceTextSubject,
  SiteSubject,
  TextSubject,
} from '../../contract/office-site-versions.ts'
import type { FactGroup } from '../../rules/site-facts.ts'
import type { SitePageName } from '../../rules/site-pages.ts'
import { writeCatalogueVersion } from '../catalogue/catalogue.ts'
import type { Config } from '../config/config.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import {
  changedFields,
  changeSubject,
  type Difference,
  differences,
  findVersion,
  type Version,
} from '../versions/versions.ts'
import { factsOf, firstFacts } from './facts.ts'
import { checkText, placeOf, textOf } from './interface-texts.ts'
import { pageOf } from './pages.ts'
import { tagOf } from './tags.ts'

/** The content of a subject in one of its versions. */
function contentOf(
  config: Config,
  subject: SiteSubject,
  version: Pick<Version, 'value'> | undefined,
): unknown {
  const place = placeOf(subject)
  if (place) return { text: textOf(place, version) }
  const [kind, name] = subject.split(' ') as [string, string]
  if (kind === 'facts') return factsOf(firstFacts(config), name as FactGroup, version)
  if (kind === 'page') return pageOf(name as SitePageName, version)
  // An order of entries contains its ids twice: compares the names in their place instead.
  const { ids: _, ...content } = (version?.value ?? {}) as { ids?: unknown }
  return content
}

const isText = (subject: SiteSubject): subject is TextSubject | InterfaceTextSubject =>
  /^(?:facts|page|text) /.test(subject)

/**
 * The differences between a version and the previous one. Throws `not_found` if there is no such
 * version.
 */
export async function readDifferences(
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
export async function restoreVersion(
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
    const value = version?.value ?? null
    const tags = isText(subject)
      ? [tagOf(subject)]
      : await writeCatalogueVersion(tx, subject, value)
    return { value, restores: to, reason: `version ${to}`, tags }
  })
}
