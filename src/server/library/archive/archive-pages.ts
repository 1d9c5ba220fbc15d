import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { textsIn } from '../../../i18n/texts.ts'
import { latinName } from '../../../rules/brand.ts'
import { ARCHIVES_AT_ONCE } from '../../../rules/downloads.ts'
import { DEFAULT_LANGUAGE, LANGUAGES } from '../../../rules/languages.ts'
import type { Deps } from '../../deps.ts'
import { readBrand, readTexts } from '../../site-texts/site-texts.ts'
import { noteSeen } from '../reading/readings.ts'
import { type Archive, readArchive } from './archive-link.ts'
import { boughtFiles } from './bought-files.ts'
import { archiveOf } from './open-archive.ts'
import { SENTENCE_POLICY, sentencePage } from './sentence-page.ts'

const STATUS = { expired: 403, busy: 429, failed: 503 } as const

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
    if (!archive) return refuse(deps, reply, token, 'expired')
    const count = underWay.get(archive.userId) ?? 0
    if (count >= ARCHIVES_AT_ONCE) return refuse(deps, reply, token, 'busy')
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
        return refuse(deps, reply, token, 'expired')
      }
      stream.once('close', leave)
      return reply.send(stream)
    } catch (error) {
      leave()
      request.log.error(error, 'archive')
      return refuse(deps, reply, token, 'failed')
    }
  })
}

/**
 * Returns the ZIP after setting its headers; null if the account no longer has any of these
 * documents.
 */
async function send(deps: Deps, reply: FastifyReply, archive: Archive): Promise<Readable | null> {
  const files = await boughtFiles(deps.database.kysely, archive)
  if (files.length === 0) return null
  const { userId } = archive
  for (const file of files) await noteSeen(deps, { userId, documentId: file.documentId }, file)
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

/** Refuses with a page in the language that the link names; the rest of the link is not used. */
async function refuse(
  { database }: Deps,
  reply: FastifyReply,
  token: string,
  why: keyof typeof STATUS,
): Promise<FastifyReply> {
  const locale = LANGUAGES.find((language) => token.startsWith(`${language}-`)) ?? DEFAULT_LANGUAGE
  const texts = textsIn(locale, 'archive:page', await readTexts(database.kysely))
  return reply
    .code(STATUS[why])
    .type('text/html; charset=utf-8')
    .headers({ 'content-security-policy': SENTENCE_POLICY, 'x-robots-tag': 'noindex' })
    .send(sentencePage(locale, { ...texts[why], back: texts.back }))
}
