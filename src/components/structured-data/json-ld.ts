import type { Document } from '../../contract/catalogue.ts'
import type { Facts, SitePage } from '../../contract/site.ts'
import type { Locale } from '../../i18n/locales.ts'
import { plainText } from '../../parts/plain-text.ts'
import { iconAddress } from '../../rules/brand.ts'
import { formatAmount, type Millimes } from '../../rules/money.ts'
import { RATING_MAX, RATING_MIN } from '../../rules/rating.ts'

/** JSON-LD that is safe inside a `<script>` element: no `<` in it can end the element. */
export function jsonLdText(data: object): string {
  return JSON.stringify({ '@context': 'https://schema.org', ...data }).replaceAll('<', '\\u003c')
}

/** The shop itself; `origin` is such as `https://karras.tn`. */
export function organization(origin: string, locale: Locale, facts: Facts) {
  const { brand, contact, community } = facts
  const telephone = contact.phones.map((phone) => phone.replaceAll(' ', ''))
  return {
    '@type': 'Organization',
    name: brand.name[locale],
    url: origin,
    logo: new URL(iconAddress(brand, '512'), origin).href,
    ...(contact.email && { email: contact.email }),
    ...(telephone.length > 0 && { telephone }),
    ...(community.links.length > 0 && { sameAs: community.links.map(({ url }) => url) }),
  }
}

interface ProductPage {
  document: Document
  title: string
  description: string
  /** Absolute URLs. */
  url: string
  picture: string
  /** After any discount. */
  price: Millimes
  /** The URL of the page with the public sample; null if there is none. */
  sampleUrl: string | null
  /** The URL of the paper of a correction; null for other documents. */
  paperUrl: string | null
}

/** What a document is to learners. */
function learningResource({ classe, matiere, categorie, minutes, chapters }: Document) {
  return {
    learningResourceType: categorie.name,
    educationalLevel: classe.name,
    educationalAlignment: {
      '@type': 'AlignmentObject',
      alignmentType: 'educationalSubject',
      targetName: matiere.name,
    },
    ...(chapters && { about: chapters.map(({ name }) => ({ '@type': 'Thing', name })) }),
    ...(minutes && { timeRequired: `PT${minutes}M` }),
  }
}

/** A document as a product with its offer; with ratings and a sample if there are any. */
export function product(page: ProductPage) {
  const { document, title, description, url, picture, price, sampleUrl, paperUrl } = page
  const { ratingCount, rating, teacher, matiere } = document
  return {
    '@type': ['Product', 'LearningResource'],
    name: title,
    description,
    sku: String(document.id),
    category: matiere.name,
    ...learningResource(document),
    ...(paperUrl && { isBasedOn: paperUrl }),
    image: picture,
    ...(teacher.name && { brand: { '@type': 'Person', name: teacher.name } }),
    offers: {
      '@type': 'Offer',
      url,
      price: formatAmount(price, '.'),
      priceCurrency: 'TND',
      availability: 'https://schema.org/InStock',
    },
    // schema.org gives products neither parts nor previews, but every thing may be the subject of a
    // free page.
    ...(sampleUrl && {
      subjectOf: { '@type': 'WebPage', url: sampleUrl, isAccessibleForFree: true },
    }),
    ...(ratingCount > 0 && {
      aggregateRating: {
        '@type': 'AggregateRating',
        ratingValue: rating.toFixed(1),
        ratingCount,
        bestRating: RATING_MAX,
        worstRating: RATING_MIN,
      },
    }),
  }
}

/** A teacher; URLs are absolute, `knows` lists the subjects. */
export function person(given: {
  name: string
  description: string
  url: string
  picture: string | null
  knows: readonly string[]
}) {
  const { picture, knows, ...facts } = given
  return {
    '@type': 'Person',
    ...facts,
    ...(picture && { image: picture }),
    ...(knows.length > 0 && { knowsAbout: knows }),
  }
}

/** The pages from home down to this one; URLs are absolute. */
export function breadcrumbs(steps: readonly { name: string; url: string }[]) {
  return {
    '@type': 'BreadcrumbList',
    itemListElement: steps.map(({ name, url }, at) => ({
      '@type': 'ListItem',
      position: at + 1,
      name,
      item: url,
    })),
  }
}

export function questionList(questions: SitePage['items']) {
  return {
    '@type': 'FAQPage',
    mainEntity: questions.map(({ title, blocks }) => ({
      '@type': 'Question',
      name: title,
      acceptedAnswer: { '@type': 'Answer', text: plainText(blocks) },
    })),
  }
}

/** What a page lists, in its order; URLs are absolute. */
export function itemList(items: readonly { name: string; url: string }[]) {
  return {
    '@type': 'ItemList',
    itemListElement: items.map((item, at) => ({ '@type': 'ListItem', position: at + 1, ...item })),
  }
}
