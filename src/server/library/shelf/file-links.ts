import type { FastifyInstance, FastifyReply } from 'fastify'
import { fileLink } from '../../../contract/download-links.ts'
import { fillText } from '../../../i18n/format.ts'
import { textsIn } from '../../../i18n/texts.ts'
import { LINK_STARTS_MS } from '../../../rules/downloads.ts'
import type { Language } from '../../../rules/languages.ts'
import type { Deps } from '../../deps.ts'
import { answerTo, fault } from '../../http/errors.ts'
import { type Route, route } from '../../http/route.ts'
import { readTexts } from '../../site-texts/site-texts.ts'
import { noteSeen } from '../reading/reading.ts'
import { type BoughtFile, boughtFile, findFile } from '../sending/find-file.ts'
import { etagOf, resumes, sendFile } from '../sending/send-file.ts'
import { readFileLink, signFile } from '../sending/signed-links.ts'
import { stampFor, stampsFor } from '../stamping/stamps.ts'
import { refuseLink } from './refused-link.ts'

export const fileLinkRoutes: Route[] = [
  // Refuses whatever the download would: the page shows it, a browser's list of downloads cannot.
  route(fileLink, async ({ input: { params, body }, user, deps, limits }) => {
    limits.bound('fileLink', user.id)
    const of = { documentId: params.id, userId: user.id }
    const file = await boughtFile(deps, { ...of, version: body.version })
    if ((await deps.files.sizeOf(file.storageKey)) !== file.size) throw fault('file_missing')
    await stampsFor(deps, { ...of, files: [{ ...file, ...of }] })
    await noteSeen(deps, user.id, [{ ...of, version: file.version }])
    const link = { ...of, version: file.version, locale: body.locale }
    return {
      path: `/api/file/${signFile(deps.secret, link, deps.now())}`,
      expiresAt: new Date(deps.now() + LINK_STARTS_MS).toISOString(),
    }
  }),
]

/**
 * `/api/file/<token>`: a bought file, for anyone with its buyer's link. A browser downloads from
 * here without an Authorization header, so that this address is not part of the contract. The link
 * starts downloads for `LINK_STARTS_MS`; for `LINK_RESUMES_MS` it continues one, whose request names
 * the ETag of the file.
 */
export async function linkedFiles(server: FastifyInstance, deps: Deps): Promise<void> {
  // A wildcard, since a token may be longer than a parameter.
  server.get<{ Params: { '*': string } }>('/api/file/*', async (request, reply) => {
    const token = request.params['*']
    try {
      const isSent = await sendLinked(deps, reply, token)
      return isSent ? reply : refuseLink(deps, reply, token, 'expired')
    } catch (error) {
      const { status, isUnexpected } = answerTo(error)
      if (status === 416) throw error
      if (isUnexpected || status >= 500) request.log.error(error, 'file link')
      return refuseLink(deps, reply, token, 'unsent')
    }
  })
}

/** Returns false if the link gives no access to the file, or no longer. */
async function sendLinked(deps: Deps, reply: FastifyReply, token: string): Promise<boolean> {
  const link = readFileLink(deps.secret, token, deps.now())
  if (!link) return false
  const { kysely } = deps.database
  const file = await findFile(kysely, link, deps.now())
  if (typeof file === 'string') return false
  const sent = { ...file, tail: await stampFor(deps, { ...file, ...link }) }
  if (!link.mayStart && !resumes(reply.request, etagOf(sent))) return false
  await sendFile(reply, deps.files, { ...sent, title: await titleIn(deps, link.locale, file) })
  return true
}

/** An earlier version is told apart from the current one by its number. */
async function titleIn(
  { database: { kysely } }: Deps,
  locale: Language,
  { title, version, isEarlier }: BoughtFile,
): Promise<string> {
  if (!isEarlier) return title
  const { fileName } = textsIn(locale, 'versions:library', await readTexts(kysely))
  return fillText(fileName, { title, number: version })
}
