import * as s from 'superstruct'
import {
  type FactKind,
  type FactRule,
  factKind,
  factRules,
  mapValues,
  type ShopFacts,
} from '../rules/fact-fields.ts'
import { inEachLanguage, LANGUAGES } from '../rules/languages.ts'
import { FACT_GROUPS, type FactGroup } from '../rules/site-facts.ts'
import { SITE_PAGES, type SitePageName } from '../rules/site-pages.ts'
import { defineCall } from './call.ts'
import { id, moment } from './values.ts'

// biome-ignore-start lint/suspicious/noExplicitAny: the table of facts says what each one is
interface FactShapes {
  object: (schema: Record<string, s.Struct<any, any>>) => s.Struct<any, any>
  value: (kind: FactKind, rule: FactRule) => s.Struct<any, any>
  list: (entry: s.Struct<any, any>, most: number) => s.Struct<any, any>
}

/** The facts of a group, each in the shape that its row of the table has. */
export function factsIn<Group extends FactGroup>(
  group: Group,
  { object, value, list }: FactShapes,
): s.Struct<ShopFacts[Group], any> {
  const shapeOf = (rule: FactRule) => {
    if ('parts' in rule) return object(mapValues(rule.parts, (kind) => value(kind, rule)))
    const { kind, inLanguages } = rule
    return inLanguages ? object(inEachLanguage(() => value(kind, rule))) : value(kind, rule)
  }
  return object(
    mapValues(factRules(group), (rule) => {
      const shape = shapeOf(rule)
      if (rule.list) return list(shape, rule.list)
      return rule.mayLack ? s.nullable(shape) : shape
    }),
  )
}

const answered = (group: FactGroup) =>
  factsIn(group, {
    object: s.type,
    value: (kind) => ('problem' in factKind(kind) ? s.string() : s.number()),
    list: s.array,
  })

/** The shop's own facts, as pages and mails show them; what is empty is not shown. */
export const Facts = s.type({
  ...Object.fromEntries(FACT_GROUPS.map((group) => [group, answered(group)])),
  emptyPages: s.optional(s.array(s.enums(SITE_PAGES))),
}) as unknown as s.Struct<Facts, any>
// biome-ignore-end lint/suspicious/noExplicitAny: see above
export type Facts = ShopFacts & {
  /** The pages that say nothing yet, to which no menu leads. */
  emptyPages?: SitePageName[]
}

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
