import sharp from 'sharp'
import { expect, test } from 'vitest'
import { getDocument } from '../../../src/contract/catalogue.ts'
import { sharedDocument, sharedPicture } from '../../../src/i18n/shared-document.ts'
import { dinars } from '../../../src/rules/money.ts'
import { FEED_LENGTH } from '../../../src/server/search-engines/public-files.ts'
import { insert } from '../../support/database.ts'
import { sharedApp } from '../../support/test.ts'

const app = await sharedApp({ env: { SITE_URL: 'https://karras.test' } })
const shown = await app.aDocument({ title: 'الكسور & <الأعداد> 12' })
const hidden = await app.aDocument({ isPublished: false })

const text = async (path: string) => {
  const answer = await app.request('GET', path)
  expect(answer.status).toBe(200)
  return String(answer.body)
}
const locations = (xml: string) => [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url]) => url)

test('robots.txt names the sitemap and disallows private pages', async () => {
  const robots = await text('/robots.txt')
  expect(robots).toContain('Sitemap: https://karras.test/sitemap.xml')
  expect(robots).toContain('Disallow: /fr/checkout')
})

test('the sitemap contains every public page in three languages, and nothing unpublished', async () => {
  const files = locations(await text('/sitemap.xml'))
  expect(files).toContain('https://karras.test/sitemap-pages.xml')
  const all: (string | undefined)[] = []
  for (const file of files) {
    const xml = await text(new URL(file ?? '').pathname)
    expect(xml.trimEnd()).toMatch(/^<\?xml .*<\/urlset>$/s)
    expect(xml.match(/<xhtml:link /g)?.length).toBe(locations(xml).length * 4)
    all.push(...locations(xml))
  }
  expect(new Set(all).size).toBe(all.length)
  for (const prefix of ['', '/fr', '/en']) {
    expect(all).toContain(`https://karras.test${prefix}/shop-details/${shown.id}`)
    expect(all).toContain(`https://karras.test${prefix}/faq`)
    expect(all).toContain(`https://karras.test${prefix}/shop?level=primary-school`)
  }
  expect(all.join()).not.toContain('level=preparatoire')
  expect(all.join()).not.toContain(`/shop-details/${hidden.id}`)
  expect((await app.request('GET', '/sitemap-orders-1.xml')).status).toBe(404)
})

test('the feed of each language lists the newest published documents, escaped', async () => {
  for (const prefix of ['', '/fr', '/en']) {
    const xml = await text(`${prefix}/rss.xml`)
    expect(xml).toContain('<title>الكسور &amp; &lt;الأعداد&gt; 12</title>')
    expect(xml).toContain(`<link>https://karras.test${prefix}/shop-details/${shown.id}</link>`)
    expect(xml).not.toContain(`/shop-details/${hidden.id}<`)
    expect(xml.match(/<item>/g)?.length).toBeLessThanOrEqual(FEED_LENGTH)
  }
})

test('a feed is of a class and a subject, with what the bot of a channel shows', async () => {
  const code = 'basic-9'
  const niveau = await insert(app.kysely, 'niveaux', {
    name: code,
    code,
    level: 'middle-school',
    position: 90,
  })
  const aSubject = (name: string) => insert(app.kysely, 'matieres', { name, code: name })
  const [own, other] = [await aSubject('own'), await aSubject('other')]
  const at = ({ id: matiereId }: { id: number }) => ({ niveauId: niveau.id, matiereId })
  const document = await app.aDocument({ title: 'Of both', ...at(own), price: dinars(4.5) })
  await app.aDocument({ title: 'Of the class', ...at(other), price: 0 })
  const titlesOf = async (query: string) =>
    [...(await text(`/fr/rss.xml${query}`)).matchAll(/<item><title>([^<]*)</g)].map(
      ([, title]) => title,
    )
  const ofClass = `?class=${niveau.code}`
  expect((await titlesOf(ofClass)).toSorted()).toEqual(['Of both', 'Of the class'])
  const ofBoth = `${ofClass}&subject=${own.code}`
  expect(await titlesOf(ofBoth)).toEqual(['Of both'])
  expect(await titlesOf(`${ofClass}&unknown=1`)).toHaveLength(2)
  expect((await app.request('GET', '/rss.xml?class=nobody')).status).toBe(404)
  expect((await app.request('GET', `/rss.xml${ofClass}&class=x`)).status).toBe(404)

  const xml = await text(`/fr/rss.xml${ofBoth}`)
  expect(xml).toContain(
    `<atom:link href="https://karras.test/fr/rss.xml${ofBoth.replace('&', '&amp;')}"`,
  )
  expect(xml).toContain('<g:price>4.500 TND</g:price>')
  expect(xml).toMatch(/<description>[^<]+ · [^<]+ · 4,50\u00a0DT/)
  const picture = sharedPicture(await app.call(getDocument, { params: { id: document.id } }))
  expect(xml).toContain(
    `<enclosure url="https://karras.test${picture}" length="0" type="image/png"/>`,
  )
  expect(xml).toContain(`<media:content url="https://karras.test${picture}" medium="image"`)
  expect(await text(`/fr/rss.xml?subject=${other.code}`)).toContain('<g:price>0.000 TND</g:price>')
})

test('the image of a paper shows its facts, and has another address when they change', async () => {
  const { id } = await app.aDocument({ title: 'Devoir' })
  const facts = {
    paperKind: 'control',
    paperNumber: '1',
    trimester: 't1',
    schoolYear: 2024,
  } as const
  const shownNow = async () => {
    const document = await app.call(getDocument, { params: { id } })
    const image = Buffer.from(await (await fetch(`${app.url}${sharedPicture(document)}`)).bytes())
    return { address: sharedPicture(document), paper: sharedDocument(document).paper, image }
  }
  const before = await shownNow()
  await app.change('documents', id, { ...facts, correctionPage: 3 })
  const after = await shownNow()
  expect(after.paper).toMatch(/^DC\u00a01 · avec correction · T1 · 2024\/25$/)
  expect(after.address).not.toBe(before.address)
  expect(after.image.equals(before.image)).toBe(false)
  await app.change('documents', id, { title: 'فرض' })
  expect((await shownNow()).paper).toMatch(/^مراقبة\u00a01 · مع الإصلاح · ث1 · 2024\/25$/)
})

test('a document has an image for social media, an unpublished one has none', async () => {
  const response = await fetch(`${app.url}/media/og/${shown.id}.png`)
  expect(response.headers.get('content-type')).toBe('image/png')
  const { width, height } = await sharp(await response.arrayBuffer()).metadata()
  expect([width, height]).toEqual([1200, 630])
  expect((await fetch(`${app.url}/media/og/${hidden.id}.png`)).status).toBe(404)
  expect((await fetch(`${app.url}/media/og/x.png`)).status).toBe(404)
})
