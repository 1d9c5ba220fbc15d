import * as s from 'superstruct'
import { inEachLanguage, LANGUAGES } from '../rules/languages.ts'
import { SITE_PAGES } from '../rules/site-pages.ts'
import { defineCall } from './call.ts'
import { InEachLanguage } from './references.ts'
import { id, moment } from './values.ts'

/** The shop's own facts, as pages and mails show them; what is empty is not shown. */
export const Facts = s.type({
  brand: s.type({
    name: InEachLanguage,
    slogan: InEachLanguage,
    logo: s.string(),
    accent: s.string(),
    credit: s.type({ name: s.string(), url: s.string() }),
  }),
  contact: s.type({
    phones: s.array(s.string()),
    email: s.string(),
    school: InEachLanguage,
    addresses: s.array(InEachLanguage),
    /** The coordinates of the first address, in degrees. */
    place: s.nullable(s.type({ latitude: s.number(), longitude: s.number() })),
  }),
  community: s.type({
    followers: s.number(),
    links: s.array(s.type({ name: s.string(), url: s.string() })),
  }),
  /** The account for bank transfers. */
  bank: s.type({ name: InEachLanguage, holder: s.string(), rib: s.string() }),
  /** The number for D17 payments. */
  d17: s.type({ phone: s.string(), holder: s.string() }),
  /** What invoices state. */
  legal: s.type({
    name: s.string(),
    /** `1282182W/A/M/000` */
    taxNumber: s.string(),
    /** The identifier in the national register of companies. */
    register: s.string(),
    /** The VAT in all prices, in percent; `0` with the reason in `exemption`. */
    vatRate: s.string(),
    exemption: InEachLanguage,
    /** The stamp duty of an invoice, in dinars. */
    stamp: s.string(),
  }),
  /** The pages that say nothing yet, to which no menu leads. */
  emptyPages: s.optional(s.array(s.enums(SITE_PAGES))),
})
export type Facts = s.Infer<typeof Facts>

/** A piece of a line. Text is plain: nothing in it is ever interpreted as HTML. */
export type Inline =
  | { kind: 'text' | 'code'; text: string }
  | { kind: 'break' }
  | { kind: 'strong' | 'em'; children: Inline[] }
  | { kind: 'link'; href: string; children: Inline[] }

/** A block of a written text, parsed from Markdown. */
export type Block =
  | { kind: 'heading'; level: number; id: string; children: Inline[] }
  | { kind: 'paragraph'; children: Inline[] }
  | { kind: 'list'; isOrdered: boolean; start: number; isTight: boolean; items: Block[][] }
  | { kind: 'quote'; blocks: Block[] }
  | { kind: 'code'; text: string }
  | { kind: 'rule' }

const Inline: s.Struct<Inline, null> = s.lazy(() =>
  s.union([
    s.type({ kind: s.enums(['text', 'code']), text: s.string() }),
    s.type({ kind: s.literal('break') }),
    s.type({ kind: s.enums(['strong', 'em']), children: s.array(Inline) }),
    s.type({ kind: s.literal('link'), href: s.string(), children: s.array(Inline) }),
  ]),
) as unknown as s.Struct<Inline, null>

export const Block: s.Struct<Block, null> = s.lazy(() =>
  s.union([
    s.type({
      kind: s.literal('heading'),
      level: s.number(),
      id: s.string(),
      children: s.array(Inline),
    }),
    s.type({ kind: s.literal('paragraph'), children: s.array(Inline) }),
    s.type({
      kind: s.literal('list'),
      isOrdered: s.boolean(),
      start: s.number(),
      isTight: s.boolean(),
      items: s.array(s.array(Block)),
    }),
    s.type({ kind: s.literal('quote'), blocks: s.array(Block) }),
    s.type({ kind: s.literal('code'), text: s.string() }),
    s.type({ kind: s.literal('rule') }),
  ]),
) as unknown as s.Struct<Block, null>

/** A page as readers of one language see it; `locale` is Arabic if that language has no text. */
export const SitePage = s.type({
  locale: s.enums(LANGUAGES),
  title: s.string(),
  description: s.string(),
  lead: s.string(),
  blocks: s.array(Block),
  items: s.array(
    s.type({
      locale: s.enums(LANGUAGES),
      title: s.string(),
      /** A person's role. */
      note: s.string(),
      blocks: s.array(Block),
    }),
  ),
})
export type SitePage = s.Infer<typeof SitePage>

/** The facts that every page of the shop shows. */
export const getFacts = defineCall('GET /site/facts', 'anyone', { feature: 'site', result: Facts })

const byKey = s.record(s.string(), s.string())

/**
 * The texts that replace shipped ones in the interface, by key; `id` identifies this set of texts.
 */
export const InterfaceTexts = s.type({
  id: s.string(),
  texts: s.type(inEachLanguage(() => byKey)),
})
export type InterfaceTexts = s.Infer<typeof InterfaceTexts>

/** The texts of the interface that administrators have replaced. */
export const getInterfaceTexts = defineCall('GET /site/texts', 'anyone', {
  feature: 'site',
  result: InterfaceTexts,
})

/** A page that administrators write. */
export const getSitePage = defineCall('GET /site/pages/:name', 'anyone', {
  feature: 'site',
  params: s.object({ name: s.enums(SITE_PAGES) }),
  query: s.object({ locale: s.enums(LANGUAGES) }),
  result: SitePage,
})

/** The terms that are binding, by their number, and since when; null: none are. */
export const Terms = s.nullable(s.type({ number: id(), publishedAt: moment() }))
export type Terms = s.Infer<typeof Terms>

export const getTerms = defineCall('GET /site/terms', 'anyone', {
  feature: 'site',
  result: s.type({ current: Terms }),
})

/** The features of `rules/features.ts` that this backend has; one without the call has none. */
export const getFeatures = defineCall('GET /features', 'anyone', {
  result: s.type({ features: s.array(s.string()) }),
})
