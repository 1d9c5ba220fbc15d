import { zipLink } from '../../../contract/archive.ts'
import { fault } from '../../http/errors.ts'
import { type Route, route } from '../../http/route.ts'
import { ARCHIVE_LINK_LIFETIME_MS, signArchive } from './archive-link.ts'
import { boughtFiles } from './bought-files.ts'

/** The link to a ZIP of a customer's purchases. */
export const archiveRoutes: Route[] = [
  route(zipLink, async ({ input: { body }, user, deps, limits }) => {
    limits.bound('archive', user.id)
    const documentIds = body.documentIds ? [...new Set(body.documentIds)] : null
    const archive = { userId: user.id, locale: body.locale, documentIds }
    const files = await boughtFiles(deps.database.kysely, archive)
    if (files.length < (documentIds?.length ?? 1)) throw fault('document_not_found')
    const expiry = deps.now() + ARCHIVE_LINK_LIFETIME_MS
    return {
      path: `/api/archive/${signArchive(deps.secret, archive, expiry)}`,
      expiresAt: new Date(expiry).toISOString(),
      documents: files.length,
      bytes: files.reduce((sum, { size }) => sum + size, 0),
    }
  }),
]
