import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { LRUCache } from 'lru-cache'
import { LOCALES } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import { findDocument, newestDocuments, type PublicTable } from '../catalogue/catalogue.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import { feed } from './feed.ts'
import { robots } from './robots.ts'
import { sharePictures } from './share-picture.ts'
import { type Part, SITEMAP_PAGES, sitemapIndex, sitemapPart } from './sitemap.ts'

const AN_HOUR = 'public, max-age=3600'
const A_DAY = 'public, max-age=86400'

/** How many pictures are kept in memory. */
const PICTURES_MAX = 200

/**
 * Serves files for search engines and messengers: robots.txt, the sitemap, feeds, pictures of
 * shared links.
 */
export async function publicFiles(server: FastifyInstance, deps: Deps): Promise<void> {
  const { kysely } = deps.database
  const origin = deps.config.siteUrl.replace(/\/$/, '')
  const draw = sharePictures()
  // Simultaneous requests share one drawing; a failed one is drawn again.
  const drawn = new LRUCache<string, Buffer>({
    max: PICTURES_MAX,
    fetchMethod: (shared) => draw(JSON.parse(shared)),
  })

  const send = (reply: FastifyReply, type: string, content: string | Readable) =>
    reply.type(`${type}; charset=utf-8`).header('cache-control', AN_HOUR).send(content)

  server.get('/robots.txt', async (_, reply) => send(reply, 'text/plain', robots(origin)))
  server.get('/sitemap.xml', async (_, reply) =>
    send(reply, 'application/xml', await sitemapIndex(kysely, origin)),
  )
  server.get<{ Params: { part: string } }>('/sitemap-:part.xml', async (request, reply) => {
    const part = partOf(request.params.part)
    if (!part) throw fault('not_found')
    return send(reply, 'application/xml', Readable.from(sitemapPart(kysely, origin, part)))
  })
  for (const locale of LOCALES) {
    server.get(pathIn(locale, '/rss.xml'), async (_, reply) =>
      send(reply, 'application/rss+xml', feed(locale, origin, await newestDocuments(kysely))),
    )
  }
  server.get<{ Params: { name: string } }>('/media/og/:name', async (request, reply) => {
    const id = Number(/^([1-9]\d{0,8})\.png$/.exec(request.params.name)?.[1] ?? 0)
    const row = id > 0 ? await findDocument(kysely, id) : undefined
    if (!row) throw fault('not_found')
    const shared = {
      title: row.title,
      subject: row.matiere.name,
      subjectCode: row.matiere.code ?? null,
      teacher: `${row.teacherFirstName} ${row.teacherLastName}`.trim(),
    }
    return reply
      .type('image/png')
      .header('cache-control', A_DAY)
      .header('cross-origin-resource-policy', 'cross-origin')
      .send(await drawn.fetch(JSON.stringify(shared)))
  })
}

function partOf(name: string): Part | null {
  if (name === 'pages') return 'pages'
  const [, table, number] = /^([a-z]+)-([1-9]\d{0,4})$/.exec(name) ?? []
  const known = (Object.keys(SITEMAP_PAGES) as PublicTable[]).find((one) => one === table)
  return known ? { table: known, number: Number(number) } : null
}
