import { openReading } from '../../src/contract/reading.ts'
import { payFromWallet } from '../../src/contract/wallet.ts'
import { dinars } from '../../src/rules/money.ts'
import { PAGE_WIDTH } from '../../src/rules/reading.ts'
import type { Person } from '../support/factories.ts'
import { aPdf } from '../support/pdf.ts'
import { JSON_TYPE, logInCall, PASSWORD, registerAt } from './calls.ts'
import type { MeasuredShop } from './measured-shop.ts'
import type { Errand } from './visitors.ts'

/** How many documents there are to buy, each once by a customer. */
const FOR_SALE = 60
const PRICE = dinars(1)

/** How many accounts of each visitor log in, and from how many addresses: seldom enough each. */
const ACCOUNTS = 2
const ADDRESSES = 250

const addressOf = (at: number) => `198.18.0.${at % ADDRESSES}`

/** How many pages a buyer's book has: each page is read, that is drawn, once. */
const BOOK_PAGES = 600

/**
 * What buyers do beside the others: log in (a password costs what real ones cost to check), pay
 * from their wallets, and turn the pages of a book of their own, none of which was drawn before.
 */
export async function buyersIn(
  shop: MeasuredShop,
  visitors: number,
): Promise<Record<'log-in' | 'payment' | 'reader page', Errand>> {
  const { id: teacherId } = await shop.aTeacher()
  const forSale: number[] = []
  for (let at = 0; at < FOR_SALE; at++) {
    forSale.push((await shop.aDocument({ teacherId, price: PRICE })).id)
  }
  const readers: Reader[] = []
  for (let at = 0; at < visitors; at++) readers.push(await aReader(shop, teacherId, at))
  const emails: string[] = []
  for (let at = 0; at < ACCOUNTS * visitors; at++) {
    emails.push(await registerAt(shop.url, addressOf(at)))
  }
  let logIns = 0
  const payers = new Map<number, { payer: Person; paid: number }>()
  let keys = 0

  return {
    'log-in': ({ send }) => {
      const at = logIns++
      const { path, headers, ...call } = logInCall(emails[at % emails.length] ?? '', PASSWORD)
      const named = { ...headers, 'x-forwarded-for': addressOf(at) }
      return send(shop.url + path, { ...call, headers: named })
    },
    payment: async ({ number, send }) => {
      const last = payers.get(number)
      const { payer, paid } =
        last && last.paid < FOR_SALE
          ? last
          : { payer: await shop.aCustomer({ balance: FOR_SALE * PRICE }), paid: 0 }
      payers.set(number, { payer, paid: paid + 1 })
      return send(`${shop.url}/api${payFromWallet.path}`, {
        method: 'POST',
        headers: {
          ...JSON_TYPE,
          authorization: `Bearer ${payer.token}`,
          'idempotency-key': `payment ${++keys}`,
        },
        body: JSON.stringify({ userId: payer.id, documentIds: [forSale[paid]] }),
      })
    },
    'reader page': ({ number, send }) => {
      const { pages, ...reader } = readers[number] as Reader
      readers[number] = { ...reader, pages, page: reader.page + 1 }
      return send(`${shop.url}${pages}${reader.page}-${PAGE_WIDTH}.webp`)
    },
  }
}

type Reader = Awaited<ReturnType<typeof aReader>>

/** A buyer of a file. */
export async function aBuyerOf(
  shop: MeasuredShop,
  file: Uint8Array,
  { pages = 1, ...options }: { teacherId?: number; pages?: number } = {},
) {
  const document = await shop.aDocument({ ...options, file, pages, price: PRICE })
  const buyer = await shop.aCustomer({ balance: PRICE })
  const body = { userId: buyer.id, documentIds: [document.id] }
  await shop.api(payFromWallet, { body }, { token: buyer.token, idempotencyKey: 'buy' })
  return { document, buyer }
}

async function aReader(shop: MeasuredShop, teacherId: number, at: number) {
  const book = aPdf(`Book ${at}`, BOOK_PAGES)
  const { document, buyer } = await aBuyerOf(shop, book, { teacherId, pages: BOOK_PAGES })
  const opened = await shop.api(
    openReading,
    { params: { id: document.id } },
    { token: buyer.token },
  )
  return { buyer, pages: opened.pages, page: 1 }
}
