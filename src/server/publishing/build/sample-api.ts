import type { Api } from '../../../client/api.ts'
import type { AnyCall } from '../../../contract/call.ts'
import * as catalogue from '../../../contract/catalogue.ts'
import type { Named } from '../../../contract/names.ts'
import * as ratings from '../../../contract/ratings.ts'
import * as references from '../../../contract/references.ts'
import { getSample, type Sample } from '../../../contract/samples.ts'
import { getFacts, getInterfaceTexts } from '../../../contract/site.ts'
import { DEFAULT_LOCALE } from '../../../i18n/locales.ts'
import { textsIn } from '../../../i18n/texts.ts'
import { inEachLanguage } from '../../../rules/in-each-language.ts'
import { dinars } from '../../../rules/money.ts'
import { AUDIENCES, LEVELS, type Level } from '../../../rules/price-bands.ts'
import { EXAMPLE_FACTS } from '../../../site.ts'

const MOMENT = '2026-01-05T10:00:00.000Z'

const entries = (codes: object): Named[] =>
  Object.keys(codes).map((code, at) => ({ id: at + 1, name: code, code }))

const matieres = entries(textsIn(DEFAULT_LOCALE, 'catalogue:matieres'))
const categories = entries(textsIn(DEFAULT_LOCALE, 'catalogue:categories'))
const levelOf = (code: string): Level =>
  code.startsWith('primary')
    ? 'primary-school'
    : code.startsWith('basic')
      ? 'middle-school'
      : code.startsWith('prep')
        ? 'preparatoire'
        : 'high-school'
const classes = entries(textsIn(DEFAULT_LOCALE, 'catalogue:niveaux')).map((each) => ({
  ...each,
  level: levelOf(each.name),
}))

/** One sample for each state of a card: reduced, rated, free. */
const PRICES = [
  { price: dinars(9), priceDiscount: dinars(6), rating: 4.5, ratingCount: 12 },
  { price: dinars(7.5), priceDiscount: null, rating: 0, ratingCount: 0 },
  { price: 0, priceDiscount: null, rating: 4, ratingCount: 1 },
]

const documents: catalogue.Document[] = PRICES.map((state, at) => ({
  ...state,
  id: at + 1,
  title: '…',
  description: '…',
  categorie: categories[at] as Named,
  matiere: matieres[at] as Named,
  classe: classes[at] as Named,
  type: AUDIENCES[at % AUDIENCES.length] as string,
  uploadedAt: MOMENT,
  salesCount: 3,
  teacher: { id: 1, name: '…' },
  coverPath: null,
  livrePath: null,
  coverMappingId: null,
  coverMapping: null,
  filePath: null,
  fileType: 'pdf',
  pageCount: 12,
}))

const teacher: catalogue.Teacher = {
  id: 1,
  firstName: '…',
  lastName: '…',
  username: '…',
  bio: '…',
  email: '…',
  rating: 4.5,
  ratingCount: 12,
  salesCount: 3,
  reviewCount: 12,
  documentCount: documents.length,
  subjects: matieres.slice(0, 2),
  levels: [...LEVELS],
}

const commentedRatings: ratings.Rating[] = [
  {
    id: 1,
    user: { id: 1, name: '…' },
    rating: 5,
    comment: '…',
    createdAt: MOMENT,
    verified: true,
    answer: { text: '…', answeredAt: MOMENT },
  },
]

const pages: Sample = {
  documentId: 1,
  key: '0'.repeat(16),
  pages: [1, 2].map((page) => ({ page, width: 900, height: 1273, text: '…' })),
  direction: 'rtl',
  fileSize: 2_000_000,
  fileDate: MOMENT,
}

const samples: [AnyCall, unknown][] = [
  [getFacts, EXAMPLE_FACTS],
  [getInterfaceTexts, { id: '', texts: inEachLanguage(() => ({})) }],
  [references.listCategories, categories],
  [references.listMatieres, matieres],
  [references.listClasses, classes],
  [catalogue.listFeatured, documents],
  [catalogue.listTopSelling, documents],
  [catalogue.listByFeaturedAuthors, documents],
  [catalogue.listTeacherDocuments, documents],
  [catalogue.getDocument, documents[0]],
  [getSample, pages],
  [catalogue.searchDocuments, { content: documents, totalPages: 3, totalElements: 30, number: 0 }],
  [catalogue.listTeachers, [teacher]],
  [catalogue.getTeacher, teacher],
  [ratings.listCommentedDocumentRatings, commentedRatings],
  [ratings.listCommentedTeacherRatings, commentedRatings],
]

// Found by path, since the calls of the built site are other objects.
const answers = new Map(samples.map(([call, answer]) => [call.path, answer]))

/** Answers the calls of pages with made-up data, without a database; a call without such an answer fails. */
export const sampleApi = (async (call: AnyCall) => {
  const answer = answers.get(call.path)
  if (answer === undefined) throw new Error(`There is no sample of ${call.path}.`)
  return answer
}) as Api
