import { readFile } from 'node:fs/promises'
import { type Struct, StructError, validate } from 'superstruct'
import { FACTS } from '../../contract/office-facts.ts'
import { PageTexts } from '../../contract/office-site-pages.ts'
import { NAMED_SUBJECTS, type SiteSubject } from '../../contract/office-site-versions.ts'
import type { Facts } from '../../contract/site.ts'

import { LOCALES } from '../../i18n/locales.ts'

import { ENTRY_KINDS } from '../../rules/catalogue-lists.ts'

import { FACT_GROUPS, type FactGroup } from '../../rules/site-facts.ts'
import { missingIn, SITE_PAGES, type SitePageName } from '../../rules/site-pages.ts'
import { fileFault } from '../database/start-error.ts'
import type { Deps } from '../deps.ts'
import { ApiFault } from '../http/errors.ts'
import {
  pageOf,
  readFacts,
  restoreVersion,
  saveFacts,
  saveSitePage,
  textSubject,
} from '../site-texts/site-texts.ts'
import { actorNames, COMMAND_LINE } from '../staff-log/staff-log.ts'
import { fieldsOf, latestVersions, listVersions } from '../versions/versions.ts'
import { type Command, type Outcome, readChoice, readId, wrongUsage } from './command.ts'
import { checkedKey } from './interface-texts.ts'
import { moment } from './print.ts'

const KINDS = ['facts', 'page', 'text', 'list', 'featured', ...Object.values(ENTRY_KINDS)] as const

/** How many versions the history lists. */
const HISTORY = 50

export const siteTextCommands: readonly Command[] = [
  {
    name: 'facts',
    usage: '[fact] [value]',
    summary: 'Shows the shop’s own facts, or changes one; the change is public at once.',
    details: [
      'facts brand.name.fr "Ma boutique"        a fact, as the list names it',
      'facts contact.phones.0 71123456          the first phone',
      'facts contact.phones \'["71123456"]\'      a list, as JSON',
      'facts d17 \'{"phone":"98123456","holder":"Librairie"}\'   a group, as JSON',
    ],
    async run(deps, { args: [path, value] }) {
      if (path !== undefined && value === undefined) throw wrongUsage('Give a value as well.')
      if (path !== undefined && value !== undefined) await setFact(deps, path, value)
      const facts = await readFacts(deps)
      return { lines: linesOf(facts), json: { facts } }
    },
  },
  {
    name: 'page',
    usage: '<page> [field] [value]',
    summary: `Shows what a page says (${SITE_PAGES.join(', ')}), or changes a field of it.`,
    details: [
      'page about fr.title "À propos"           a field, as the list names it',
      'page faq items.3.ar.text --file a.md     from a file',
    ],
    options: { file: { type: 'string', about: 'a file that holds the field’s text' } },
    async run(deps, { args: [typed, field, value], options }) {
      const name = choice('The page', typed, SITE_PAGES)
      const text = typeof options.file === 'string' ? await readText(options.file) : value
      if (field !== undefined && text === undefined)
        throw wrongUsage('Give the field’s text as well.')
      if (field !== undefined && text !== undefined) await setField(deps, name, field, text)
      const page = await readPage(deps, name)
      const missing = Object.entries(missingIn(name, page)).filter(([, count]) => count > 0)
      const lacks = missing.map(([language, count]) => `${count} in ${language}`).join(', ')
      return {
        lines: [...linesOf(page), ...(lacks ? ['', `Missing: ${lacks}`] : [])],
        json: { name, page, missing: missingIn(name, page) },
      }
    },
  },
  {
    name: 'site history',
    usage: '<kind> <name> [language]',
    summary: 'Lists the versions of what administrators write, newest first.',
    details: [
      'site history facts bank',
      'site history subject 3',
      'site history featured documents',
      'site history text shop:title fr',
    ],
    run: (deps, { args }) => history(deps, subjectOf(args)),
  },
  {
    name: 'site undo',
    usage: '<kind> <name> [language] [version]',
    summary: 'Restores an earlier version as a new one: the one before, or the one named.',
    details: ['Version 0 is the first one. The kinds are those of site history.'],
    async run(deps, { args }) {
      const subject = subjectOf(args)
      const typed = args[subject.split(' ').length]
      const latest = (await latestVersions(deps.database.kysely, [subject])).get(subject)
      const before = (latest?.revision ?? 1) - 1
      const to = typed === undefined ? before : typed === '0' ? 0 : readId(typed, 'version')
      await restoreVersion(deps, { subject, revision: null, to, actor: COMMAND_LINE })
      return history(deps, subject)
    },
  },
]

function choice<const Choice extends string>(
  what: string,
  typed: string | undefined,
  choices: readonly Choice[],
): Choice {
  return readChoice(what, typed ?? '', choices) as Choice
}

function subjectOf([typed, name, language]: readonly string[]): SiteSubject {
  const kind = choice('The first word', typed, KINDS)
  if (kind === 'text') {
    const locale = choice('The language', language, LOCALES)
    return textSubject({ key: checkedKey(name), locale })
  }
  const entry = Object.values(ENTRY_KINDS).find((each) => each === kind)
  if (entry) return `${entry} ${readId(name, entry)}`
  const names = NAMED_SUBJECTS.filter((subject) => subject.startsWith(`${kind} `))
  const found = choice(
    'The name',
    name,
    names.map((subject) => subject.split(' ')[1] as string),
  )
  return `${kind} ${found}` as SiteSubject
}

async function history(deps: Deps, subject: SiteSubject): Promise<Outcome> {
  const { kysely } = deps.database
  const { versions, total } = await listVersions(kysely, subject, { offset: 0, limit: HISTORY })
  const names = await actorNames(
    kysely,
    versions.map(({ actor }) => actor),
  )
  const rows = versions.map(({ revision, actor, madeAt, restores }) => {
    return { revision, restores, by: names.get(actor) ?? actor, at: madeAt.toISOString() }
  })
  return {
    lines: [
      ...rows.map(({ revision, restores, by, at }) => {
        const what = restores === null ? '' : `  restores version ${restores}`
        return `${revision}  ${moment(new Date(at))}  ${by}${what}`
      }),
      '0  the first version',
    ],
    json: { subject, total, versions: rows },
  }
}

async function readPage({ database }: Deps, name: SitePageName) {
  const subject = `page ${name}` as const
  return pageOf(name, (await latestVersions(database.kysely, [subject])).get(subject))
}

async function setFact(deps: Deps, path: string, typed: string): Promise<void> {
  const [group = '', ...rest] = path.split('.')
  const name = choice('The group of facts', group, FACT_GROUPS)
  const facts = await readFacts(deps)
  const value =
    rest.length === 0 ? readJson(typed, path) : withField(facts[name], rest, typed, path)
  await save<FactGroup>(
    deps,
    name,
    check(value, FACTS[name] as Struct<unknown>) as Facts[FactGroup],
  )
}

function readJson(typed: string, shown: string): unknown {
  try {
    return JSON.parse(typed)
  } catch {
    throw wrongUsage(`${shown} takes JSON here: all its fields at once`)
  }
}

function save<Group extends FactGroup>(deps: Deps, group: Group, value: Facts[Group]) {
  return saveFacts(deps, group, { revision: null, value, actor: COMMAND_LINE })
}

async function setField(deps: Deps, name: SitePageName, field: string, text: string) {
  const page = withField(await readPage(deps, name), field.split('.'), text, field)
  const change = { revision: null, page: check(page, PageTexts), actor: COMMAND_LINE }
  await saveSitePage(deps, name, change).catch((error: unknown) => {
    const fields = error instanceof ApiFault && error.extra.fields
    throw fields ? wrongUsage(sentence(Object.entries(fields))) : error
  })
}

/** A copy of a value with one field replaced: a text as typed, anything else read as JSON. */
function withField<T>(value: T, path: readonly string[], typed: string, shown: string): T {
  const copy = structuredClone(value)
  let at: unknown = copy
  for (const key of path.slice(0, -1)) at = inside(at, key)
  const last = path.at(-1) ?? ''
  const before = inside(at, last)
  const isText = typeof before === 'string'
  if (typeof at !== 'object' || at === null || before === undefined) {
    throw wrongUsage(`There is no field "${shown}"; without a field the command lists them all.`)
  }
  try {
    Object.assign(at, { [last]: isText ? typed : JSON.parse(typed) })
  } catch {
    throw wrongUsage(`${shown} takes JSON here, such as ${JSON.stringify(before)}`)
  }
  return copy
}

/** The part of a value under a key; the questions of a page are found by their ids. */
function inside(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  const list = Array.isArray(value) ? value : []
  const byId = list.find((each) => each?.id !== undefined && String(each.id) === key)
  return byId ?? (Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined)
}

function check<T>(value: unknown, struct: Struct<T>): T {
  const [error, checked] = validate(value, struct, { coerce: true })
  if (!(error instanceof StructError)) return checked as T
  throw wrongUsage(
    sentence([
      [error.path.join('.'), error.refinement === 'checked' ? 'not valid' : error.message],
    ]),
  )
}

const sentence = (problems: readonly (readonly [field: string, problem: string])[]) =>
  problems.map(([field, problem]) => `${field}: ${problem}`).join('; ')

function linesOf(value: unknown): string[] {
  return [...fieldsOf(value)].map(([field, text]) =>
    text.includes('\n') ? `${field}:\n${text.replace(/^/gm, '  ')}` : `${field}: ${text}`,
  )
}

async function readText(path: string): Promise<string> {
  return await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw wrongUsage(`${path} cannot be read: ${fileFault(error)}.`)
  })
}
