import { expect, test } from 'vitest'
import { LOCALES } from '../../../src/i18n/locales.ts'
import { pathIn } from '../../../src/i18n/paths.ts'
import { dinars } from '../../../src/rules/money.ts'
import { EXAMPLE_FACTS, SITE } from '../../../src/site.ts'
import { sharedShop } from '../../support/stage.ts'

const shop = sharedShop()

async function thingsOf(path: string): Promise<Record<string, unknown>[]> {
  const html = await (await fetch(shop.url + path)).text()
  const texts = html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)
  return [...texts].map(([, text = '']) => JSON.parse(text))
}

test.each(LOCALES)('home describes the organisation (%s)', async (locale) => {
  const all = await thingsOf(pathIn(locale, '/'))
  const organization = all.find((thing) => thing['@type'] === 'Organization')
  expect(organization).toMatchObject({
    '@context': 'https://schema.org',
    name: SITE.name[locale],
    url: expect.stringMatching(/^https?:\/\//),
    email: EXAMPLE_FACTS.contact.email,
  })
})

test('a document is a product with its price, rating and image', async () => {
  const teacher = await shop.aTeacher({ firstName: 'Emna', lastName: 'Produit' })
  const document = await shop.aDocument({
    title: '</script> "Fractions" & <b>',
    description: 'Une série\nsur deux lignes',
    teacherId: teacher.id,
    price: dinars(12),
    priceDiscount: dinars(8.5),
  })
  const parent = await shop.aCustomer({ balance: dinars(20) })
  await shop.buys(parent, [document.id])
  const rated = await shop.send(parent, 'POST', '/ratings', {
    user: { id: parent.id },
    document: { id: document.id },
    rating: 4,
  })
  expect(rated.status).toBeLessThan(300)
  const path = `/fr/shop-details/${document.id}`
  const all = await thingsOf(path)
  const product = all.find((thing) => String(thing['@type']).startsWith('Product')) as {
    name: string
    description: string
    image: string
    offers: Record<string, unknown>
    aggregateRating: Record<string, unknown>
  }
  expect(product.name).toBe(document.title)
  expect(product.description).toBe('Une série')
  expect(product.offers).toMatchObject({
    '@type': 'Offer',
    price: expect.anything(),
    priceCurrency: 'TND',
    url: expect.stringMatching(new RegExp(`${path}$`)),
  })
  expect(Number(product.offers.price)).toBe(8.5)
  expect(Number(product.aggregateRating.ratingValue)).toBe(4)
  expect(Number(product.aggregateRating.ratingCount)).toBe(1)
  const picture = await fetch(shop.url + new URL(product.image).pathname)
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png'])
  const crumbs = all.find((thing) => thing['@type'] === 'BreadcrumbList') as {
    itemListElement: { position: number; item: string; name: string }[]
  }
  expect(crumbs.itemListElement.map(({ position }) => position)).toEqual([1, 2, 3])
  expect(crumbs.itemListElement.map(({ item }) => new URL(item).pathname)).toEqual([
    '/fr',
    '/fr/shop',
    path,
  ])
})
