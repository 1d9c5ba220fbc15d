import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from '@stomp/stompjs'
import { WebSocket } from 'ws'
import { register } from '../../src/contract/accounts.ts'
import { listMessages, openRoom, roomTopic, sendMessage } from '../../src/contract/chat.ts'
import { getOwnDocument, saveOwnDocument } from '../../src/contract/office-documents.ts'
import { getPayment } from '../../src/contract/orders.ts'
import {
  cancelUpload,
  finishUpload,
  getUpload,
  openUpload,
  sendPart,
} from '../../src/contract/uploads.ts'
import { initiateRecharge, payFromWallet } from '../../src/contract/wallet.ts'
import { dinars } from '../../src/rules/money.ts'
import { socketUrl } from '../support/chat-client.ts'
import type { Factories, Person } from '../support/factories.ts'
import type { KonnectStandIn } from '../support/konnect.ts'
import { aPdf } from '../support/pdf.ts'
import { type Answers, openVisitor } from './visitor.ts'

const PAYERS = 6
const CONVERSATIONS = 2
const TEACHERS = 8
const BETWEEN = {
  payments: 100,
  pages: 200,
  topUps: 1000,
  messages: 2000,
  uploads: 5000,
  prices: 1000,
  mails: 5000,
}

const DOCUMENTS = 100
const PRICE = dinars(1)
const PAGES = ['/', '/fr', '/shop', '/fr/shop', '/teachers', '/fr/faq']

/** What the shop has acknowledged, and must not lose. */
export interface Acknowledged {
  /** Documents paid for from a wallet: the buyer's id and the document's, `12 345`. */
  readonly purchases: Set<string>
  /** References of top-ups that were said to be paid. */
  readonly topUps: Set<string>
  /** Ids that senders gave their messages. */
  readonly messages: Set<string>
  readonly uploads: Set<string>
  /** Addresses of registered customers, each of whom is sent a mail. */
  readonly mails: Set<string>
}

/** A price change; times of `performance.now()`. */
export interface PriceChange {
  readonly saved: number
  /**
   * For each process, when its page showed it, and since when it could have: later than `saved` if
   * the process was not there. Infinity for never.
   */
  readonly shown: Map<string, { since: number; at: number }>
}

/** A message, and when its reader's page had it. */
export interface Heard {
  readonly saved: number
  readonly heard: number
}

export interface Load {
  readonly acknowledged: Acknowledged
  readonly answers: Answers
  readonly changes: readonly PriceChange[]
  readonly heard: readonly Heard[]
  /** What went wrong in another way, such as a refusal. */
  readonly faults: readonly string[]
  /** The rooms of the conversations, and their customers. */
  readonly rooms: readonly { room: string; customer: Person }[]
  readonly buyers: ReadonlyMap<number, { balance: number }>
  /** Resolves once everybody has finished what they were doing. */
  end(): Promise<void>
}

/**
 * Visitors of every kind, each with an address of their own, in a shop behind `url`, until the end.
 * `shops` are the addresses of its processes.
 */
export async function startLoad({
  url,
  shops,
  addresses,
  factories,
  konnect,
  customers,
}: {
  url: string
  shops: readonly string[]
  addresses: readonly string[]
  factories: Factories
  konnect: KonnectStandIn
  /** How many buyers there are; each can pay a hundred times. */
  customers: number
}): Promise<Load> {
  const answers: Answers = []
  const acknowledged: Acknowledged = {
    purchases: new Set(),
    topUps: new Set(),
    messages: new Set(),
    uploads: new Set(),
    mails: new Set(),
  }
  const changes: PriceChange[] = []
  const heard: Heard[] = []
  const faults: string[] = []
  let over = false
  const isOver = () => over
  let nextAddress = 0
  const visitor = (to = url) =>
    openVisitor(to, addresses[nextAddress++ % addresses.length] as string, answers)

  const documents: number[] = []
  const { id: teacherId } = await factories.aTeacher()
  for (let at = 0; at < DOCUMENTS; at++) {
    documents.push((await factories.aDocument({ teacherId, price: PRICE })).id)
  }
  const buyers: Person[] = []
  for (let at = 0; at < customers; at++) {
    buyers.push(await factories.aCustomer({ balance: DOCUMENTS * PRICE }))
  }
  const richer: Person[] = []
  for (let at = 0; at < 20; at++) richer.push(await factories.aCustomer())
  const teachers: Awaited<ReturnType<Factories['anOfficeTeacher']>>[] = []
  for (let at = 0; at < TEACHERS; at++) teachers.push(await factories.anOfficeTeacher())
  const administrator = await factories.anOfficeAdministrator()

  /** Repeats an errand until the load ends; what it throws is noted, and does not end it. */
  async function again(pause: number, errand: () => Promise<void>): Promise<void> {
    while (!over) {
      await errand().catch((error: Error) => void faults.push(error.message))
      await wait(pause)
    }
  }

  let purchase = 0
  /** The next purchase: at most one at a time of a buyer, and of a document. */
  function nextPurchase(): { buyer: Person; document: number } {
    const at = purchase++
    const round = Math.floor(at / buyers.length)
    if (round === documents.length) throw new Error('There are too few customers.')
    return {
      buyer: buyers[at % buyers.length] as Person,
      document: documents[(at + round) % documents.length] as number,
    }
  }
  async function pay(): Promise<void> {
    const { call } = visitor()
    await again(BETWEEN.payments, async () => {
      const { buyer, document } = nextPurchase()
      const body = { userId: buyer.id, documentIds: [document] }
      const options = { token: buyer.token, key: randomUUID(), isOver }
      const result = await call('payment', payFromWallet, { body }, options)
      if (result?.excludedDocuments.length === 0) {
        acknowledged.purchases.add(`${buyer.id} ${document}`)
      } else if (result) {
        faults.push(`a first payment was answered as if ${document} had been bought before`)
      }
    })
  }

  /** Looks at one page: one that waits for the database does not keep others from being seen. */
  async function view(path: string): Promise<void> {
    const { look } = visitor()
    await again(BETWEEN.pages, async () => {
      await look(path)
    })
  }

  async function topUp(): Promise<void> {
    const { call } = visitor()
    let at = 0
    await again(BETWEEN.topUps, async () => {
      const customer = richer[at++ % richer.length] as Person
      const options = { token: customer.token, key: randomUUID(), isOver }
      const body = { userId: customer.id, amount: dinars(20) }
      const started = await call('top-up', initiateRecharge, { body }, options)
      if (!started) return
      konnect.pay(started.paymentRef)
      const query = { paymentRef: started.paymentRef }
      for (let tries = 0; tries < 20; tries++) {
        const payment = await call('top-up', getPayment, { query }, options)
        if (payment?.state === 'paid') return void acknowledged.topUps.add(started.paymentRef)
        if (over) return
        await wait(500)
      }
    })
  }

  const rooms: { room: string; customer: Person }[] = []
  async function talk(): Promise<void> {
    const { call } = visitor()
    const customer = await factories.aCustomer()
    const members = { user1Id: customer.id, user2Id: administrator.id }
    const options = { token: customer.token, isOver }
    const opened = await call('chat', openRoom, { query: members }, options)
    if (!opened) return
    const room = opened.roomId
    rooms.push({ room, customer })
    const saved = new Map<string, number>()
    const known = new Map<string, number>()
    const note = (messages: readonly { clientId?: string | null | undefined }[]) => {
      for (const { clientId } of messages) {
        if (clientId && !known.has(clientId)) known.set(clientId, performance.now())
      }
    }
    const socket = new Client({
      webSocketFactory: () => new WebSocket(socketUrl(url, customer.token), ['v12.stomp']),
      reconnectDelay: 1000,
    })
    socket.onConnect = () => {
      socket.subscribe(roomTopic(room), ({ body }) => note([JSON.parse(body)]))
      // What was written while there was no connection.
      void call('chat', listMessages, { params: { roomId: room }, query: {} }, options).then(
        (messages) => note(messages ?? []),
        (error: Error) => faults.push(error.message),
      )
    }
    socket.activate()
    await again(BETWEEN.messages, async () => {
      const clientId = randomUUID()
      const body = {
        senderId: customer.id,
        receiverId: administrator.id,
        content: `Message ${clientId}`,
        clientId,
      }
      if (!(await call('chat', sendMessage, { params: { roomId: room }, body }, options))) return
      acknowledged.messages.add(clientId)
      saved.set(clientId, performance.now())
    })
    // Its last messages are on their way.
    await wait(2000)
    await socket.deactivate()
    for (const [id, at] of saved) {
      heard.push({ saved: at, heard: known.get(id) ?? Number.POSITIVE_INFINITY })
    }
  }

  async function upload(): Promise<void> {
    const { call } = visitor()
    const another = visitor()
    let at = 0
    await again(BETWEEN.uploads, async () => {
      const { token } = teachers[at++ % teachers.length] as Person
      const file = aPdf(`Draft ${at}`, 2)
      const options = { token, isOver }
      const announced = { name: 'draft.pdf', size: file.length, purpose: 'document' as const }
      const opened = await call('upload', openUpload, { body: announced }, options)
      if (!opened) return
      const params = { id: opened.id }
      const body = new Uint8Array(file)
      if (!(await call('upload', sendPart, { params, query: { offset: 0 }, body }, options))) return
      if (!(await call('upload', finishUpload, { params }, options))) return
      // Answered by any of the processes.
      const found = await another.call('upload', getUpload, { params }, options)
      if (found && !found.isChecked) faults.push(`the upload ${opened.id} is not checked`)
      acknowledged.uploads.add(opened.id)
      await call('upload', cancelUpload, { params }, options).catch(() => {})
    })
  }

  /** Changes a price by one process, and waits until the pages of the others show it. */
  async function changePrices(): Promise<void> {
    const teacher = teachers[0] as Person & { teacherId: number }
    const { id } = await factories.aDocument({ teacherId: teacher.teacherId, price: PRICE })
    const params = { id }
    const options = { token: teacher.token, isOver }
    const { call } = visitor()
    const others = shops.map((shop) => ({ shop, ...visitor(shop) }))
    let number = 100
    await again(BETWEEN.prices, async () => {
      number = number === 999 ? 100 : number + 1
      const own = await call('price', getOwnDocument, { params }, options)
      if (!own) return
      const { document } = own
      const body = {
        revision: document.revision,
        title: document.title,
        description: document.description,
        price: dinars(number),
        priceDiscount: null,
        matiereId: document.matiere?.id ?? null,
        niveauId: document.classe?.id ?? null,
        categoryId: document.categorie?.id ?? null,
        type: document.type,
      }
      // Sent again after a lost answer, the revision is no longer the one that it names.
      const saving = call('price', saveOwnDocument, { params, body }, options)
      const saved = await saving.catch((error: Error) => {
        if (!error.message.endsWith('document_changed')) throw error
        return null
      })
      if (!saved) return
      const change: PriceChange = { saved: performance.now(), shown: new Map() }
      changes.push(change)
      const shownAs = new RegExp(`\\b${number}[,.]00`)
      await Promise.all(
        others.map(async ({ shop, page }) => {
          let since = change.saved
          for (let tries = 0; tries < 150 && !over; tries++) {
            const html = await page(`/fr/shop-details/${id}`)
            const at = performance.now()
            if (html && shownAs.test(html)) return void change.shown.set(shop, { since, at })
            if (!html) since = at
            await wait(200)
          }
          if (!over) change.shown.set(shop, { since, at: Number.POSITIVE_INFINITY })
        }),
      )
    })
  }

  async function beMailed(): Promise<void> {
    let at = 0
    await again(BETWEEN.mails, async () => {
      const email = `${randomUUID()}@karras.test`
      const { call, leave } = visitor()
      const body = {
        username: 'Mailed',
        firstName: 'Mailed',
        lastName: 'Customer',
        email,
        phone: String(40_000_000 + at++),
        password: 'karras-machines',
        gender: 'female' as const,
      }
      if (await call('mail', register, { body }, { isOver })) acknowledged.mails.add(email)
      leave()
    })
  }

  const errands = [
    ...Array.from({ length: PAYERS }, pay),
    ...PAGES.map(view),
    ...Array.from({ length: CONVERSATIONS }, talk),
    topUp(),
    upload(),
    changePrices(),
    beMailed(),
  ]
  return {
    acknowledged,
    answers,
    changes,
    heard,
    faults,
    rooms,
    buyers: new Map(buyers.map(({ id }) => [id, { balance: DOCUMENTS * PRICE }])),
    async end() {
      over = true
      await Promise.all(errands)
    },
  }
}
