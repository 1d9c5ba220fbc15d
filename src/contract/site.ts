import {
  array,
  boolean,
  enums,
  type Infer,
  lazy,
  literal,
  nullable,
  number,
  object,
  record,
  type Struct,
  string,
  type,
  union,
} from 'superstruct'
import { inEachLanguage, LANGUAGES } from '../rules/languages.ts'
import { SITE_PAGES } from '../rules/site-pages.ts'
import { defineCall } from './call.ts'
import { InEachLanguage } from './references.ts'

/** The shop's own facts, as pages and mails show them; what is empty is not shown. */
export const Facts = type({
  brand: type({
    name: InEachLanguage,
    slogan: InEachLanguage,
    logo: string(),
    accent: string(),
    credit: type({ name: string(), url: string() }),
  }),
  contact: type({
    phones: array(string()),
    email: string(),
    school: InEachLanguage,
    addresses: array(InEachLanguage),
    /** The coordinates of the first address, in degrees. */
    place: nullable(type({ latitude: number(), longitude: number() })),
  }),
  community: type({
    followers: number(),
    links: array(type({ name: string(), url: string() })),
  }),
  /** The account for bank transfers. */
  bank: type({ name: InEachLanguage, holder: string(), rib: string() }),
  /** The number for D17 payments. */
  d17: type({ phone: string(), holder: string() }),
})
export type Facts = Infer<typeof Facts>

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

const Inline: Struct<Inline, null> = lazy(() =>
  union([
    type({ kind: enums(['text', 'code']), text: string() }),
    type({ kind: literal('break') }),
    type({ kind: enums(['strong', 'em']), children: array(Inline) }),
    type({ kind: literal('link'), href: string(), children: array(Inline) }),
  ]),
) as unknown as Struct<Inline, null>

export const Block: Struct<Block, null> = lazy(() =>
  union([
    type({ kind: literal('heading'), level: number(), id: string(), children: array(Inline) }),
    type({ kind: literal('paragraph'), children: array(Inline) }),
    type({
      kind: literal('list'),
      isOrdered: boolean(),
      start: number(),
      isTight: boolean(),
      items: array(array(Block)),
    }),
    type({ kind: literal('quote'), blocks: array(Block) }),
    type({ kind: literal('code'), text: string() }),
    type({ kind: literal('rule') }),
  ]),
) as unknown as Struct<Block, null>

/** A page as readers of one language see it; `locale` is Arabic if that language has no text. */
export const SitePage = type({
  locale: enums(LANGUAGES),
  title: string(),
  description: string(),
  lead: string(),
  blocks: array(Block),
  items: array(
    type({
      locale: enums(LANGUAGES),
      title: string(),
      /** A person's role. */
      note: string(),
      blocks: array(Block),
    }),
  ),
})
export type SitePage = Infer<typeof SitePage>

/** The facts that every page of the shop shows. */
export const getFacts = defineCall('GET /site/facts', 'anyone', { result: Facts })

const byKey = record(string(), string())

/**
 * The texts that replace shipped ones in the interface, by key; `id` identifies this set of texts.
 */
export const InterfaceTexts = type({
  id: string(),
  texts: type(inEachLanguage(() => byKey)),
})
export type InterfaceTexts = Infer<typeof InterfaceTexts>

/** The texts of the interface that administrators have replaced. */
export const getInterfaceTexts = defineCall('GET /site/texts', 'anyone', { result: InterfaceTexts })

/** A page that administrators write. */
export const getSitePage = defineCall('GET /site/pages/:name', 'anyone', {
  params: object({ name: enums(SITE_PAGES) }),
  query: object({ locale: enums(LANGUAGES) }),
  result: SitePage,
})
