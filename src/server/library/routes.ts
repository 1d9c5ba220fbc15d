import { downloadDocument, getPurchased, listPurchased } from '../../contract/library.ts'
import { fault } from '../http/errors.ts'
import { requireSelf } from '../http/identity.ts'
import { type Route, route } from '../http/route.ts'
import { findFile, findPurchase, purchasesOf } from './library.ts'
import { presentPurchased } from './present.ts'
import { signPreview } from './preview-link.ts'
import { sendFile } from './send-file.ts'

/** A customer's purchases: the list, one of them, its preview and its file. */
export const libraryRoutes: Route[] = [
  route(listPurchased, async ({ user, deps }) =>
    (await purchasesOf(deps.database.kysely, user.id)).map(presentPurchased),
  ),
  route(getPurchased, async ({ input, user, deps }) => {
    requireSelf(user, input.params.userId)
    const row = await findPurchase(deps.database.kysely, input.params)
    if (!row) throw fault('document_not_found')
    return presentPurchased(row)
  }),
  route(downloadDocument, async ({ input, user, deps, reply }) => {
    const { id: documentId, userId } = input.params
    if (user.id !== userId) throw fault('not_permitted')
    const file = await findFile(deps.database.kysely, { userId, documentId })
    if (file === 'unknown') throw fault('document_not_found')
    if (file === 'not bought') throw fault('not_permitted')

    if (input.query.preview === 'true') {
      const token = signPreview(deps.secret, { documentId, userId }, deps.now())
      return reply.type('text/plain; charset=utf-8').send(`/preview/${token}`)
    }
    return sendFile(reply, deps.files, file)
  }),
]
