import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { LRUCache } from 'lru-cache'
import { isLocale, LOCALES, type Locale } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import { textsOf } from '../../i18n/texts.ts'
import { accentCss, type Brand, ICONS, type IconName, readLogoName } from '../../rules/brand.ts'
import type { PublicTable } from '../catalogue/catalogue.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import { findLogo, readBrand } from '../site-texts/site-texts.ts'
import { drawIcon, drawShared } from './brand-pictures.ts'
import { feed } from './feed.ts'
import { robots } from './robots.ts'
import { sharePictures } from './share-picture.ts'
import { type Part, SITEMAP_PAGES, sitemapIndex, sitemapPart } from './sitemap.ts'

const AN_HOUR = 'public, max-age=3600'
const A_DAY = 'public, max-age=86400'
const FOR_GOOD = 'public, max-age=31536000, immutable'

/** For a drawing that is opened by itself. */
const NOTHING_RUNS = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

/** What a picture of the brand shows: an icon, or a page of the shop where it is shared. */
type BrandPicture = { readonly brand: Brand } & (
  | { readonly icon: IconName }
  | { readonly page: 'home' | 'shop'; readonly locale: Locale }
)

/** Icons, and the shared pages in each language; of the brand before too, while it is asked for. */
const BRAND_PICTURES_MAX = 24

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

  const drawnBrand = new LRUCache<string, Buffer>({
    max: BRAND_PICTURES_MAX,
    fetchMethod: async (wanted) => {
      const shown: BrandPicture = JSON.parse(wanted)
      const { brand } = shown
      const mark = brand.logo === '' ? null : ((await findLogo(kysely, brand.logo))?.mark ?? null)
      if ('icon' in shown) return drawIcon(brand, shown.icon, mark)
      const { shop, brand: words } = textsOf(brand)[shown.locale]
      const line = shown.page === 'shop' ? shop.title : words.slogan
      return drawShared(brand, shown.locale, line, mark)
    },
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
      send(
        reply,
        'application/rss+xml',
        feed(locale, origin, await readBrand(kysely), await deps.catalogue.newest()),
      ),
    )
  }
  const sendPicture = (reply: FastifyReply, picture: Buffer | undefined) =>
    reply
      .type('image/png')
      .header('cache-control', A_DAY)
      .header('cross-origin-resource-policy', 'cross-origin')
      .send(picture)
  const sendBrand = async (reply: FastifyReply, shown: BrandPicture) =>
    sendPicture(reply, await drawnBrand.fetch(JSON.stringify(shown)))

  server.get<{ Params: { name: string } }>('/media/brand/:name', async (request, reply) => {
    const { name } = request.params
    const [, colour] = /^([\da-f]{6})\.css$/.exec(name) ?? []
    if (colour !== undefined) {
      return reply
        .type('text/css; charset=utf-8')
        .header('cache-control', FOR_GOOD)
        .send(accentCss(`#${colour}`))
    }
    const [, icon = ''] = /^icon-([\w-]+)\.png$/.exec(name) ?? []
    if (Object.hasOwn(ICONS, icon)) {
      return sendBrand(reply, { icon: icon as IconName, brand: await readBrand(kysely) })
    }
    const type = readLogoName(name)?.type
    const logo = type && (await findLogo(kysely, name))
    if (!logo) throw fault('not_found')
    return reply
      .type(type === 'svg' ? 'image/svg+xml' : 'image/png')
      .headers({ 'cache-control': FOR_GOOD, 'content-security-policy': NOTHING_RUNS })
      .send(logo.content)
  })
  server.get<{ Params: { name: string } }>('/media/og/:name', async (request, reply) => {
    const [, page, locale] = /^(home|shop)-([a-z]{2})\.png$/.exec(request.params.name) ?? []
    if (page && isLocale(locale)) {
      const shown = { page: page as 'home' | 'shop', locale }
      return sendBrand(reply, { ...shown, brand: await readBrand(kysely) })
    }
    const id = Number(/^([1-9]\d{0,8})\.png$/.exec(request.params.name)?.[1] ?? 0)
    const document = id > 0 ? await deps.catalogue.find(id) : undefined
    if (!document) throw fault('not_found')
    const { title, matiere, teacher } = document
    const shared = {
      title,
      subject: matiere.name,
      subjectCode: matiere.code ?? null,
      teacher: teacher.name,
    }
    return sendPicture(reply, await drawn.fetch(JSON.stringify(shared)))
  })
}

function partOf(name: string): Part | null {
  if (name === 'pages') return 'pages'
  const [, table, number] = /^([a-z]+)-([1-9]\d{0,4})$/.exec(name) ?? []
  const known = (Object.keys(SITEMAP_PAGES) as PublicTable[]).find((one) => one === table)
  return known ? { table: known, number: Number(number) } : null
}
