import * as office from '../../../contract/office-facts.ts'
import type { Facts } from '../../../contract/site.ts'
import { isColour } from '../../../rules/brand.ts'
import { readVatRate } from '../../../rules/invoices.ts'
import { inEachLanguage, LANGUAGES } from '../../../rules/languages.ts'
import { isBlank } from '../../../rules/pasted-text.ts'
import {
  ADDRESSES_MAX,
  emailProblem,
  type FactGroup,
  LINKS_MAX,
  lineProblem,
  linkProblem,
  nameProblem,
  PHONES_MAX,
  PLACE_MAX,
  phoneProblem,
  registerProblem,
  ribProblem,
  sloganProblem,
  stampDutyProblem,
  taxNumberProblem,
  vatRateProblem,
} from '../../../rules/site-facts.ts'
import { ask } from '../../kit/backend.ts'
import { createLoader } from '../../kit/loader.ts'

export type FactValues = Record<string, string>
type Mistake = string | null

const loader = createLoader<office.OfficeFacts>('facts')
export const $facts = loader.$state

export const readFacts = () => ask(office.getOfficeFacts, {})
export const loadFacts = () => loader.load(readFacts)

const numbered = (count: number) => Array.from({ length: count }, (_, at) => at)

export const FACT_FIELDS: Readonly<Record<FactGroup, readonly string[]>> = {
  brand: [
    ...LANGUAGES.map((each) => `name.${each}`),
    ...LANGUAGES.map((each) => `slogan.${each}`),
    'logo',
    'accent',
    'credit.name',
    'credit.url',
  ],
  contact: [
    ...numbered(PHONES_MAX).map((at) => `phones.${at}`),
    'email',
    ...LANGUAGES.map((each) => `school.${each}`),
    ...numbered(ADDRESSES_MAX).flatMap((at) => LANGUAGES.map((each) => `addresses.${at}.${each}`)),
    'place.latitude',
    'place.longitude',
  ],
  community: [
    'followers',
    ...numbered(LINKS_MAX).flatMap((at) => [`links.${at}.name`, `links.${at}.url`]),
  ],
  bank: [...LANGUAGES.map((each) => `name.${each}`), 'holder', 'rib'],
  d17: ['phone', 'holder'],
  legal: [
    'name',
    'taxNumber',
    'register',
    'vatRate',
    ...LANGUAGES.map((each) => `exemption.${each}`),
    'stamp',
  ],
}

/** Fields shown together. Each entry of a list is a row; empty entries are not saved. */
interface FactRow {
  name: string
  list: 'phones' | 'addresses' | 'links' | null
  fields: readonly string[]
}

const LISTS = ['phones', 'addresses', 'links'] as const

function rowsOf(group: FactGroup): FactRow[] {
  const rows = new Map<string, FactRow & { fields: string[] }>()
  for (const field of FACT_FIELDS[group]) {
    const [first = '', at] = field.split('.')
    const list = LISTS.find((each) => each === first) ?? null
    const name = list ? `${list}.${at}` : first
    const row = rows.get(name)
    if (row) row.fields.push(field)
    else rows.set(name, { name, list, fields: [field] })
  }
  return [...rows.values()]
}

/** The fields of each group as rows, in their order on the page. */
export const FACT_ROWS: Readonly<Record<FactGroup, readonly FactRow[]>> = {
  brand: rowsOf('brand'),
  contact: rowsOf('contact'),
  community: rowsOf('community'),
  bank: rowsOf('bank'),
  d17: rowsOf('d17'),
  legal: rowsOf('legal'),
}

export const isRowEmpty = (fields: readonly string[], values: FactValues): boolean =>
  fields.every((field) => isEmpty(values[field]))

export function valuesOf(group: FactGroup, facts: Facts): FactValues {
  return Object.fromEntries(FACT_FIELDS[group].map((field) => [field, textAt(facts[group], field)]))
}

function textAt(value: unknown, path: string): string {
  let at = value
  for (const key of path.split('.')) at = (at as Record<string, unknown> | undefined)?.[key]
  return at === undefined || at === null ? '' : String(at)
}

const textsIn = (values: FactValues, field: string) =>
  inEachLanguage((each) => (values[`${field}.${each}`] ?? '').trim())

const isEmpty = (text: string | undefined) => isBlank(text ?? '')

export async function saveFacts(
  group: FactGroup,
  revision: number,
  values: FactValues,
): Promise<office.OfficeFacts> {
  const saved = await saveGroup(group, revision, values)
  loader.show(saved)
  return saved
}

function saveGroup(group: FactGroup, revision: number, values: FactValues) {
  const text = (field: string) => (values[field] ?? '').trim()
  switch (group) {
    case 'brand': {
      const value = {
        name: textsIn(values, 'name'),
        slogan: textsIn(values, 'slogan'),
        logo: text('logo'),
        accent: text('accent'),
        credit: { name: text('credit.name'), url: text('credit.url') },
      }
      return ask(office.saveBrand, { body: { revision, value } })
    }
    case 'contact': {
      const phones = numbered(PHONES_MAX).flatMap((at) => text(`phones.${at}`) || [])
      const addresses = numbered(ADDRESSES_MAX)
        .map((at) => textsIn(values, `addresses.${at}`))
        .filter((address) => LANGUAGES.some((each) => address[each] !== ''))
      const hasPlace = text('place.latitude') !== '' || text('place.longitude') !== ''
      const place = hasPlace
        ? {
            latitude: Number(text('place.latitude')),
            longitude: Number(text('place.longitude')),
          }
        : null
      const value = {
        phones,
        email: text('email'),
        school: textsIn(values, 'school'),
        addresses,
        place,
      }
      return ask(office.saveContact, { body: { revision, value } })
    }
    case 'community': {
      const links = numbered(LINKS_MAX)
        .map((at) => ({ name: text(`links.${at}.name`), url: text(`links.${at}.url`) }))
        .filter(({ name, url }) => name !== '' || url !== '')
      const value = { followers: Number(text('followers')), links }
      return ask(office.saveCommunity, { body: { revision, value } })
    }
    case 'bank': {
      const value = { name: textsIn(values, 'name'), holder: text('holder'), rib: text('rib') }
      return ask(office.saveBank, { body: { revision, value } })
    }
    case 'd17': {
      const value = { phone: text('phone'), holder: text('holder') }
      return ask(office.saveD17, { body: { revision, value } })
    }
    case 'legal': {
      const value = {
        name: text('name'),
        taxNumber: text('taxNumber'),
        register: text('register'),
        vatRate: text('vatRate'),
        exemption: textsIn(values, 'exemption'),
        stamp: text('stamp'),
      }
      return ask(office.saveLegal, { body: { revision, value } })
    }
  }
}

export async function uploadLogo(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  const { logo } = await ask(office.uploadLogo, { body: { content: btoa(text) } })
  return logo
}

export function factMistakes(group: FactGroup, values: FactValues): Record<string, string> {
  // An account is whole, or not there at all.
  const isAccount = group === 'bank' || group === 'd17'
  if (isAccount && isRowEmpty(FACT_FIELDS[group], values)) return {}
  const found = FACT_FIELDS[group].map((field) => [field, mistakeIn(group, field, values)] as const)
  return Object.fromEntries(
    found.flatMap(([field, mistake]) => (mistake ? [[field, mistake]] : [])),
  )
}

const LEGAL = {
  name: lineProblem,
  taxNumber: taxNumberProblem,
  register: registerProblem,
  vatRate: vatRateProblem,
  exemption: lineProblem,
  stamp: stampDutyProblem,
}

function mistakeIn(group: FactGroup, field: string, values: FactValues): Mistake {
  const value = values[field] ?? ''
  const [name, at, part] = field.split('.')
  if (group === 'brand') {
    if (name === 'name') return nameProblem(value)
    if (name === 'slogan') return sloganProblem(value)
    if (isEmpty(value) || name === 'logo') return null
    if (name === 'accent') return isColour(value.trim().toLowerCase()) ? null : 'pattern'
    return at === 'url' ? linkProblem(value) : lineProblem(value)
  }
  if (group === 'legal') {
    // A shop that charges no VAT says why.
    if (name === 'exemption' && readVatRate(values.vatRate ?? '') === '0') return lineProblem(value)
    return isEmpty(value) ? null : LEGAL[name as keyof typeof LEGAL](value)
  }
  if (field.endsWith('phone') || name === 'phones') {
    return name === 'phones' && isEmpty(value) ? null : phoneProblem(value)
  }
  if (name === 'email') return isEmpty(value) ? null : emailProblem(value)
  if (name === 'rib') return ribProblem(value)
  if (name === 'followers') return /^\d{1,9}$/.test(value.trim()) ? null : 'invalid'
  if (name === 'place') {
    const most = PLACE_MAX[at === 'latitude' ? 'latitude' : 'longitude']
    if (isRowEmpty(['place.latitude', 'place.longitude'], values)) return null
    return !isEmpty(value) && Math.abs(Number(value)) <= most ? null : 'invalid'
  }
  if (name === 'school') return isEmpty(value) ? null : lineProblem(value)
  const isOptional = name === 'addresses' || name === 'links'
  const row = Object.keys(values).filter((each) => each.startsWith(`${name}.${at}.`))
  if (isOptional && isRowEmpty(row, values)) return null
  return part === 'url' ? linkProblem(value) : lineProblem(value)
}
