import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  array,
  boolean,
  coerce,
  create,
  date,
  defaulted,
  enums,
  type Infer,
  number,
  object,
  optional,
  type Struct,
  string,
} from 'superstruct'
import { finalPrice } from '../../rules/discount.ts'
import { dinars, type Millimes } from '../../rules/money.ts'
import { LEVELS } from '../../rules/price-bands.ts'
import { readSchoolLists } from '../catalogue/catalogue.ts'
import { Review } from './review-data.ts'

/** Where the demo shop's data and its printed documents lie. */
export const DEMO_DATA = join(import.meta.dirname, 'data')

const Moment = coerce(date(), string(), (text) => new Date(text))

const Rating = object({
  document: optional(number()),
  teacher: optional(number()),
  stars: number(),
  comment: string(),
  at: Moment,
  /** The teacher's. */
  answer: optional(object({ text: string(), at: Moment })),
})

const Person = object({
  id: number(),
  email: string(),
  role: enums(['PARENT', 'TEACHER', 'ADMIN']),
  firstName: string(),
  lastName: string(),
  gender: enums(['male', 'female']),
  phone: string(),
  /** Dinars. */
  balance: defaulted(number(), 0),
  /** Ids of documents, bought in this order. */
  bought: defaulted(array(number()), []),
  ratings: defaulted(array(Rating), []),
})
/** Somebody with an account. */
export type DemoPerson = Infer<typeof Person>

const Teacher = object({
  id: number(),
  firstName: string(),
  lastName: string(),
  latinName: defaulted(string(), ''),
  email: string(),
  bio: string(),
  bioFr: defaulted(string(), ''),
  /** Codes of the schools' lists. */
  subjects: defaulted(array(string()), []),
  levels: defaulted(array(enums(LEVELS)), []),
  isFeatured: boolean(),
  /** The e-mail of the demo account that is this teacher's own. */
  account: optional(string()),
})

const Document = object({
  id: number(),
  title: string(),
  description: string(),
  /** Codes of the schools' lists. */
  subject: string(),
  niveau: string(),
  category: string(),
  teacher: number(),
  /** Dinars, as `discount`, which is the price after it. */
  price: number(),
  discount: optional(number()),
  forTeachers: defaulted(boolean(), false),
  isFeatured: defaulted(boolean(), false),
  /** Wins over the subject's colour. */
  coverColor: optional(string()),
  /** Sales of earlier days, besides those to the readers. */
  sales: number(),
  uploadedAt: Moment,
  /** What is printed in it: files of `topics/`, and which of their series of questions (from 1). */
  contents: array(object({ topic: string(), series: number() })),
})
/** A document that the demo shop sells. */
export type DemoDocument = Infer<typeof Document>

const Cover = object({
  color: string(),
  names: object({ ar: string(), fr: string(), en: string() }),
  isRetired: defaulted(boolean(), false),
})

const daysAgo = number()

/** What the office of a demo teacher shows: sales of the past months, and payouts. */
const Office = object({
  teacher: number(),
  bankAccount: object({ holder: string(), rib: string() }),
  refunds: array(object({ buyer: number(), document: number() })),
  payouts: array(
    object({ amount: number(), askedDaysAgo: daysAgo, paidDaysAgo: daysAgo, reference: string() }),
  ),
  sales: array(object({ buyer: number(), document: number(), daysAgo })),
})

const hoursAgo = number()

/** What waits for an administrator, of buyers by their ids; amounts in dinars. */
const OfficeMoney = object({
  transfers: array(
    object({
      buyer: number(),
      method: enums(['bank_transfer', 'd17']),
      amount: number(),
      reference: string(),
      hoursAgo,
    }),
  ),
  /** A card's payment of which the gateway has another sum. */
  difference: object({
    buyer: number(),
    amount: number(),
    reported: number(),
    reference: string(),
    gatewayReference: string(),
    hoursAgo,
  }),
  /** One that a second administrator has to confirm. */
  adjustment: object({
    buyer: number(),
    amount: number(),
    proposer: number(),
    reason: string(),
    hoursAgo,
  }),
})

const Message = object({
  /** The e-mail of who writes. */
  from: string(),
  at: Moment,
  text: string(),
  /** The document that is asked about. */
  document: optional(number()),
})
/** What a customer and an administrator wrote to each other, the customer first. */
export type DemoConversation = Infer<typeof Message>[]

const Printed = object({ id: number(), pages: number(), source: string() })

/** Reads a file of the data by its name. Throws, naming it, where it has not the agreed shape. */
export async function readData<T>(name: string, shape: Struct<T, unknown>): Promise<T> {
  const text = await readFile(join(DEMO_DATA, `${name}.json`), 'utf8')
  try {
    return create(JSON.parse(text), shape)
  } catch (error) {
    throw new Error(`${name}.json of the demo shop: ${(error as Error).message}`, { cause: error })
  }
}

/** The accounts whose password everybody can read. */
export const readAccounts = () => readData('accounts', array(Person))
/** How many pages each printed document has, and the hash of what it was printed from. */
export const readPrinted = () => readData('printed/manifest', array(Printed))

/** The demo shop's data; the documents are oldest first. */
export type DemoShop = Awaited<ReturnType<typeof readDemoShop>>

/** Reads what the demo shop's database is filled from. */
export async function readDemoShop() {
  const [
    lists,
    accounts,
    readers,
    buyers,
    teachers,
    documents,
    covers,
    conversations,
    office,
    officeMoney,
    review,
  ] = await Promise.all([
    readSchoolLists(),
    readAccounts(),
    // Customers who bought and rated, and those of the office's sales; nobody knows their password.
    readData('readers', array(Person)),
    readData('office-buyers', array(Person)),
    readData('teachers', array(Teacher)),
    readData('documents', array(Document)),
    readData('covers', array(Cover)),
    readData('conversations', array(array(Message))),
    readData('office', Office),
    readData('office-money', OfficeMoney),
    readData('office-review', Review),
  ])
  const people = [...readers, ...buyers]
  const staff = { office, officeMoney, review }
  const catalogue = { lists, teachers, documents, covers }
  return { ...catalogue, accounts, readers: people, conversations, ...staff }
}

/** What a buyer pays for a document of the demo shop, in millimes. */
export function finalPriceOf({ documents }: DemoShop, id: number): Millimes {
  const { price, discount } = entryOf(documents, 'id', id)
  return finalPrice({
    price: dinars(price),
    priceDiscount: discount === undefined ? null : dinars(discount),
  })
}

/** The entry with that code, id or e-mail. Throws when there is none. */
export function entryOf<K extends 'code' | 'id' | 'email', T extends Record<K, string | number>>(
  list: readonly T[],
  key: K,
  value: T[K],
): T {
  const entry = list.find((each) => each[key] === value)
  if (!entry) throw new RangeError(`the demo shop has no ${key} ${value}`)
  return entry
}
