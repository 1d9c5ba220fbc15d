import * as office from '../../../contract/office-site-versions.ts'
import { ask } from '../backend.ts'

export function listVersions(subject: office.SiteSubject, page: number) {
  return ask(office.listSiteVersions, { query: { subject, page } })
}

export function readDifferences(subject: office.SiteSubject, revision: number) {
  return ask(office.getSiteDifferences, { params: { revision }, query: { subject } })
}

export async function restoreVersion(subject: office.SiteSubject, revision: number, to: number) {
  await ask(office.restoreSiteVersion, { body: { subject, revision, to } })
}
