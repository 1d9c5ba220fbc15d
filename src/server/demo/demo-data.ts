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
import { LANGUAGES } from '../../rules/languages.ts'
import { dinars, type Millimes } from '../../rules/money.ts'
import { TRANSFER_METHODS } from '../../rules/payment-methods.ts'
import { LEVELS } from '../../rules/price-bands.ts'
import { GENDERS, ROLES } from '../../rules/roles.ts'
import { readSchoolLists } from '../catalogue/catalogue.ts'

const Moment = coerce(date(), string(), (text) => new Date(text))

const Teacher = object({
  id: number(),
  firstName: string(),
  lastName: string(),
  latinName: defaulted(string(), ''),
  email: string(),
  bio: string(),
  bioFr: defaulted(string(), ''),
  /** Codes of the school lists. */
  subjects: defaulted(array(string()), []),
  levels: defaulted(array(enums(LEVELS)), []),
  isFeatured: boolean(),
  /** The e-mail address of the demo account that belongs to this teacher. */
  account: optional(string()),
})

const Document = object({
  id: number(),
  title: string(),
  description: string(),
  /** Codes of the school lists. */
  subject: string(),
  schoolClass: string(),
  category: string(),
  teacher: number(),
  /** In dinars, like `discount`, which is the discounted price. */
  price: number(),
  discount: optional(number()),
  forTeachers: defaulted(boolean(), false),
  isFeatured: defaulted(boolean(), false),
  /** Overrides the subject's colour. */
  coverColor: optional(string()),
  /** Earlier sales, in addition to those to the readers. */
  sales: number(),
  uploadedAt: Moment,
  /**
   * Its printed content: files of `topics/`, and the number (from 1) of their series of questions.
   */
  contents: array(object({ topic: string(), series: number() })),
})
export type DemoDocument = Infer<typeof Document>

/** The covers of the demo shop's documents, in their order. */
const Covers = array(
  object({
    color: string(),
    names: object({ ar: string(), fr: string(), en: string() }),
    isRetired: defaulted(boolean(), false),
  }),
)

/**
 * Work that waits for administrators: documents and new versions to review, and requests to join.
 */
const Review = object({
  requests: array(
    object({
      email: string(),
      phone: string(),
      firstName: string(),
      lastName: string(),
      subjects: string(),
      message: string(),
      locale: enums(LANGUAGES),
      daysAgo: number(),
    }),
  ),
  versions: array(object({ document: number(), file: number(), note: string(), at: Moment })),
  /** Each has the teacher, subject, class and file of the document that it is `like`. */
  submitted: array(
    object({ like: number(), title: string(), description: string(), price: number(), at: Moment }),
  ),
})
export type DemoReview = Infer<typeof Review>

/** The directory of the demo shop's data and its printed documents. */
export const DEMO_DATA = join(import.meta.dirname, 'data')

const Rating = object({
  document: optional(number()),
  teacher: optional(number()),
  stars: number(),
  comment: string(),
  at: Moment,
  answer: optional(object({ text: string(), at: Moment })),
})

const Person = object({
  id: number(),
  email: string(),
  role: enums(ROLES),
  firstName: string(),
  lastName: string(),
  gender: enums(GENDERS),
  phone: string(),
  /** In dinars. */
  balance: defaulted(number(), 0),
  /** Ids of documents, bought in this order. */
  bought: defaulted(array(number()), []),
  ratings: defaulted(array(Rating), []),
})
export type DemoPerson = Infer<typeof Person>

const daysAgo = number()

/** The data of a demo teacher's office: sales of the past months, and payouts. */
const Office = object({
  teacher: number(),
  bankAccount: object({ holder: string(), rib: string() }),
  refunds: array(object({ buyer: number(), document: number() })),
  payouts: array(
    object({
      amount: number(),
      requestedDaysAgo: daysAgo,
      paidDaysAgo: daysAgo,
      reference: string(),
    }),
  ),
  sales: array(object({ buyer: number(), document: number(), daysAgo })),
})

const hoursAgo = number()

/** Work that waits for an administrator, with buyers by their ids and amounts in dinars. */
const OfficeMoney = object({
  transfers: array(
    object({
      buyer: number(),
      method: enums(TRANSFER_METHODS),
      amount: number(),
      reference: string(),
      hoursAgo,
    }),
  ),
  /** A card payment for which the gateway reports another amount. */
  difference: object({
    buyer: number(),
    amount: number(),
    reported: number(),
    reference: string(),
    gatewayReference: string(),
    hoursAgo,
  }),
  adjustment: object({
    buyer: number(),
    amount: number(),
    proposer: number(),
    reason: string(),
    hoursAgo,
  }),
})

/** How many visits the shop has on a usual day, and searches that found nothing. */
const OfficeFigures = object({
  days: number(),
  aDay: object({ visit: number(), details: number(), cart: number() }),
  searches: array(object({ text: string(), daysAgo, count: number() })),
})

const Message = object({
  /** The sender's e-mail address. */
  from: string(),
  at: Moment,
  text: string(),
  /** The document that the message asks about. */
  document: optional(number()),
})

const ByLanguage = object({ ar: string(), fr: string(), en: string() })

/** Messages of customers to the shop, and its canned answers. */
const Inbox = object({
  conversations: array(
    object({
      /** The e-mail address of the administrator who has taken the conversation. */
      takenBy: optional(string()),
      messages: array(
        object({ from: string(), hoursAgo, text: string(), document: optional(number()) }),
      ),
    }),
  ),
  cannedAnswers: array(object({ name: ByLanguage, text: ByLanguage })),
})

const Printed = object({ id: number(), pages: number(), source: string() })

/** Reads a file of the data by its name. Throws an error with that name if its shape is wrong. */
export async function readData<T>(name: string, shape: Struct<T, unknown>): Promise<T> {
  const text = await readFile(join(DEMO_DATA, `${name}.json`), 'utf8')
  try {
    return create(JSON.parse(text), shape)
  } catch (error) {
    throw new Error(`${name}.json of the demo shop: ${(error as Error).message}`, { cause: error })
  }
}

/** The accounts with the public demo password. */
export const readAccounts = () => readData('accounts', array(Person))
/** The page count of each printed document, and the hash of its source. */
export const readPrinted = () => readData('printed/manifest', array(Printed))

/** The demo shop's data; the documents are oldest first. */
export type DemoShop = Awaited<ReturnType<typeof readDemoShop>>

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
    officeFigures,
    review,
    inbox,
  ] = await Promise.all([
    readSchoolLists(),
    readAccounts(),
    // Customers who bought and rated, and the buyers of the office's sales; they have no password.
    readData('readers', array(Person)),
    readData('office-buyers', array(Person)),
    readData('teachers', array(Teacher)),
    readData('documents', array(Document)),
    readData('covers', Covers),
    readData('conversations', array(array(Message))),
    readData('office', Office),
    readData('office-money', OfficeMoney),
    readData('office-figures', OfficeFigures),
    readData('office-review', Review),
    readData('office-inbox', Inbox),
  ])
  const people = [...readers, ...buyers]
  const staff = { office, officeMoney, officeFigures, review, inbox }
  const catalogue = { lists, teachers, documents, covers }
  return { ...catalogue, accounts, readers: people, conversations, ...staff }
}

/** The final price of a document of the demo shop, in millimes. */
export function finalPriceOf({ documents }: DemoShop, id: number): Millimes {
  const { price, discount } = entryOf(documents, 'id', id)
  return finalPrice({
    price: dinars(price),
    priceDiscount: discount === undefined ? null : dinars(discount),
  })
}

/** The entry with this code, id or e-mail address. Throws if there is none. */
export function entryOf<K extends 'code' | 'id' | 'email', T extends Record<K, string | number>>(
  list: readonly T[],
  key: K,
  value: T[K],
): T {
  const entry = list.find((each) => each[key] === value)
  if (!entry) throw new RangeError(`the demo shop has no ${key} ${value}`)
  return entry
}

/** Actions of administrators on ratings and documents. */
export const OfficeGoods = object({
  hidden: object({
    buyer: number(),
    document: number(),
    stars: number(),
    comment: string(),
    reason: string(),
    at: Moment,
    hiddenAt: Moment,
  }),
  /** A timed discount, which the documents already have. */
  discount: object({
    documents: array(number()),
    percent: number(),
    begunDaysAgo: number(),
    days: number(),
    /** The id of the administrator. */
    by: number(),
    reason: string(),
  }),
})
export type DemoGoods = Infer<typeof OfficeGoods>
