import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import { DEFAULT_LOCALE, isLocale } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import type { Schema } from '../database/schema.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'

const signatureOf = (secret: Uint8Array, userId: string): string =>
  createHmac('sha256', secret).update(`news mails of ${userId}`).digest('base64url')

/** A token that ends the mails about an account's news, and does nothing else; it does not expire. */
export const unsubscribeToken = (secret: Uint8Array, userId: number): string =>
  `${userId}.${signatureOf(secret, String(userId))}`

function userOf(secret: Uint8Array, token: string): number | null {
  const [, userId, given] = /^([1-9]\d{0,9})\.([\w-]{43})$/.exec(token) ?? []
  if (!userId || !given) return null
  const isRight = timingSafeEqual(Buffer.from(given), Buffer.from(signatureOf(secret, userId)))
  return isRight ? Number(userId) : null
}

/** Ends the mails about an account's news, however often. Throws `invalid_confirmation_token`. */
export async function endNewsMails(
  { database, secret }: Pick<Deps, 'database' | 'secret'>,
  token: string,
): Promise<void> {
  const userId = userOf(secret, token)
  if (userId === null) throw fault('invalid_confirmation_token')
  await setNewsMails(database.kysely, userId, false)
}

export async function setNewsMails(
  db: Kysely<Schema>,
  userId: number,
  areWanted: boolean,
): Promise<void> {
  await db.updateTable('users').set({ wantsNews: areWanted }).where('id', '=', userId).execute()
}

/** What mail programs send holds nothing but `List-Unsubscribe=One-Click`. */
const FORM_MAX_BYTES = 1024

type Addressed = { Params: { locale: string; token: string } }

/**
 * The address of `List-Unsubscribe`: a mail program's POST ends the mails (RFC 8058); a visit, which
 * may be a scanner's, leads to the page with the button.
 */
export async function unsubscribeLinks(server: FastifyInstance, deps: Deps): Promise<void> {
  server.addContentTypeParser(
    ['application/x-www-form-urlencoded', 'multipart/form-data'],
    { parseAs: 'string', bodyLimit: FORM_MAX_BYTES },
    (_, __, done) => done(null, undefined),
  )
  const address = '/api/following/unsubscribe/:locale/:token'
  server.get<Addressed>(address, async ({ params: { locale, token } }, reply) => {
    const page = pathIn(isLocale(locale) ? locale : DEFAULT_LOCALE, '/unsubscribe')
    return reply.redirect(`${page}?${new URLSearchParams({ token })}`, 302)
  })
  server.post<Addressed>(address, async ({ params }, reply) => {
    await endNewsMails(deps, params.token)
    return reply.code(204).send()
  })
}
