import * as contract from '../../contract/office-documents.ts'
import { setSamplePages as chooseSample } from '../../contract/office-samples.ts'
import { readListed } from '../catalogue/catalogue.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import { type Route, route, type User } from '../http/route.ts'
import { findAlikeDrafts, firstPageText, signPreview } from '../library/library.ts'
import { attachFile, setCover, setNote, setSamplePages } from './attach.ts'
import { countWaits } from './correction-waits.ts'
import { paperOf } from './corrections.ts'
import { eventsOf, versionsOf } from './history.ts'
import { publishAgain, submit, unpublish, withdraw } from './life.ts'
import { presentEvent, presentOwn, presentVersion } from './present.ts'
import { proposeFacts } from './propose-facts.ts'
import { listDocuments, ownDocument } from './read-documents.ts'
import { type Author, createDraft, deleteDraft, saveText } from './write.ts'

/** A teacher's own documents; the teacher comes from the token alone. */
export const documentRoutes: Route[] = [
  route(contract.listOwnDocuments, async ({ input, user, deps }) => {
    const { rows, total, number, size, states } = await listDocuments(
      deps,
      user.teacherId,
      input.query,
    )
    return {
      content: rows.map(presentOwn),
      totalElements: total,
      totalPages: Math.ceil(total / size),
      number,
      size,
      states,
    }
  }),
  route(contract.proposeFacts, async ({ input: { query }, user, deps }) => {
    const page = query.document === undefined ? '' : await firstPageOf(deps, query.document, user)
    return proposeFacts(deps, query.written ?? '', page)
  }),
  route(contract.listAlikeDrafts, ({ user, deps, limits }) => {
    limits.bound('likeness', user.id)
    return findAlikeDrafts(deps, user.teacherId)
  }),
  route(contract.getOwnDocument, async ({ input, user, deps }) => {
    const document = await ownDocument(deps, input.params.id, user.teacherId)
    const { kysely } = deps.database
    return {
      document: presentOwn(document),
      paper: await paperOf(kysely, document),
      waiting: await countWaits(kysely, document.id),
      kinds: await readListed(deps, 'paper_kinds'),
      versions: (await versionsOf(kysely, document.id)).map(presentVersion),
      history: (await eventsOf(kysely, document.id)).map((row) => presentEvent(row, document)),
    }
  }),
  route(contract.createOwnDocument, async ({ user, key, deps }) =>
    presentOwn(await createDraft(deps, authorOf(user), key)),
  ),
  route(contract.createCorrection, async ({ input, user, key, deps }) =>
    presentOwn(await createDraft(deps, authorOf(user), key, input.params.id)),
  ),
  route(contract.saveOwnDocument, async ({ input, user, deps }) => {
    const { revision, ...text } = input.body
    const of = { id: input.params.id, editor: authorOf(user) }
    return presentOwn(await saveText(deps, of, { revision, text }))
  }),
  route(contract.deleteOwnDocument, async ({ input, user, deps }) =>
    deleteDraft(deps, input.params.id, authorOf(user)),
  ),
  route(contract.setDocumentFile, async ({ input, user, deps }) => {
    const { uploadId, note = '' } = input.body
    const of = { id: input.params.id, author: authorOf(user) }
    return presentOwn(await attachFile(deps, of, { uploadId, note }))
  }),
  route(contract.setVersionNote, async ({ input, user, deps }) => {
    const { id, number } = input.params
    const { note } = input.body
    return presentOwn(await setNote(deps, { id, author: authorOf(user) }, { number, note }))
  }),
  route(contract.setDocumentCover, async ({ input, user, deps }) => {
    const of = { id: input.params.id, author: authorOf(user) }
    return presentOwn(await setCover(deps, of, input.body.uploadId))
  }),
  route(chooseSample, async ({ input, user, deps }) => {
    const of = { id: input.params.id, editor: authorOf(user) }
    return presentOwn(await setSamplePages(deps, of, input.body.pages))
  }),
  route(contract.submitOwnDocument, async ({ input, user, deps }) =>
    presentOwn(await submit(deps, { id: input.params.id, editor: authorOf(user) })),
  ),
  route(contract.withdrawOwnDocument, async ({ input, user, deps }) =>
    presentOwn(await withdraw(deps, { id: input.params.id, editor: authorOf(user) })),
  ),
  route(contract.unpublishOwnDocument, async ({ input, user, deps }) => {
    const of = { id: input.params.id, editor: authorOf(user) }
    return presentOwn(await unpublish(deps, of, input.body.reason || null))
  }),
  route(contract.publishOwnDocument, async ({ input, user, deps }) =>
    presentOwn(await publishAgain(deps, { id: input.params.id, editor: authorOf(user) })),
  ),
  route(contract.previewOwnFile, async ({ input, user, deps, reply }) => {
    const { id: documentId } = await ownDocument(deps, input.params.id, user.teacherId)
    const kept = (await versionsOf(deps.database.kysely, documentId)).filter(
      ({ fileId, number }) => fileId !== null && number === (input.query.version ?? number),
    )
    const [version] = kept
    if (!version) throw fault('file_missing')
    const of = { documentId, userId: user.id, version: version.number }
    const token = signPreview(deps.secret, of, deps.now())
    return reply.type('text/plain; charset=utf-8').send(`/preview/${token}`)
  }),
]

/** The text of the first page of the newest file that is kept; '' without one. Throws `document_not_found`. */
async function firstPageOf(
  deps: Deps,
  documentId: number,
  { id: userId, teacherId }: User & { teacherId: number },
): Promise<string> {
  const { id } = await ownDocument(deps, documentId, teacherId)
  const versions = await versionsOf(deps.database.kysely, id)
  const kept = versions.find(({ fileId }) => fileId !== null)
  return kept ? firstPageText(deps, { userId, documentId: id, version: kept.number }) : ''
}

const authorOf = ({ id, actor, teacherId }: User & { teacherId: number }): Author => ({
  userId: id,
  actor,
  teacherId,
})
