import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { type Kysely, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import sharp, { type OverlayOptions } from 'sharp'
import type { Document } from '../../contract/catalogue.ts'
import type { Listed } from '../../contract/references.ts'
import { catalogueNames } from '../../i18n/catalogue-names.ts'
import { bareAmount, calledIn } from '../../i18n/format.ts'
import { DEFAULT_LOCALE, isLocale, LOCALES, type Locale } from '../../i18n/locales.ts'
import { inLanguage, pathIn } from '../../i18n/paths.ts'
import { sharedDocument, sharedPicture } from '../../i18n/shared-document.ts'
import { textsIn, textsOf } from '../../i18n/texts.ts'
import {
  accentCss,
  type Brand,
  ICONS,
  type IconName,
  penOf,
  readLogoName,
} from '../../rules/brand.ts'
import { isCode, readCode } from '../../rules/code-text.ts'
import { finalPrice } from '../../rules/discount.ts'
import { LINK_PARAMETER } from '../../rules/link-visits.ts'
import { inDinars } from '../../rules/money.ts'
import { NUMBERED_PAGES, type NumberedPage, numberedPath } from '../../rules/numbered-pages.ts'
import { isEmpty, pagesWith } from '../../rules/pages.ts'
import type { SitePageName } from '../../rules/site-pages.ts'
import { pageCodePath } from '../../rules/stamp.ts'
import { isLinkName } from '../../rules/teacher-links.ts'
import { CODE_PARAMETER } from '../../rules/visits.ts'
import {
  IS_PUBLIC,
  levelPath,
  levelsForSale,
  type PublicTable,
  programmePaths,
  publicIds,
  readListed,
} from '../catalogue/catalogue.ts'
import type { Schema } from '../database/schema.ts'
import type { Deps } from '../deps.ts'
import { drawFittingText, drawText } from '../drawing/drawing.ts'
import { fault } from '../http/errors.ts'
import { xmlText } from '../http/html.ts'
import { findLogo, readBrand, readEmptyPages } from '../site-texts/site-texts.ts'
import { sharePictures } from './share-picture.ts'

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

  const pathsOf = async (part: 'pages' | 'programme') =>
    part === 'pages'
      ? fixedPaths(kysely, await readEmptyPages(deps))
      : (await programmePaths(deps)).slice(0, PART_SIZE)

  const send = (reply: FastifyReply, type: string, content: string | Readable) =>
    reply.type(`${type}; charset=utf-8`).header('cache-control', AN_HOUR).send(content)

  server.get('/robots.txt', async (_, reply) => send(reply, 'text/plain', robots(origin)))
  server.get('/sitemap.xml', async (_, reply) =>
    send(reply, 'application/xml', await sitemapIndex(kysely, origin, await programmePaths(deps))),
  )
  server.get<{ Params: { part: string } }>('/sitemap-:part.xml', async (request, reply) => {
    const part = partOf(request.params.part)
    if (!part) throw fault('not_found')
    const paths = typeof part === 'string' ? [await pathsOf(part)] : rowsOf(kysely, part)
    return send(reply, 'application/xml', Readable.from(sitemapPart(origin, paths)))
  })
  for (const locale of LOCALES) {
    server.get<{ Querystring: FeedQuery }>(pathIn(locale, '/rss.xml'), async (request, reply) => {
      const { niveau, matiere } = await listsOf(deps, request.query)
      const { content } = await deps.catalogue.search({
        ...{ niveauId: niveau?.id, matiereId: matiere?.id },
        ...{ sort: 'newest', size: FEED_LENGTH },
      })
      const brand = await readBrand(kysely)
      const xml = feed(content, { locale, origin, brand, niveau, matiere })
      return send(reply, 'application/rss+xml', xml)
    })
  }
  type ShortLink = { Params: { name: string }; Querystring: Record<string, unknown> }
  server.get<ShortLink>('/t/:name', async ({ params: { name }, query }, reply) => {
    const link = name.toLowerCase()
    const known = kysely.selectFrom('teacherLinks').select('teacherId').where('name', '=', link)
    // Not every text that an address may hold is one for the database.
    const teacher = isLinkName(link) ? await known.executeTakeFirst() : undefined
    const code = query[CODE_PARAMETER]
    const bringing =
      typeof code === 'string' && isCode(readCode(code))
        ? (`&${CODE_PARAMETER}=${readCode(code)}` as const)
        : ''
    // A visitor who mistypes a printed name finds the teacher in the list.
    const path = teacher
      ? (`/teacher-details/${teacher.teacherId}?${LINK_PARAMETER}=${link}${bringing}` as const)
      : '/teachers'
    return reply.header('cache-control', 'no-store').redirect(pathIn(DEFAULT_LOCALE, path))
  })
  server.get<{ Params: { id: string } }>(pageCodePath(':id'), async ({ params }, reply) => {
    // The document's own page says what became of one that is not for sale.
    const path = /^\d{1,9}$/.test(params.id)
      ? (`/shop-details/${Number(params.id)}` as const)
      : '/shop'
    return reply.header('cache-control', 'no-store').redirect(pathIn(DEFAULT_LOCALE, path))
  })
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
    return sendPicture(reply, await drawn.fetch(JSON.stringify(sharedDocument(document))))
  })
}

function partOf(name: string): Part | null {
  if (name === 'pages' || name === 'programme') return name
  const [, table, number] = /^([a-z]+)-([1-9]\d{0,4})$/.exec(name) ?? []
  const known = (Object.keys(SITEMAP_PAGES) as PublicTable[]).find((one) => one === table)
  return known ? { table: known, number: Number(number) } : null
}

/** `robots.txt`; `origin` is such as `https://karras.tn`. */
export function robots(origin: string): string {
  // Crawlers find nothing useful there; the pages also contain `noindex`.
  const closed = [...pagesWith('isPrivate'), `${NUMBERED_PAGES.reader}/`, '/office'].flatMap(
    (path) => LOCALES.map((locale) => inLanguage(locale, path)),
  )
  return [
    'User-agent: *',
    ...['/api/', ...closed].map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${origin}/sitemap.xml`,
    '',
  ].join('\n')
}

type Db = Kysely<Schema>

/**
 * How many documents one file lists: each has one address per language, and a file holds 50 000.
 */
const PART_SIZE = Math.floor(50_000 / LOCALES.length)

const SITEMAP_PAGES = {
  teachers: 'teacher',
  documents: 'document',
  samples: 'sample',
} as const satisfies Readonly<Record<PublicTable, NumberedPage>>

type RowsPart = { table: PublicTable; number: number }
/** A file of the sitemap: some pages, or those of the rows with ids in the nth range of `PART_SIZE`. */
type Part = 'pages' | 'programme' | RowsPart

/** The index: one file for each range of ids with public rows. */
async function sitemapIndex(db: Db, origin: string, programme: readonly string[]): Promise<string> {
  const names = programme.length > 0 ? ['pages', 'programme'] : ['pages']
  for (const table of Object.keys(SITEMAP_PAGES) as PublicTable[]) {
    const named = sql.table(table === 'teachers' ? 'teachers' : 'documents')
    // One row decides about each range, so that a large catalogue is not read whole.
    const { rows } = await sql<{ part: number }>`
      SELECT part
      FROM generate_series(1, (SELECT (max(id) - 1) / ${PART_SIZE}::integer + 1 FROM ${named})) AS part
      WHERE EXISTS (SELECT FROM ${named}
        WHERE id > (part - 1) * ${PART_SIZE}::integer AND id <= part * ${PART_SIZE}::integer
          AND ${IS_PUBLIC[table]})
      ORDER BY part`.execute(db)
    names.push(...rows.map(({ part }) => `${table}-${part}`))
  }
  const files = names.map((name) => `<sitemap><loc>${origin}/sitemap-${name}.xml</loc></sitemap>\n`)
  return `${XML_HEAD}<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${files.join('')}</sitemapindex>\n`
}

/** A file of the sitemap, streamed in batches of paths. */
async function* sitemapPart(
  origin: string,
  batches: AsyncIterable<readonly string[]> | readonly (readonly string[])[],
): AsyncGenerator<string> {
  yield `${XML_HEAD}<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">\n`
  for await (const paths of batches) yield paths.map((path) => entries(origin, path)).join('')
  yield '</urlset>\n'
}

/** The fixed pages that say something, and those of the levels of which something is for sale. */
async function fixedPaths(db: Db, emptyPages: readonly SitePageName[]): Promise<string[]> {
  const fixed = pagesWith('isPublic').filter((path) => !isEmpty(path, emptyPages))
  return [...fixed, ...(await levelsForSale(db)).map(levelPath)]
}

async function* rowsOf(db: Db, { table, number }: RowsPart): AsyncGenerator<string[]> {
  const first = (number - 1) * PART_SIZE
  for await (const ids of publicIds(db, table, first, number * PART_SIZE)) {
    yield ids.map((id) => numberedPath(SITEMAP_PAGES[table], id))
  }
}

/** The address of a page in every language, each with links to all others. */
function entries(origin: string, path: string): string {
  const address = (locale: (typeof LOCALES)[number]) => xmlText(origin + inLanguage(locale, path))
  const alternates = [
    ...LOCALES.map((locale) => [locale, locale] as const),
    ['x-default', DEFAULT_LOCALE] as const,
  ]
    .map(
      ([language, locale]) =>
        `<xhtml:link rel="alternate" hreflang="${language}" href="${address(locale)}"/>`,
    )
    .join('')
  return LOCALES.map((locale) => `<url><loc>${address(locale)}</loc>${alternates}</url>\n`).join('')
}

/** How many of the newest documents the feed lists. */
export const FEED_LENGTH = 30

/** By their codes, as in the addresses of the programme. */
interface FeedQuery {
  readonly class?: unknown
  readonly subject?: unknown
}

/** The class and the subject of a feed, where it names them. Throws `not_found` for an unknown one. */
async function listsOf(deps: Deps, { class: classCode, subject: subjectCode }: FeedQuery) {
  const find = async (table: 'niveaux' | 'matieres', code: unknown) => {
    if (code === undefined) return undefined
    const found = (await readListed(deps, table)).find((entry) => entry.code === code)
    if (!found) throw fault('not_found')
    return found
  }
  return {
    niveau: await find('niveaux', classCode),
    matiere: await find('matieres', subjectCode),
  }
}

interface Feed {
  readonly locale: Locale
  readonly origin: string
  readonly brand: Brand
  readonly niveau?: Listed | undefined
  readonly matiere?: Listed | undefined
}

/**
 * Documents as RSS 2.0, in one language, with what the bot of a channel shows: the picture for messengers,
 * and the price, for people in the description and for programs as Google's feeds of goods have it.
 */
export function feed(
  documents: readonly Document[],
  { locale, origin, brand, niveau, matiere }: Feed,
): string {
  const tag = (name: string, text: string) => `<${name}>${xmlText(text)}</${name}>`
  const names = catalogueNames(locale)
  const { free } = textsIn(locale, 'common:price')
  const query = new URLSearchParams({
    ...(niveau && { class: niveau.code ?? '' }),
    ...(matiere && { subject: matiere.code ?? '' }),
  })
  const self = `${origin}${pathIn(locale, '/rss.xml')}${query.size > 0 ? `?${query}` : ''}`
  const of = [niveau && names.schoolClass(niveau), matiere && names.matiere(matiere)]
  const items = documents.map((document) => {
    const address = origin + pathIn(locale, `/shop-details/${document.id}`)
    const picture = xmlText(origin + sharedPicture(document))
    const { width, height } = SHARED
    const price = finalPrice(document)
    const facts = [names.schoolClass(document.classe), names.matiere(document.matiere)]
    const shown = [...facts, price === 0 ? free : bareAmount(locale, price)].filter(Boolean)
    return [
      '<item>',
      tag('title', document.title),
      tag('link', address),
      tag('guid', address),
      tag('dc:creator', calledIn(locale, document.teacher)),
      tag('description', [shown.join(' · '), document.description].filter(Boolean).join('\n')),
      ...facts.filter(Boolean).map((name) => tag('category', name)),
      tag('g:price', `${inDinars(price).toFixed(3)} TND`),
      // The picture is drawn when asked for, so nobody knows its length yet.
      `<enclosure url="${picture}" length="0" type="image/png"/>`,
      `<media:content url="${picture}" medium="image" type="image/png" width="${width}" height="${height}"/>`,
      tag('pubDate', new Date(document.uploadedAt).toUTCString()),
      '</item>\n',
    ].join('')
  })
  return [
    XML_HEAD,
    '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:media="http://search.yahoo.com/mrss/" xmlns:g="http://base.google.com/ns/1.0"><channel>',
    tag('title', [brand.name[locale], ...of].filter(Boolean).join(' · ')),
    tag('link', origin + pathIn(locale, '/')),
    tag('description', brand.slogan[locale]),
    tag('language', locale),
    `<atom:link href="${xmlText(self)}" rel="self" type="application/rss+xml"/>\n`,
    ...items,
    '</channel></rss>\n',
  ].join('')
}

const XML_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'

/** The colour of the pages' paper, behind whatever is cropped to a circle. */
const PAPER = '#fdfcf8'
const INK = '#1b2440'

/** The share of a maskable icon's side that its drawing takes: it must fit into a circle of 80 %. */
const SAFE = 0.62

/** The size, in pixels, that messengers show. */
const SHARED = { width: 1200, height: 630 }

/** The most pixels of a line: the label of the book less its margins. */
const LINE = 840
const LOGO_ROOM = { width: LINE, height: 240 }

/** The shop's icon (PNG): its logo (`mark`) or its first letter on an exercise book. */
async function drawIcon(brand: Brand, icon: IconName, mark: Buffer | null): Promise<Buffer> {
  const side = ICONS[icon]
  const isMaskable = icon.startsWith('maskable')
  const inner = isMaskable ? Math.round(side * SAFE) : side
  const drawing = mark
    ? await sharp(mark).resize(inner, inner).png().toBuffer()
    : await letterBook(brand, inner)
  const background = isMaskable ? PAPER : '#0000'
  const paper = { create: { width: side, height: side, channels: 4 as const, background } }
  return sharp(paper)
    .composite([{ input: drawing }])
    .png({ palette: true, effort: 7 })
    .toBuffer()
}

async function letterBook(brand: Brand, side: number): Promise<Buffer> {
  const signs = Array.from(new Intl.Segmenter().segment(brand.name.ar), ({ segment }) => segment)
  // Not the quotation mark before the name.
  const first = signs.find((sign) => /^[\p{L}\p{N}\p{S}]/u.test(sign)) ?? '·'
  const letter = await drawText(first, { size: 200, color: '#ffffff' })
  const fitted = await sharp(letter.data)
    .resize({
      width: Math.round(side * 0.5),
      height: Math.round(side * 0.5),
      fit: 'inside',
    })
    .toBuffer()
  const book = `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}" viewBox="0 0 32 32"><rect x="4" y="1" width="24" height="30" rx="3" fill="${penOf(brand)}"/><path d="M24 1h1a3 3 0 0 1 3 3v24a3 3 0 0 1-3 3h-1z" fill="#0c1020" fill-opacity=".3"/></svg>`
  return sharp(Buffer.from(book))
    .composite([{ input: fitted }])
    .png()
    .toBuffer()
}

/** The picture of shared pages (PNG): logo or name, and `line` on a book's label. */
async function drawShared(
  brand: Brand,
  locale: Locale,
  line: string,
  mark: Buffer | null,
): Promise<Buffer> {
  const { width, height } = SHARED
  const text = (content: string, size: number, color: string) =>
    drawFittingText(content, { size, color, ...LOGO_ROOM })
  const head = mark
    ? await sharp(mark)
        .trim()
        .resize({ ...LOGO_ROOM, fit: 'inside' })
        .toBuffer()
    : (await text(brand.name[locale], 90, penOf(brand)))?.data
  const pictures = [head, (await text(line, 40, INK))?.data].filter(
    (picture) => picture !== undefined,
  )
  const placed: OverlayOptions[] = []
  const sizes = await Promise.all(pictures.map((picture) => sharp(picture).metadata()))
  const gap = 40
  const tall = sizes.reduce((sum, size) => sum + size.height + gap, -gap)
  let top = Math.max(90, Math.round((height - tall) / 2))
  for (const [at, input] of pictures.entries()) {
    const size = sizes[at]
    if (!size || top + size.height > height) break
    placed.push({ input, left: Math.round((width - size.width) / 2), top })
    top += size.height + gap
  }
  const book = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
<rect width="${width}" height="${height}" fill="${penOf(brand)}"/>
<rect x="${locale === 'ar' ? width - 72 : 0}" width="72" height="${height}" fill="#0c1020" fill-opacity=".3"/>
<rect x="130" y="80" width="940" height="470" rx="10" fill="#fffdf7"/>
<rect x="142" y="92" width="916" height="446" rx="5" fill="none" stroke="#cdd1e8" stroke-width="3"/>
</svg>`
  return sharp(Buffer.from(book)).composite(placed).png({ palette: true, effort: 7 }).toBuffer()
}
