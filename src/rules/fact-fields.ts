import { isColour, readLogoName } from './brand.ts'
import { readVatRate } from './invoices.ts'
import { type InEachLanguage, LANGUAGES, type Language } from './languages.ts'
import { isBlank, plainEmail, plainLink } from './pasted-text.ts'
import {
  ADDRESSES_MAX,
  emailProblem,
  FACT_GROUPS,
  type FactGroup,
  FOLLOWERS_MAX,
  LINK_MAX_LENGTH,
  LINKS_MAX,
  lineProblem,
  linkProblem,
  nameProblem,
  PHONES_MAX,
  PLACE_MAX,
  phoneProblem,
  registerProblem,
  ribProblem,
  shownPhone,
  shownRegister,
  shownRib,
  shownStampDuty,
  sloganProblem,
  stampDutyProblem,
  taxNumberProblem,
  vatRateProblem,
} from './site-facts.ts'
import { readTaxNumber } from './tax-number.ts'

type Problem = 'required' | 'maxLength' | 'pattern' | 'phone' | 'email' | 'max' | 'invalid'

/** What a text must be, and how it is stored. */
export interface TextKind {
  /** The rule that a text breaks. One that is not needed may also be empty. */
  readonly problem: (text: string) => Problem | null
  /** Drops what was pasted along with the text. */
  readonly clean?: (typed: string) => string
  /** A typed text in the notation of pages; what is not understood stays as it is. */
  readonly shown?: (typed: string) => string
  readonly most?: number
  /** Whether it is a line of words, not a number or an address. */
  readonly isWords?: true
  /** Whether it is typed on a keyboard of digits. */
  readonly isDigits?: true
}
interface NumberKind {
  readonly least: number
  readonly most: number
  readonly isWhole?: true
  readonly isDigits?: true
}

export const FACT_KINDS = {
  line: { problem: lineProblem, isWords: true },
  name: { problem: nameProblem, isWords: true },
  slogan: { problem: sloganProblem, isWords: true },
  logo: { problem: (name) => (readLogoName(name) ? null : 'invalid') },
  colour: { problem: (text) => (isColour(lowerCase(text)) ? null : 'pattern'), shown: lowerCase },
  url: { problem: linkProblem, clean: plainLink, most: LINK_MAX_LENGTH },
  email: { problem: emailProblem, clean: plainEmail },
  phone: { problem: phoneProblem, shown: shownPhone, isDigits: true },
  rib: { problem: ribProblem, shown: shownRib, isDigits: true },
  taxNumber: { problem: taxNumberProblem, shown: (typed) => readTaxNumber(typed) ?? typed },
  register: { problem: registerProblem, shown: shownRegister },
  vatRate: { problem: vatRateProblem, shown: (typed) => readVatRate(typed) ?? typed },
  stampDuty: { problem: stampDutyProblem, shown: shownStampDuty },
  count: { least: 0, most: FOLLOWERS_MAX, isWhole: true, isDigits: true },
  latitude: { least: -PLACE_MAX.latitude, most: PLACE_MAX.latitude },
  longitude: { least: -PLACE_MAX.longitude, most: PLACE_MAX.longitude },
} as const satisfies Readonly<Record<string, TextKind | NumberKind>>
export type FactKind = keyof typeof FACT_KINDS

function lowerCase(typed: string): string {
  return typed.trim().toLowerCase()
}

export const factKind = (kind: FactKind): TextKind | NumberKind => FACT_KINDS[kind]

/** One value, or several with names. */
export type FactRule = (
  | { readonly kind: FactKind; readonly inLanguages?: true }
  | { readonly parts: Readonly<Record<string, FactKind>> }
) & {
  /** A list of at most so many; empty entries are not saved, others are whole. */
  readonly list?: number
  /** Whether the shop has to have it. */
  readonly isNeeded?: true
  /** Whether it is null as long as nothing of it is given. */
  readonly mayLack?: true
}

/**
 * The facts that administrators write about the shop, in the order of the form. Contract, form,
 * checks and what is stored follow from this table; the label of each is a text of the office.
 */
export const FACTS = {
  brand: {
    name: { kind: 'name', inLanguages: true, isNeeded: true },
    slogan: { kind: 'slogan', inLanguages: true, isNeeded: true },
    /** The file name of an uploaded logo; '' for the word mark. */
    logo: { kind: 'logo' },
    /** A colour such as `#2440a8`; '' for the ink of the style sheets. */
    accent: { kind: 'colour' },
    /** The company credited in the footer. */
    credit: { parts: { name: 'line', url: 'url' } },
  },
  contact: {
    phones: { kind: 'phone', list: PHONES_MAX },
    email: { kind: 'email' },
    school: { kind: 'line', inLanguages: true },
    addresses: { kind: 'line', inLanguages: true, list: ADDRESSES_MAX },
    /** The coordinates of the first address, in degrees. */
    place: { parts: { latitude: 'latitude', longitude: 'longitude' }, mayLack: true },
  },
  community: {
    followers: { kind: 'count' },
    links: { parts: { name: 'line', url: 'url' }, list: LINKS_MAX },
  },
  /** The account for bank transfers. */
  bank: {
    name: { kind: 'line', inLanguages: true },
    holder: { kind: 'line' },
    rib: { kind: 'rib' },
  },
  /** The number for D17 payments. */
  d17: { phone: { kind: 'phone' }, holder: { kind: 'line' } },
  /** What invoices state: the seller, and the taxes in the prices. */
  legal: {
    name: { kind: 'line' },
    /** `1282182W/A/M/000` */
    taxNumber: { kind: 'taxNumber' },
    /** The identifier in the national register of companies. */
    register: { kind: 'register' },
    /** The VAT in all prices, in percent; `0` with the reason in `exemption`. */
    vatRate: { kind: 'vatRate' },
    exemption: { kind: 'line', inLanguages: true },
    /** The stamp duty of an invoice, in dinars. */
    stamp: { kind: 'stampDuty' },
  },
} as const satisfies Readonly<Record<FactGroup, Readonly<Record<string, FactRule>>>>

type Rules = typeof FACTS
type Value<Kind extends FactKind> = (typeof FACT_KINDS)[Kind] extends NumberKind ? number : string
type OneOf<Rule> = Rule extends { parts: infer Parts extends Readonly<Record<string, FactKind>> }
  ? { -readonly [Part in keyof Parts]: Value<Parts[Part]> }
  : Rule extends { inLanguages: true }
    ? InEachLanguage
    : Rule extends { kind: infer Kind extends FactKind }
      ? Value<Kind>
      : never
type FactOf<Rule> = Rule extends { list: number }
  ? OneOf<Rule>[]
  : Rule extends { mayLack: true }
    ? OneOf<Rule> | null
    : OneOf<Rule>

/** The shop's facts as they are stored; what is empty is not shown. */
export type ShopFacts = {
  -readonly [Group in FactGroup]: {
    -readonly [Fact in keyof Rules[Group]]: FactOf<Rules[Group][Fact]>
  }
}

/** A value for each fact, or each of its parts; one that is missing does not compile. */
export type ForEachFact<T> = {
  readonly [Group in FactGroup]: {
    readonly [Fact in keyof Rules[Group]]: Rules[Group][Fact] extends { parts: infer Parts }
      ? { readonly [Part in keyof Parts]: T }
      : T
  }
}
/** The names of all facts, of whichever group. */
export type FactName = { [Group in FactGroup]: keyof Rules[Group] }[FactGroup]
type ListsIn<Group> = {
  [Fact in keyof Group]: Group[Fact] extends { list: number } ? Fact : never
}[keyof Group]
/** The facts that are lists. */
export type FactList = { [Group in FactGroup]: ListsIn<Rules[Group]> }[FactGroup]

export const factRules = (group: FactGroup): Readonly<Record<string, FactRule>> => FACTS[group]

export function mapValues<T, U>(
  values: Readonly<Record<string, T>>,
  of: (value: T, name: string) => U,
): Record<string, U> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, of(value, name)]))
}

/** A field of the form: `addresses.0.fr` is an entry's text in a language. */
export interface FactField {
  readonly path: string
  readonly fact: string
  readonly rule: FactRule
  readonly kind: FactKind
  /** The place of its entry in a list, from 0. */
  readonly entry: number | null
  readonly part: string | null
  readonly language: Language | null
}

/** Fields shown together: a fact, or an entry of a list. */
interface FactRow {
  readonly path: string
  readonly fact: string
  readonly isInList: boolean
  readonly fields: readonly FactField[]
}

/** The rows of a group's form. */
export function factRows(group: FactGroup): FactRow[] {
  return Object.entries(factRules(group)).flatMap(([fact, rule]) => {
    const entries = rule.list ? Array.from({ length: rule.list }, (_, at) => at) : [null]
    return entries.map((entry) => {
      const path = entry === null ? fact : `${fact}.${entry}`
      const field = (kind: FactKind, part: string | null, language: Language | null) => {
        const ending = part ?? language
        const whole = ending === null ? path : `${path}.${ending}`
        return { path: whole, fact, rule, kind, entry, part, language }
      }
      const fieldsOf = () => {
        if ('parts' in rule) {
          return Object.entries(rule.parts).map(([part, kind]) => field(kind, part, null))
        }
        const { kind, inLanguages } = rule
        return inLanguages ? LANGUAGES.map((l) => field(kind, null, l)) : [field(kind, null, null)]
      }
      return { path, fact, isInList: entry !== null, fields: fieldsOf() }
    })
  })
}

export const factFields = (group: FactGroup): FactField[] =>
  factRows(group).flatMap(({ fields }) => fields)

/** The texts of a group's form, by the paths of its fields. */
export type FactValues = Readonly<Record<string, string>>

export const isRowEmpty = ({ fields }: Pick<FactRow, 'fields'>, values: FactValues): boolean =>
  fields.every(({ path }) => isBlank(values[path] ?? ''))

/** The facts of a group as texts. */
export function factValues(group: FactGroup, facts: ShopFacts): Record<string, string> {
  return Object.fromEntries(
    factFields(group).map(({ path }) => [path, textAt(facts[group], path.split('.'))]),
  )
}

function textAt(value: unknown, [key, ...path]: readonly string[]): string {
  if (key === undefined) return String(value ?? '')
  return textAt((value as Record<string, unknown> | null | undefined)?.[key], path)
}

/** The facts of a group that its form says, ready to be sent. */
export function readFacts<Group extends FactGroup>(
  group: Group,
  values: FactValues,
): ShopFacts[Group] {
  const rows = factRows(group)
  return mapValues(factRules(group), ({ list, mayLack }, fact) => {
    const own = rows.filter((row) => row.fact === fact)
    const given = own.filter((row) => !isRowEmpty(row, values))
    if (list) return given.map((row) => readRow(row, values))
    const [row] = mayLack ? given : own
    return row ? readRow(row, values) : null
  }) as ShopFacts[Group]
}

function readRow({ fields }: FactRow, values: FactValues): unknown {
  const read = ({ path, kind }: FactField) => {
    const text = (values[path] ?? '').trim()
    return 'problem' in factKind(kind) ? text : Number(text)
  }
  const [first] = fields
  if (first && first.part === null && first.language === null) return read(first)
  return Object.fromEntries(fields.map((field) => [field.part ?? field.language, read(field)]))
}

/** Facts of which none is given. */
export const NO_FACTS = Object.fromEntries(
  FACT_GROUPS.map((group) => [group, readFacts(group, {})]),
) as ShopFacts

/** Stored facts, which may be older than a fact or a language of the shop. */
export function completedFacts<Group extends FactGroup>(
  group: Group,
  stored: Partial<ShopFacts[Group]>,
  inDefault: (text: InEachLanguage) => InEachLanguage,
): ShopFacts[Group] {
  const all: Record<string, unknown> = { ...NO_FACTS[group], ...stored }
  return mapValues(factRules(group), (rule, fact) => {
    const value = all[fact]
    if ('parts' in rule || !rule.inLanguages) return value
    return Array.isArray(value) ? value.map(inDefault) : inDefault(value as InEachLanguage)
  }) as ShopFacts[Group]
}

/** The accounts to which customers send money: whole, or not there at all. */
export const isAccount = (group: FactGroup): group is 'bank' | 'd17' =>
  group === 'bank' || group === 'd17'

/** What is wrong with a group's form, by field. */
export function factMistakes(group: FactGroup, values: FactValues): Record<string, string> {
  const rows = factRows(group)
  const isGiven = rows.some((row) => !isRowEmpty(row, values))
  const isExempt = group === 'legal' && readVatRate(values.vatRate ?? '') === '0'
  const isWhole = (row: FactRow) => {
    if (isAccount(group)) return isGiven
    if (row.isInList || row.fields[0]?.rule.mayLack) return !isRowEmpty(row, values)
    // A shop that adds no VAT says why.
    return row.fields[0]?.rule.isNeeded || (isExempt && row.fact === 'exemption')
  }
  return Object.fromEntries(
    rows.flatMap((row) =>
      row.fields.flatMap(({ path, kind }) => {
        const mistake = mistakeIn(kind, values[path] ?? '', Boolean(isWhole(row)))
        return mistake ? [[path, mistake]] : []
      }),
    ),
  )
}

function mistakeIn(kind: FactKind, text: string, isNeeded: boolean): Problem | null {
  const rule = factKind(kind)
  if ('problem' in rule) return isNeeded || !isBlank(text) ? rule.problem(text) : null
  if (rule.isWhole) return /^\d{1,9}$/.test(text.trim()) ? null : 'invalid'
  if (isBlank(text)) return isNeeded ? 'invalid' : null
  return rule.least <= Number(text) && Number(text) <= rule.most ? null : 'invalid'
}
