import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import { aPdf } from './pdf.ts'

/**
 * Which of the shapes that the specification leaves open a backend has: subjects as objects, lists
 * after a change, dates in UTC; or subjects as texts, `{}` or an echo of the request after a change,
 * dates without a zone, and documents as wishes.
 */
export type Shape = 'objects' | 'texts'

interface SpecifiedCustomer {
  readonly id: number
  readonly email: string
  readonly token: string
}

/**
 * A backend with the calls and the fields of the shop's specification alone.
 * Everything else is answered as the framework of such a backend does.
 */
export interface SpecifiedBackend {
  readonly url: string
  /** `path` (below `/api`) answers with this status from now on; undefined: as it was. */
  fail(path: string, status: number | undefined): void
  /** A customer with the password `SPECIFIED_PASSWORD`. */
  aCustomer(given?: { balance?: number; owns?: number[] }): SpecifiedCustomer
  /** The documents' ids. */
  cartOf(customer: SpecifiedCustomer): number[]
  /** The token of the link that was mailed last to this address. */
  resetTokenOf(email: string): string | undefined
  /** An administrator writes to a customer, who hears of it live. */
  write(customer: SpecifiedCustomer, content: string): void
  /** Whether the specification has a call; `path` has `*` for each part that varies. */
  has(method: string, path: string): boolean
  /** Calls that the specification does not have, such as `GET /account`, since the last time. */
  unknownCalls(): string[]
  /** Closes the socket and every connection, or opens it again at the same address. */
  stop(): Promise<void>
  listen(): Promise<void>
}

export const SPECIFIED_PASSWORD = 'secret-of-9'
export const ADMINISTRATOR = { id: 2, username: 'Administration' }
/** Where the gateway's pages would be. */
export const GATEWAY = 'https://gateway.test'
export const SPECIFIED_FILE = aPdf('Les fractions', 2)

const teacher = { id: 1, name: 'Leila Ben Salah' }
const SUBJECTS = {
  categorie: { id: 2, name: 'Exercices' },
  matiere: { id: 1, name: 'Mathématiques' },
  classe: { id: 6, name: '6ème année' },
}

function documentsIn(shape: Shape) {
  const isText = shape === 'texts'
  const { categorie, matiere, classe } = SUBJECTS
  const one = {
    id: 1,
    title: 'Les fractions en 20 exercices',
    description: 'Vingt exercices corrigés.',
    price: 12.5,
    priceDiscount: 9,
    rating: 4.5,
    ratingCount: 2,
    categorie: isText ? categorie.name : categorie,
    matiere: isText ? matiere.name : matiere,
    classe: isText ? classe.name : classe,
    type: 'Pour Élève',
    uploadedAt: isText ? '2026-05-04T10:00:00' : '2026-05-04T10:00:00Z',
    salesCount: 7,
    teacher,
    coverPath: null,
    livrePath: null,
    coverMappingId: null,
    coverMapping: null,
    filePath: null,
  }
  const other = { ...one, priceDiscount: null, rating: 0, ratingCount: 0 }
  return [
    one,
    { ...other, id: 2, title: 'مراجعة في الهندسة', price: 0 },
    { ...other, id: 3, title: 'Le théorème de Thalès', price: 25 },
    { ...other, id: 4, title: 'تمارين في الحساب', price: 4.5 },
  ]
}

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

interface Account extends SpecifiedCustomer {
  password: string
  firstName: string
  balance: number
  cart: number[]
  wishes: number[]
  owned: number[]
}

interface Request {
  params: string[]
  query: URLSearchParams
  // biome-ignore lint/suspicious/noExplicitAny: as a test's page sent it
  body: Record<string, any>
  /** The account of the token; refuses without one. */
  user(): Account
}

/** What a call answers with: a value as JSON, `undefined` with no body, or a file, text or address. */
type Answer = unknown
class Refused {
  readonly status: number
  constructor(status: number) {
    this.status = status
  }
}
class Sent {
  readonly type: string
  readonly bytes: string | Uint8Array
  constructor(type: string, bytes: string | Uint8Array) {
    this.type = type
    this.bytes = bytes
  }
}
class Redirect {
  readonly location: string
  constructor(location: string) {
    this.location = location
  }
}

type Handler = (request: Request) => Answer

/** Starts one. */
export async function specifiedBackend(shape: Shape = 'objects'): Promise<SpecifiedBackend> {
  const isEcho = shape === 'texts'
  const documents = documentsIn(shape)
  const now = () => new Date().toISOString().slice(0, isEcho ? 19 : 30)
  const accounts: Account[] = []
  const anonymous = new Map<string, number[]>()
  const ratings: object[] = [
    {
      user: { id: 8, name: 'Sami', email: 'sami@example.com' },
      document: { id: 1, title: documents[0]?.title },
      rating: 5,
      comment: 'Très clair.',
      createdAt: now(),
    },
  ]
  const orders: { id: number; user: Account; documents: number[] }[] = []
  const rooms = new Map<string, object[]>()
  const resets = new Map<string, Account>()
  const failing = new Map<string, number>()
  let unknown: string[] = []
  let payments = 0

  const documentOf = (id: unknown) => {
    const found = documents.find((document) => document.id === Number(id))
    if (!found) throw new Refused(404)
    return found
  }
  const account = (id: unknown, { user }: Pick<Request, 'user'>) => {
    if (user().id !== Number(id)) throw new Refused(403)
    return user()
  }
  const priceOf = (id: number) => {
    const { price, priceDiscount } = documentOf(id)
    return priceDiscount ?? price
  }
  const cartOf = (ids: readonly number[]) =>
    ids.map((id) => {
      const { title, price, priceDiscount } = documentOf(id)
      return { document: { id, title, price, priceDiscount } }
    })
  const purchased = (id: number) => {
    const { title, rating, salesCount } = documentOf(id)
    const { categorie, matiere, classe } = SUBJECTS
    return {
      documentId: id,
      documentTitle: title,
      amount: priceOf(id),
      matiereName: matiere.name,
      niveauName: classe.name,
      categoryName: categorie.name,
      categoryId: categorie.id,
      matiereId: matiere.id,
      niveauId: classe.id,
      teacherId: teacher.id,
      teacherName: teacher.name,
      averageRating: rating,
      salesCount,
      purchaseDate: now(),
      fileType: 'pdf',
    }
  }
  function pay(user: Account, documentIds: readonly number[]) {
    const excluded = documentIds.filter((id) => user.owned.includes(id))
    const bought = documentIds.filter((id) => !excluded.includes(id))
    const total = bought.reduce((sum, id) => sum + priceOf(id), 0)
    if (user.balance < total) throw new Refused(409)
    user.balance -= total
    user.owned.push(...bought)
    return {
      status: excluded.length === 0 ? 'SUCCESS' : 'PARTIAL_SUCCESS',
      excludedDocuments: excluded.map((id) => ({ title: documentOf(id).title })),
    }
  }
  const page = (query: URLSearchParams) => {
    const has = (name: string, is: (value: string) => boolean) => {
      const value = query.get(name)
      return value === null || is(value)
    }
    const found = documents.filter(
      (document) =>
        has('title', (text) => document.title.toLowerCase().includes(text.toLowerCase())) &&
        has('matiereId', (id) => id === String(SUBJECTS.matiere.id)) &&
        has('niveauId', (id) => id === String(SUBJECTS.classe.id)) &&
        has('categoryId', (id) => id === String(SUBJECTS.categorie.id)) &&
        has('type', (type) => type === document.type) &&
        has('minPrice', (price) => priceOf(document.id) >= Number(price)) &&
        has('maxPrice', (price) => priceOf(document.id) < Number(price)) &&
        has('rating', (stars) => document.rating >= Number(stars)) &&
        has('teacherId', (id) => id === String(teacher.id)),
    )
    const [number, size] = [Number(query.get('page') ?? 0), Number(query.get('size') ?? 12)]
    return {
      content: found.slice(number * size, (number + 1) * size),
      totalPages: Math.ceil(found.length / size),
      totalElements: found.length,
      number,
    }
  }
  const ratingsOf = (kind: string, id: unknown) =>
    ratings.filter((rating) => (rating as Record<string, { id: number }>)[kind]?.id === Number(id))
  const roomOf = (id = '', request: Request) => {
    const user = request.user()
    if (!id.split('_').includes(String(user.id))) throw new Refused(403)
    const messages = rooms.get(id)
    if (!messages) throw new Refused(404)
    return messages
  }
  const paymentUrl = (returns: string) => {
    payments++
    return { paymentUrl: `${GATEWAY}/pay?paymentRef=${returns}` }
  }

  const CALLS: Readonly<Record<string, Handler>> = {
    'POST /auth/login': ({ body: { username, password } }) => {
      const found = accounts.find(({ email }) => email === username)
      if (found?.password !== password) throw new Refused(401)
      return { accessToken: found?.token }
    },
    'POST /auth/register': ({ body }) => {
      const { email, password, firstName, sessionId } = body
      const created = create({ email, password, firstName })
      created.cart.push(...(anonymous.get(sessionId) ?? []))
      return { status: 'SUCCESS' }
    },
    'POST /auth/forgot-password': ({ body: { email } }) => {
      const found = accounts.find((one) => one.email === email)
      if (found) resets.set(`reset-token-of-${found.id}`, found)
      return isEcho ? undefined : {}
    },
    'POST /auth/reset-password': ({ body: { token, newPassword } }) => {
      const found = resets.get(token)
      if (!found) throw new Refused(400)
      found.password = newPassword
      resets.delete(token)
      return isEcho ? new Sent('text/plain', 'Password changed') : {}
    },
    'GET /carts/anonymous/*': ({ params: [session = ''] }) => cartOf(anonymous.get(session) ?? []),
    'GET /carts/user/*': (request) => cartOf(account(request.params[0], request).cart),
    'POST /carts/add': (request) => {
      const { cart } = account(request.query.get('userId'), request)
      const { id } = documentOf(request.query.get('documentId'))
      if (!cart.includes(id)) cart.push(id)
      return isEcho ? {} : cartOf(cart)
    },
    'DELETE /carts/remove': (request) => {
      const user = account(request.query.get('userId'), request)
      user.cart = user.cart.filter((id) => String(id) !== request.query.get('documentId'))
      return isEcho ? undefined : cartOf(user.cart)
    },
    'DELETE /carts/clear/*': (request) => {
      account(request.params[0], request).cart = []
    },
    'DELETE /carts/clear/anonymous/*': ({ params: [session = ''] }) =>
      void anonymous.delete(session),

    'GET /documents': () => documents,
    'GET /documents/featured': () => documents,
    'GET /documents/top-selling': () => documents,
    'GET /documents/by-featured-authors': () => documents,
    'GET /documents/paginated': ({ query }) => page(query),
    'GET /documents/*': ({ params: [id] }) => documentOf(id),
    'GET /documents/teacher/*': () => documents,
    'GET /teachers': () => [TEACHER],
    'GET /teachers/*': ({ params: [id] }) => {
      if (id !== '1') throw new Refused(404)
      return TEACHER
    },
    'GET /covermappings/*': () => ({ coverPath: null, livrePath: null, color: null }),
    'GET /category': () => [SUBJECTS.categorie],
    'GET /matieres': () => [SUBJECTS.matiere],
    'GET /niveaux': () => [SUBJECTS.classe],

    'GET /purchaseddocuments/user/purchased': ({ user }) => user().owned.map(purchased),
    'GET /purchaseddocuments/user/*/document/*': (request) => {
      const { owned } = account(request.params[0], request)
      if (!owned.includes(Number(request.params[1]))) throw new Refused(404)
      return purchased(Number(request.params[1]))
    },
    'GET /documents/download/*/*': (request) => {
      const { owned } = account(request.params[1], request)
      const id = Number(request.params[0])
      if (!owned.includes(id)) throw new Refused(403)
      return request.query.get('preview') === 'true'
        ? new Sent('text/plain', `documents/preview/${id}`)
        : new Sent('application/pdf', SPECIFIED_FILE)
    },
    // Where the relative path of a preview leads is the backend's own.
    'GET /documents/preview/*': () =>
      new Sent('text/html', '<!doctype html><title>Preview</title><h1>Page 1</h1>'),

    'GET /wallet/balance': (request) => ({
      balance: account(request.query.get('userId'), request).balance,
    }),
    'POST /wallet/recharge/initiate': (request) => {
      const { userId, amount } = request.body
      account(userId, request).balance += amount
      return paymentUrl(`top-up-${payments}`)
    },
    'POST /wallet/direct-pay': (request) => {
      const user = account(request.body.userId, request)
      user.owned.push(...(request.body.documentIds as number[]))
      return isEcho ? request.body : {}
    },
    'POST /wallet/pay': (request) =>
      pay(account(request.body.userId, request), request.body.documentIds),
    'POST /wallet/orders/create-and-pay': (request) =>
      pay(account(request.body.userId, request), request.body.documentIds),
    'POST /orders/create': (request) => {
      const user = account(request.body.userId, request)
      const docs = request.body.orderDocs as { documentId: number }[]
      orders.push({ id: orders.length + 1, user, documents: docs.map((doc) => doc.documentId) })
      return isEcho ? { ...(request.body as object), id: orders.length } : { id: orders.length }
    },
    'POST /orderss/*/initiate': ({ query }) => paymentUrl(`order-${query.get('orderId')}`),
    'GET /orderss/payment/success': ({ query }) => {
      const order = orders.find(({ id }) => `order-${id}` === query.get('paymentRef'))
      order?.user.owned.push(...order.documents)
      return new Redirect('/my-documents')
    },
    'GET /orderss/payment/cancel': () => new Redirect('/checkout'),

    'POST /wishlist/add': (request) => {
      const { wishes } = account(request.query.get('userId'), request)
      wishes.unshift(documentOf(request.query.get('documentId')).id)
      return isEcho ? {} : { userId: request.user().id, documentId: wishes[0] }
    },
    'DELETE /wishlist/remove': (request) => {
      const user = account(request.body.userId, request)
      user.wishes = user.wishes.filter((id) => id !== request.body.documentId)
      return isEcho ? new Sent('text/plain', 'Removed') : undefined
    },
    'GET /wishlist/*': (request) =>
      account(request.params[0], request).wishes.map((wished) => {
        const { id, title, price, filePath } = documentOf(wished)
        const document = { id, title, price, filePath, teacher: { username: teacher.name } }
        return isEcho
          ? document
          : { createdAt: now(), document: { ...document, coverMapping: { livrePath: null } } }
      }),
    'GET /wishlist/is-in-wishlist': (request) =>
      account(request.query.get('userId'), request).wishes.includes(
        Number(request.query.get('documentId')),
      ),

    'GET /ratings': () => ratings,
    // Without ids in the ratings, nobody can name one.
    'GET /ratings/*': () => ratings[0],
    'PUT /ratings/*': ({ body }) => body,
    'DELETE /ratings/*': () => undefined,
    'POST /ratings': (request) => {
      const { id, firstName, email } = account((request.body.user as { id: number }).id, request)
      ratings.push({ ...(request.body as object), user: { id, name: firstName, email } })
      return isEcho ? request.body : ratings.at(-1)
    },
    ...Object.fromEntries(
      ['document', 'teacher'].flatMap((kind): [string, Handler][] => [
        [`GET /ratings/${kind}/*`, ({ params: [id] }) => ratingsOf(kind, id)],
        [`GET /ratings/${kind}/*/average`, () => 4.5],
        [`GET /ratings/${kind}/*/comments`, ({ params: [id] }) => ratingsOf(kind, id)],
        [
          `GET /ratings/${kind}/*/user/*`,
          ({ params: [id, user] }) => {
            const own = ratingsOf(kind, id).findLast(
              (rating) => String((rating as { user: { id: number } }).user.id) === user,
            )
            if (!own && isEcho) throw new Refused(404)
            return own ?? null
          },
        ],
      ]),
    ),

    'GET /messages/rooms/*': (request) => {
      const { id } = account(request.params[0], request)
      return [...rooms.keys()].filter((room) => room.split('_').includes(String(id)))
    },
    'GET /messages/room/*/messages': (request) => roomOf(request.params[0], request),
    'POST /messages/room/*/send': (request) => {
      const { senderId, receiverId, roomId, content } = request.body
      account(senderId, request)
      const message = { senderId, receiverId, roomId, content }
      roomOf(request.params[0], request).push({ ...message, timestamp: now() })
      return isEcho ? message : { ...message, timestamp: now() }
    },
    'POST /messages/room': ({ query }) => {
      const ids = [Number(query.get('user1Id')), Number(query.get('user2Id'))].sort((a, b) => a - b)
      const id = `room_${ids.join('_')}`
      if (!rooms.has(id)) rooms.set(id, [])
      return isEcho ? undefined : {}
    },
    'GET /messages/users/admins': ({ user }) => user() && [ADMINISTRATOR],
  }
  const patterns = Object.entries(CALLS)
    .map(([call, answer]) => {
      const [method, path = ''] = call.split(' ')
      const pattern = new RegExp(`^${path.replaceAll('*', '([^/]+)')}$`)
      return { method, pattern, answer, isNamed: !path.includes('*') }
    })
    // `/documents/featured` before `/documents/*`.
    .sort((one, other) => Number(other.isNamed) - Number(one.isNamed))

  const find = (method: string, path: string) =>
    patterns.find((call) => call.method === method && call.pattern.test(path))

  function create(given: Partial<Account>): Account {
    const id = 9 + accounts.length
    const payload = { userId: id, authorities: ['PARENT'], exp: 4_102_444_800 }
    const token = [{ alg: 'none' }, payload]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .concat('x')
      .join('.')
    const created: Account = {
      id,
      token,
      email: `customer${id}@example.com`,
      password: SPECIFIED_PASSWORD,
      firstName: 'Amal',
      balance: 42,
      cart: [],
      wishes: [],
      owned: [],
      ...given,
    }
    accounts.push(created)
    return created
  }

  const tokenIn = (text = '') => accounts.find(({ token }) => text === token)

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', headers } = request
    const url = new URL(request.url ?? '/', 'http://any')
    const path = url.pathname.replace(/^\/api(?=\/)/, '')
    let text = ''
    for await (const piece of request) text += piece
    const found = find(method, path)
    if (!found && path !== '/features') unknown.push(`${method} ${path}`)
    try {
      const status = failing.get(path)
      if (status !== undefined) throw new Refused(status)
      if (!found || !url.pathname.startsWith('/api/')) throw new Refused(404)
      const sent = await found.answer({
        params: found.pattern.exec(path)?.slice(1) ?? [],
        query: url.searchParams,
        body: text ? JSON.parse(text) : {},
        user() {
          const user = tokenIn(headers.authorization?.replace(/^Bearer /, ''))
          if (!user) throw new Refused(401)
          return user
        },
      })
      if (sent instanceof Redirect) response.writeHead(302, { location: sent.location }).end()
      else if (sent instanceof Sent)
        response.writeHead(200, { 'content-type': sent.type }).end(sent.bytes)
      else if (sent === undefined) response.writeHead(200).end()
      else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(sent))
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      const { status } = error
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(frameworkError(status, path)))
    }
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error) => response.destroy(error))
  })
  const sockets = new WebSocketServer({ noServer: true, handleProtocols: () => 'v12.stomp' })
  const followers = new Map<WebSocket, Map<string, string>>()
  server.on('upgrade', (request, socket, head) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://any')
    if (pathname !== '/ws' || !tokenIn(searchParams.get('access_token') ?? '')) {
      socket.end('HTTP/1.1 401 Unauthorized\r\n\r\n')
      return
    }
    sockets.handleUpgrade(request, socket, head, (live) => {
      followers.set(live, new Map())
      live.on('message', (data) => takeFrame(live, String(data)))
      live.on('close', () => followers.delete(live))
    })
  })
  function takeFrame(live: WebSocket, text: string): void {
    const [head = '', body = ''] = text.replace(/\0[\s]*$/, '').split('\n\n', 2)
    const [command, ...lines] = head.trim().split('\n')
    const headers = Object.fromEntries(lines.map((line) => line.split(/:(.*)/s).slice(0, 2)))
    const followed = followers.get(live)
    if (command === 'CONNECT' || command === 'STOMP')
      live.send('CONNECTED\nversion:1.2\nheart-beat:0,0\n\n\0')
    if (command === 'SUBSCRIBE') followed?.set(headers.destination, headers.id)
    if (command === 'UNSUBSCRIBE')
      for (const [topic, id] of followed ?? []) if (id === headers.id) followed?.delete(topic)
    const [, room] = /^\/app\/room\/(.+)\/send$/.exec(headers.destination ?? '') ?? []
    if (command === 'SEND' && room) broadcast(room, body)
    if (headers.receipt) live.send(`RECEIPT\nreceipt-id:${headers.receipt}\n\n\0`)
  }
  function broadcast(room: string, body: string): void {
    for (const [live, followed] of followers) {
      const id = followed.get(`/topic/room/${room}`)
      if (id === undefined) continue
      live.send(
        `MESSAGE\nsubscription:${id}\nmessage-id:1\ndestination:/topic/room/${room}\n\n${body}\0`,
      )
    }
  }

  let port = 0
  async function listen(): Promise<void> {
    await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening))
    port = (server.address() as AddressInfo).port
  }
  await listen()
  return {
    url: `http://127.0.0.1:${port}`,
    fail: (path, status) =>
      void (status === undefined ? failing.delete(path) : failing.set(path, status)),
    aCustomer: ({ balance = 42, owns = [] } = {}) => create({ balance, owned: [...owns] }),
    has: (method, path) => Object.hasOwn(CALLS, `${method} ${path}`),
    cartOf: ({ id }) => accounts.find((one) => one.id === id)?.cart ?? [],
    resetTokenOf: (email) => [...resets].find(([, one]) => one.email === email)?.[0],
    write({ id }, content) {
      const room = `room_${ADMINISTRATOR.id}_${id}`
      const message = { senderId: ADMINISTRATOR.id, receiverId: id, roomId: room, content }
      rooms.set(room, [...(rooms.get(room) ?? []), { ...message, timestamp: now() }])
      broadcast(room, JSON.stringify(message))
    },
    unknownCalls() {
      const made = unknown
      unknown = []
      return made
    },
    listen,
    stop: () =>
      new Promise((stopped) => {
        for (const live of followers.keys()) live.terminate()
        server.close(() => stopped())
        server.closeAllConnections()
      }),
  }
}

function frameworkError(status: number, path: string) {
  const error = status === 404 ? 'Not Found' : 'Refused'
  return { timestamp: '2026-11-26T10:00:00.000+00:00', status, error, path }
}
