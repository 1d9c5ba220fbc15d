import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as s from 'superstruct'
import { SomeDetails } from '../../contract/references.ts'
import { finalPrice } from '../../rules/discount.ts'
import { LANGUAGES } from '../../rules/languages.ts'
import { dinars, type Millimes } from '../../rules/money.ts'
import { TRANSFER_METHODS } from '../../rules/payment-methods.ts'
import { LEVELS } from '../../rules/price-bands.ts'
import { GENDERS, ROLES } from '../../rules/roles.ts'
import { readSchoolLists } from '../catalogue/catalogue.ts'

const Moment = s.coerce(s.date(), s.string(), (text) => new Date(text))

const Teacher = s.object({
  id: s.number(),
  firstName: s.string(),
  lastName: s.string(),
  latinName: s.defaulted(s.string(), ''),
  email: s.string(),
  bio: s.string(),
  bioFr: s.defaulted(s.string(), ''),
  /** Codes of the school lists. */
  subjects: s.defaulted(s.array(s.string()), []),
  levels: s.defaulted(s.array(s.enums(LEVELS)), []),
  isFeatured: s.boolean(),
  /** The e-mail address of the demo account that belongs to this teacher. */
  account: s.optional(s.string()),
})

const Document = s.object({
  id: s.number(),
  title: s.string(),
  description: s.string(),
  /** Codes of the school lists. */
  subject: s.string(),
  schoolClass: s.string(),
  category: s.string(),
  teacher: s.number(),
  /** In dinars, like `discount`, which is the discounted price. */
  price: s.number(),
  discount: s.optional(s.number()),
  forTeachers: s.defaulted(s.boolean(), false),
  isFeatured: s.defaulted(s.boolean(), false),
  /** Overrides the subject's colour. */
  coverColor: s.optional(s.string()),
  /** Earlier sales, in addition to those to the readers. */
  sales: s.number(),
  uploadedAt: Moment,
  /**
   * Its printed content: files of `topics/`, and the number (from 1) of their series of questions.
   */
  details: s.optional(SomeDetails),
  contents: s.array(s.object({ topic: s.string(), series: s.number() })),
})
export type DemoDocument = s.Infer<typeof Document>

/** The covers of the demo shop's documents, in their order. */
const Covers = s.array(
  s.object({
    color: s.string(),
    names: s.object({ ar: s.string(), fr: s.string(), en: s.string() }),
    isRetired: s.defaulted(s.boolean(), false),
  }),
)

/**
 * Work that waits for administrators: documents and new versions to review, and requests to join.
 */
const Review = s.object({
  requests: s.array(
    s.object({
      email: s.string(),
      phone: s.string(),
      firstName: s.string(),
      lastName: s.string(),
      subjects: s.string(),
      message: s.string(),
      locale: s.enums(LANGUAGES),
      daysAgo: s.number(),
    }),
  ),
  versions: s.array(
    s.object({ document: s.number(), file: s.number(), note: s.string(), at: Moment }),
  ),
  /** Each has the teacher, subject, class and file of the document that it is `like`. */
  submitted: s.array(
    s.object({
      like: s.number(),
      title: s.string(),
      description: s.string(),
      price: s.number(),
      at: Moment,
    }),
  ),
})
export type DemoReview = s.Infer<typeof Review>

/** The directory of the demo shop's data and its printed documents. */
export const DEMO_DATA = join(import.meta.dirname, 'data')

const Rating = s.object({
  document: s.optional(s.number()),
  teacher: s.optional(s.number()),
  stars: s.number(),
  comment: s.string(),
  at: Moment,
  answer: s.optional(s.object({ text: s.string(), at: Moment })),
})

const Person = s.object({
  id: s.number(),
  email: s.string(),
  role: s.enums(ROLES),
  firstName: s.string(),
  lastName: s.string(),
  gender: s.enums(GENDERS),
  phone: s.string(),
  /** In dinars. */
  balance: s.defaulted(s.number(), 0),
  /** Ids of documents, bought in this order. */
  bought: s.defaulted(s.array(s.number()), []),
  ratings: s.defaulted(s.array(Rating), []),
})
export type DemoPerson = s.Infer<typeof Person>

const daysAgo = s.number()

/** The data of a demo teacher's office: sales of the past months, and payouts. */
const Office = s.object({
  teacher: s.number(),
  bankAccount: s.object({ holder: s.string(), rib: s.string() }),
  refunds: s.array(s.object({ buyer: s.number(), document: s.number() })),
  bundles: s.array(s.object({ documents: s.array(s.number()), price: s.number() })),
  codes: s.array(
    s.object({
      code: s.string(),
      /** Whether the teacher of the demo's office gives it; otherwise the shop does. */
      isTeachers: s.boolean(),
      percent: s.number(),
      atMost: s.nullable(s.number()),
      usesMax: s.nullable(s.number()),
    }),
  ),
  payouts: s.array(
    s.object({
      amount: s.number(),
      requestedDaysAgo: daysAgo,
      paidDaysAgo: daysAgo,
      reference: s.string(),
    }),
  ),
  sales: s.array(s.object({ buyer: s.number(), document: s.number(), daysAgo })),
})

const hoursAgo = s.number()

/** Work that waits for an administrator, with buyers by their ids and amounts in dinars. */
const OfficeMoney = s.object({
  transfers: s.array(
    s.object({
      buyer: s.number(),
      method: s.enums(TRANSFER_METHODS),
      amount: s.number(),
      reference: s.string(),
      hoursAgo,
    }),
  ),
  /** A card payment for which the gateway reports another amount. */
  difference: s.object({
    buyer: s.number(),
    amount: s.number(),
    reported: s.number(),
    reference: s.string(),
    gatewayReference: s.string(),
    hoursAgo,
  }),
  adjustment: s.object({
    buyer: s.number(),
    amount: s.number(),
    proposer: s.number(),
    reason: s.string(),
    hoursAgo,
  }),
})

/** How many visits the shop has on a usual day, and searches that found nothing. */
const OfficeFigures = s.object({
  days: s.number(),
  aDay: s.object({ visit: s.number(), details: s.number(), cart: s.number() }),
  searches: s.array(s.object({ text: s.string(), daysAgo, count: s.number() })),
})

const Message = s.object({
  /** The sender's e-mail address. */
  from: s.string(),
  at: Moment,
  text: s.string(),
  /** The document that the message asks about. */
  document: s.optional(s.number()),
})

const ByLanguage = s.object({ ar: s.string(), fr: s.string(), en: s.string() })

/** Messages of customers to the shop, and its canned answers. */
const Inbox = s.object({
  conversations: s.array(
    s.object({
      /** The e-mail address of the administrator who has taken the conversation. */
      takenBy: s.optional(s.string()),
      messages: s.array(
        s.object({
          from: s.string(),
          hoursAgo,
          text: s.string(),
          document: s.optional(s.number()),
        }),
      ),
    }),
  ),
  cannedAnswers: s.array(s.object({ name: ByLanguage, text: ByLanguage })),
})

const Printed = s.object({ id: s.number(), pages: s.number(), source: s.string() })

/** Reads a file of the data by its name. Throws an error with that name if its shape is wrong. */
export async function readData<T>(name: string, shape: s.Struct<T, unknown>): Promise<T> {
  const text = await readFile(join(DEMO_DATA, `${name}.json`), 'utf8')
  try {
    return s.create(JSON.parse(text), shape)
  } catch (error) {
    throw new Error(`${name}.json of the demo shop: ${(error as Error).message}`, { cause: error })
  }
}

/** The accounts with the public demo password. */
export const readAccounts = () => readData('accounts', s.array(Person))
/** The page count of each printed document, and the hash of its source. */
export const readPrinted = () => readData('printed/manifest', s.array(Printed))

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
    readData('readers', s.array(Person)),
    readData('office-buyers', s.array(Person)),
    readData('teachers', s.array(Teacher)),
    readData('documents', s.array(Document)),
    readData('covers', Covers),
    readData('conversations', s.array(s.array(Message))),
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
export const OfficeGoods = s.object({
  hidden: s.object({
    buyer: s.number(),
    document: s.number(),
    stars: s.number(),
    comment: s.string(),
    reason: s.string(),
    at: Moment,
    hiddenAt: Moment,
  }),
  /** A timed discount, which the documents already have. */
  discount: s.object({
    documents: s.array(s.number()),
    percent: s.number(),
    begunDaysAgo: s.number(),
    days: s.number(),
    /** The id of the administrator. */
    by: s.number(),
    reason: s.string(),
  }),
})
export type DemoGoods = s.Infer<typeof OfficeGoods>
