import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { type Kysely, sql } from 'kysely'
import { zipLink } from '../../../contract/download-links.ts'
import { latinName } from '../../../rules/brand.ts'
import { ARCHIVES_AT_ONCE, LINK_STARTS_MS } from '../../../rules/downloads.ts'
import type { Schema } from '../../database/schema.ts'
import type { Deps } from '../../deps.ts'
import { fault } from '../../http/errors.ts'
import { type Route, route } from '../../http/route.ts'
import { readBrand } from '../../site-texts/site-texts.ts'
import { noteSeen } from '../reading/reading.ts'
import { fileColumns, newestVersion } from '../sending/find-file.ts'
import { type Archive, readArchive, signArchive } from '../sending/signed-links.ts'
import { type ArchivedFile, archiveOf } from './archive-zip.ts'
import { refuseLink } from './refused-link.ts'

export const archiveRoutes: Route[] = [
  route(zipLink, async ({ input: { body }, user, deps, limits }) => {
    limits.bound('archive', user.id)
    const documentIds = body.documentIds ? [...new Set(body.documentIds)] : null
    const archive = { userId: user.id, locale: body.locale, documentIds }
    const files = await boughtFiles(deps.database.kysely, archive)
    if (files.length < (documentIds?.length ?? 1)) throw fault('document_not_found')
    const expiry = deps.now() + LINK_STARTS_MS
    return {
      path: `/api/archive/${signArchive(deps.secret, archive, expiry)}`,
      expiresAt: new Date(expiry).toISOString(),
      documents: files.length,
      bytes: files.reduce((sum, { size }) => sum + size, 0),
    }
  }),
]

/**
 * `/api/archive/<token>`: the ZIP of the documents that an account bought. A browser navigates here
 * without an Authorization header, so that a refusal is a page with a sentence, and this address is
 * not part of the contract.
 */
export async function archivePages(server: FastifyInstance, deps: Deps): Promise<void> {
  /** How many ZIPs are being sent to each account. */
  const underWay = new Map<number, number>()

  // A wildcard, since a token with many chosen documents is longer than a parameter may be.
  server.get<{ Params: { '*': string } }>('/api/archive/*', async (request, reply) => {
    const token = request.params['*']
    const archive = readArchive(deps.secret, token, deps.now())
    if (!archive) return refuseLink(deps, reply, token, 'expired')
    const count = underWay.get(archive.userId) ?? 0
    if (count >= ARCHIVES_AT_ONCE) return refuseLink(deps, reply, token, 'busy')
    underWay.set(archive.userId, count + 1)
    const leave = () => {
      const left = (underWay.get(archive.userId) ?? 1) - 1
      if (left > 0) underWay.set(archive.userId, left)
      else underWay.delete(archive.userId)
    }
    try {
      const stream = await send(deps, reply, archive)
      if (!stream) {
        leave()
        return refuseLink(deps, reply, token, 'expired')
      }
      stream.once('close', leave)
      return reply.send(stream)
    } catch (error) {
      leave()
      request.log.error(error, 'archive')
      return refuseLink(deps, reply, token, 'failed')
    }
  })
}

/** Null if the account no longer has any of these documents. */
async function send(deps: Deps, reply: FastifyReply, archive: Archive): Promise<Readable | null> {
  const files = await boughtFiles(deps.database.kysely, archive)
  if (files.length === 0) return null
  const { userId } = archive
  await noteSeen(deps, userId, files)
  const { stream, size } = await archiveOf(deps, archive, files)
  // Readable everywhere: a header takes no other letters without a second form of the name.
  const name = latinName(await readBrand(deps.database.kysely)) || 'documents'
  const day = new Date(deps.now()).toISOString().slice(0, 10)
  reply.headers({
    'content-type': 'application/zip',
    'content-length': size,
    'content-disposition': `attachment; filename="${name} ${day}.zip"`,
    'cache-control': 'private, no-store',
    'x-robots-tag': 'noindex',
    'accept-ranges': 'none',
  })
  if (reply.request.method !== 'HEAD') return stream
  stream.destroy()
  return Readable.from([])
}

/** The latest purchase first; empty for a blocked account. */
async function boughtFiles(
  db: Kysely<Schema>,
  { userId, documentIds }: { userId: number; documentIds: readonly number[] | null },
): Promise<ArchivedFile[]> {
  const { rows } = await sql<ArchivedFile>`
    SELECT d.id AS document_id, p.purchased_at, ${fileColumns},
      coalesce(newest.number, 1) AS version
    FROM purchases p
    JOIN users u ON u.id = p.user_id AND u.blocked_at IS NULL
    JOIN documents d ON d.id = p.document_id
    JOIN files f ON f.id = d.file_id
    LEFT JOIN LATERAL (${newestVersion}) AS newest ON true
    WHERE p.user_id = ${userId}
      AND (${documentIds === null} OR d.id = ANY (${[...(documentIds ?? [])]}::integer[]))
    ORDER BY p.purchased_at DESC, p.id DESC`.execute(db)
  return rows
}
