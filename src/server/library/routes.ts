import { downloadDocument, getPurchased, listPurchased } from '../../contract/library.ts'
import { fault } from '../http/errors.ts'
import { requireSelf } from '../http/identity.ts'
import { type Route, route } from '../http/route.ts'
import { presentPurchased } from './present.ts'
import { findPurchase, purchasesOf } from './purchases.ts'
import { boughtFile } from './reading/bought-file.ts'
import { ownedVersions } from './reading/owned-versions.ts'
import { signPreview } from './reading/preview-link.ts'
import { noteSeen } from './reading/readings.ts'
import { sendFile } from './send-file.ts'
import { stampsFor } from './stamps/stamps.ts'

/** A customer's purchases: the list, one of them, its preview and its file. */
export const libraryRoutes: Route[] = [
  route(listPurchased, async ({ user, deps }) => {
    const { kysely } = deps.database
    const rows = await purchasesOf(kysely, user.id)
    const owned = await ownedVersions(kysely, { userId: user.id }, deps.now())
    return rows.map((row) => ({ ...presentPurchased(row), ...owned.get(row.documentId) }))
  }),
  route(getPurchased, async ({ input, user, deps }) => {
    requireSelf(user, input.params.userId)
    const { kysely } = deps.database
    const row = await findPurchase(kysely, input.params)
    if (!row) throw fault('document_not_found')
    const owned = await ownedVersions(kysely, input.params, deps.now())
    return { ...presentPurchased(row), ...owned.get(row.documentId) }
  }),
  route(downloadDocument, async ({ input, user, deps, reply }) => {
    const { id: documentId, userId } = input.params
    if (user.id !== userId) throw fault('not_permitted')
    const { version } = input.query
    const file = await boughtFile(deps, { userId, documentId, version })
    await noteSeen(deps, { userId, documentId }, file)

    if (input.query.preview === 'true') {
      const token = signPreview(deps.secret, { documentId, userId }, deps.now())
      return reply.type('text/plain; charset=utf-8').send(`/preview/${token}`)
    }
    const tails = await stampsFor(deps, { userId, files: [{ ...file, documentId }] })
    const tail = (await tails.get(documentId)?.read()) ?? null
    return sendFile(reply, deps.files, { ...file, tail })
  }),
]
