import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A backend with the specification's calls and fields alone, and with answers in another shape than
 * ours to everything else, as the framework of such a backend sends them.
 */
export interface SpecifiedBackend {
  readonly url: string
  /** `path` (below `/api`) answers with this status from now on; undefined: as it was. */
  fail(path: string, status: number | undefined): void
  /** The token of its customer, who is number 9. */
  readonly token: string
  stop(): Promise<void>
}

const teacher = { id: 1, name: 'Leila Ben Salah' }
const DOCUMENT = {
  id: 1,
  title: 'Les fractions en 20 exercices',
  description: 'Vingt exercices corrigés.',
  price: 12.5,
  priceDiscount: 9,
  rating: 4.5,
  ratingCount: 2,
  categorie: { id: 2, name: 'Exercices' },
  matiere: { id: 1, name: 'Mathématiques' },
  classe: { id: 6, name: '6ème année' },
  type: 'Pour Élève',
  uploadedAt: '2026-05-04T10:00:00Z',
  salesCount: 7,
  teacher,
  coverPath: null,
  livrePath: null,
  coverMappingId: null,
  coverMapping: null,
  filePath: null,
}
const DOCUMENTS = [
  DOCUMENT,
  { ...DOCUMENT, id: 2, title: 'مراجعة في الهندسة', price: 0, priceDiscount: null, rating: 0 },
]
const TEACHER = {
  id: 1,
  firstName: 'Leila',
  lastName: 'Ben Salah',
  username: 'Leila Ben Salah',
  bio: 'Professeure de mathématiques.',
  email: 'leila@example.com',
  rating: 4.5,
  ratingCount: 2,
  salesCount: 7,
  reviewCount: 2,
}
const RATING = {
  id: 1,
  user: { id: 9, name: 'Sami', email: 'sami@example.com' },
  document: { id: 1, title: DOCUMENT.title },
  rating: 5,
  comment: 'Très clair.',
  createdAt: '2026-06-01T10:00:00Z',
}
/** A token of a parent that never ends, unsigned as far as the site can tell. */
const TOKEN = ['{"alg":"none"}', '{"userId":9,"authorities":["PARENT"],"exp":4102444800}', 'x']
  .map((part) => Buffer.from(part).toString('base64url'))
  .join('.')
export const PURCHASE = {
  documentId: 1,
  documentTitle: DOCUMENT.title,
  amount: 9,
  matiereName: 'Mathématiques',
  niveauName: '6ème année',
  categoryName: 'Exercices',
  categoryId: 2,
  matiereId: 1,
  niveauId: 6,
  teacherId: 1,
  teacherName: teacher.name,
  averageRating: 4.5,
  salesCount: 7,
  purchaseDate: '2026-06-01T10:00:00Z',
  fileType: 'pdf',
}

/** The answers by method and path below `/api`; a path without an entry is not found. */
const ANSWERS: Readonly<Record<string, unknown>> = {
  'POST /auth/login': { accessToken: TOKEN },
  'POST /auth/register': { status: 'SUCCESS' },
  'POST /auth/forgot-password': {},
  'GET /carts/user/9': [],
  'POST /carts/add': {},
  'DELETE /carts/remove': {},
  'DELETE /carts/clear/9': {},
  'GET /documents': DOCUMENTS,
  'GET /documents/featured': DOCUMENTS,
  'GET /documents/top-selling': DOCUMENTS,
  'GET /documents/by-featured-authors': DOCUMENTS,
  'GET /documents/paginated': {
    content: DOCUMENTS,
    totalPages: 1,
    totalElements: DOCUMENTS.length,
    number: 0,
  },
  'GET /documents/1': DOCUMENT,
  'GET /documents/2': DOCUMENTS[1],
  'GET /documents/teacher/1': DOCUMENTS,
  'GET /teachers': [TEACHER],
  'GET /teachers/1': TEACHER,
  'GET /category': [DOCUMENT.categorie],
  'GET /matieres': [DOCUMENT.matiere],
  'GET /niveaux': [DOCUMENT.classe],
  'GET /purchaseddocuments/user/purchased': [PURCHASE],
  'GET /purchaseddocuments/user/9/document/1': PURCHASE,
  'GET /wallet/balance': { balance: 42 },
  'GET /wishlist/9': [],
  'GET /ratings/document/1': [RATING],
  'GET /ratings/document/1/average': 4.5,
  'GET /ratings/document/1/comments': [RATING],
  'GET /ratings/teacher/1': [],
  'GET /ratings/teacher/1/average': 0,
  'GET /ratings/teacher/1/comments': [],
  'GET /messages/rooms/9': [],
  'GET /messages/users/admins': [{ id: 2, username: 'Administration' }],
}

/** Starts one. */
export async function specifiedBackend(): Promise<SpecifiedBackend> {
  const failing = new Map<string, number>()
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://any').pathname.replace(/^\/api/, '')
    const answer = ANSWERS[`${request.method} ${path}`]
    const status = failing.get(path) ?? (answer === undefined ? 404 : 200)
    request.resume()
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(status === 200 ? answer : springError(status, request)))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    fail: (path, status) =>
      void (status === undefined ? failing.delete(path) : failing.set(path, status)),
    token: TOKEN,
    stop: () =>
      new Promise((stopped) => {
        server.close(() => stopped())
        server.closeAllConnections()
      }),
  }
}

function springError(status: number, request: IncomingMessage) {
  const error = status === 404 ? 'Not Found' : 'Internal Server Error'
  return { timestamp: '2026-11-26T10:00:00.000+00:00', status, error, path: request.url }
}
