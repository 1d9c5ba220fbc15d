import type { DocumentPage } from '../../contract/catalogue.ts'
import type { Dates, Paper } from '../../contract/programme.ts'
import type { Listed, ListedClass, Named } from '../../contract/references.ts'
import type { Removable, ShopFilters } from '../../contract/shop-filters.ts'
import { catalogueNames } from '../../i18n/catalogue-names.ts'
import { isolate, limitText, priceParts } from '../../i18n/format.ts'
import { textsIn } from '../../i18n/texts.ts'
import type { Localized } from '../../i18n/translate.ts'
import { nameIn } from '../../rules/catalogue-names.ts'
import { chapterAddress } from '../../rules/chapters.ts'
import { inEachLanguage } from '../../rules/languages.ts'
import type { Millimes } from '../../rules/money.ts'
import {
  filedAs,
  PAPER_FACETS,
  PAPER_KINDS,
  type PaperFacet,
  TRIMESTERS,
  yearText,
} from '../../rules/papers.ts'
import type { ProgrammePaper } from '../../rules/programme.ts'

export interface Choices {
  categories: readonly Listed[]
  matieres: readonly Listed[]
  classes: readonly ListedClass[]
  /** Those of the chosen class and subject. */
  chapters: readonly Named[]
  /** The kinds of papers that administrators have added. */
  kinds: readonly Listed[]
}

/**
 * The entries of a list that a filter offers: those for new documents, those that some documents
 * have, and the chosen one.
 */
export function offered<Entry extends Listed>(
  list: readonly Entry[],
  chosen: number | undefined,
): readonly Entry[] {
  return list.filter(({ id, retired }) => retired !== 'unused' || id === chosen)
}

type Language = Pick<Localized, 'locale' | 't'>

/** A price range in words: `10 – 25 DT`, or with one end open. */
export function priceRange(
  { locale, t }: Language,
  min: Millimes | null,
  max: Millimes | null,
): string {
  if (max === null) return t('shop:filters.from', { amount: limitText(locale, min ?? 0) })
  if (!min) return t('shop:filters.below', { amount: limitText(locale, max) })
  const from = limitText(locale, min).replace(`\u00a0${priceParts(locale, min).currency}`, '')
  return `${from} – ${limitText(locale, max)}`
}

/** The value of a paper's fact in words. */
function paperText(
  { locale, t }: Language,
  name: PaperFacet,
  value: string | number,
  { kind, kinds = [] }: { kind?: string | undefined; kinds?: readonly Named[] },
): string {
  if (name === 'withCorrection') return t('shop:filters.correction')
  if (name === 'schoolYear') return yearText(Number(value), kind)
  const texts: Readonly<Record<string, string>> = textsIn(locale, 'office-documents:details')
  const own = name === 'paperKind' && kinds.find(({ code }) => code === value)
  return own ? nameIn(locale, own, {}) : (texts[`${name}_${value}`] ?? String(value))
}

/** The name of a paper of the programme, such as *Devoir de contrôle n° 1*. */
export function paperName(
  language: Language,
  { paperKind, paperNumber, kindNames }: Pick<Paper, 'paperKind' | 'paperNumber' | 'kindNames'>,
): string {
  const kind = kindNames?.[language.locale] ?? paperText(language, 'paperKind', paperKind, {})
  if (paperNumber === null) return kind
  return language.t('programme:test', { kind, number: paperNumber })
}

/** What dates of the calendar test, such as *Devoir de synthèse · 1er trimestre*. */
export function testName(language: Language, { kind, kindNames, trimester }: Dates): string {
  const name = paperName(language, { paperKind: kind, paperNumber: null, kindNames })
  return trimester ? `${name} · ${paperText(language, 'trimester', trimester, {})}` : name
}

/** The page of a chapter; only classes and subjects with a code have pages. */
export const chapterPath = (
  classe: Pick<Named, 'code'>,
  matiere: Pick<Named, 'code'>,
  { id, name, names }: Named,
) =>
  `/programme/${classe.code}/${matiere.code}/c/${chapterAddress({ id, names: names ?? inEachLanguage(() => name) })}` as const

/** The filters that find a paper of the programme, within its class and subject. */
export function filtersOfPaper(paper: ProgrammePaper): ShopFilters {
  const { paperKind, categoryId, paperNumber, trimester, isOfTrimester } = paper
  return {
    paperKind,
    ...(categoryId !== null && { categoryId }),
    ...(paperNumber !== null && { paperNumber }),
    ...(isOfTrimester && trimester && { trimester }),
  }
}

/**
 * The filters by the facts of papers, each if some document has it, where half of what was found is
 * papers or one of these filters is chosen.
 */
export function paperGroups(
  language: Language,
  filters: ShopFilters,
  facets: DocumentPage['facets'],
  { total, kinds }: { total: number; kinds: readonly Listed[] },
): FilterGroup[] {
  const papers = Object.values(facets?.paperKind ?? {}).reduce((sum, count) => sum + count, 0)
  const isChosen = PAPER_FACETS.some((name) => filters[name] !== undefined)
  if (!isChosen && (papers === 0 || 2 * papers < total)) return []
  const listed = (name: PaperFacet): readonly (string | number)[] => {
    if (name === 'paperKind') {
      const own = kinds.filter(
        ({ code, retired }) => retired !== 'unused' || code === filters[name],
      )
      // A visitor who chose an ordinary test sees so, though it is filed as a control test.
      const shipped = PAPER_KINDS.filter((kind) => kind !== 'ordinary' || kind === filters[name])
      return [...shipped, ...own.flatMap(({ code }) => code ?? [])]
    }
    if (name === 'trimester') return TRIMESTERS
    if (name === 'withCorrection') return ['true']
    const known = new Set(
      [filters[name] ?? [], Object.keys(facets?.[name] ?? {}).map(Number)].flat(),
    )
    const sign = name === 'schoolYear' ? -1 : 1
    return [...known].sort((one, other) => sign * (one - other))
  }
  return PAPER_FACETS.filter(
    (name) => filters[name] !== undefined || Object.keys(facets?.[name] ?? {}).length > 0,
  ).map((name) => ({
    name,
    label: language.t(
      name === 'withCorrection' ? 'shop:filters.corrections' : `office-documents:fields.${name}`,
    ),
    value: filters[name],
    options: listed(name).map((value) => ({
      value,
      text: paperText(language, name, value, { kind: filters.paperKind, kinds }),
    })),
  }))
}

export function filterLabel(
  language: Language,
  name: Removable,
  filters: ShopFilters,
  choices: Choices,
): string {
  const { locale, t } = language
  const names = catalogueNames(locale)
  const named = <T extends Named>(
    list: readonly T[],
    id: number | undefined,
    say: (one: T) => string,
  ) => {
    const one = list.find((each) => each.id === id)
    return one ? say(one) : String(id)
  }
  switch (name) {
    case 'search':
      return isolate(filters.title ?? '')
    case 'level':
      return filters.level ? names.level(filters.level).name : ''
    case 'matiereId':
      return named(choices.matieres, filters.matiereId, names.matiere)
    case 'niveauId':
      return named(choices.classes, filters.niveauId, names.schoolClass)
    case 'chapterId':
      return named(choices.chapters, filters.chapterId, names.chapter)
    case 'categoryId':
      return named(choices.categories, filters.categoryId, names.category)
    case 'type':
      return names.audience(filters.type ?? '')
    case 'paperKind':
    case 'trimester':
    case 'schoolYear':
    case 'withCorrection':
      return paperText(language, name, filters[name] ?? '', {
        kind: filters.paperKind,
        kinds: choices.kinds,
      })
    case 'paperNumber':
      return t('shop:filters.number', { number: filters.paperNumber ?? '' })
    case 'price': {
      const { minPrice = null, maxPrice = null } = filters
      return priceRange(language, minPrice, maxPrice)
    }
    case 'rating':
      return t('shop:filters.stars', { count: filters.rating ?? 0 })
    case 'teacherId':
      return t('shop:filters.teacher')
  }
}

/** An option of a filter, with the number of documents that it would find, if known. */
export interface Option {
  readonly value: string | number
  readonly text: string
  /** The whole sentence for screen readers, if the text is only a number of stars. */
  readonly spoken?: string
  readonly count?: number | undefined
  /** Whether it would find nothing, so that it cannot be chosen. */
  readonly isEmpty?: boolean
}

export interface FilterGroup {
  readonly name: string
  readonly label: string
  readonly value: string | number | undefined
  readonly options: readonly Option[]
}

/** The filter with the counts of its options; unchanged if the backend does not count. */
export function counted(group: FilterGroup, facets: DocumentPage['facets']): FilterGroup {
  const counts: Record<string, number> | undefined = facets?.[group.name as keyof typeof facets]
  // If nothing is found at all, no other value would help.
  if (!counts || Object.keys(counts).length === 0) return group
  const options = group.options.map((option) => {
    const filed = group.name === 'paperKind' ? filedAs(group.name, option.value) : option.value
    const count = counts[filed] ?? 0
    return { ...option, count, isEmpty: count === 0 && option.value !== group.value }
  })
  return { ...group, options }
}
