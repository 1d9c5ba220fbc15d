import { validate } from 'superstruct'
import { addEntry as addCall, type Entry } from '../../contract/office-catalogue.ts'
import {
  ENTRY_NAME_MAX_LENGTH,
  FEATURED,
  type FeaturedKind,
  type ListName,
} from '../../rules/catalogue-lists.ts'
import { inEachLanguage } from '../../rules/in-each-language.ts'
import { LANGUAGES } from '../../rules/languages.ts'
import { LEVELS } from '../../rules/price-bands.ts'
import {
  addEntry,
  changeEntry,
  orderList,
  readFeatured,
  readLists,
  retireEntry,
  saveFeatured,
} from '../catalogue/catalogue.ts'
import type { Deps } from '../deps.ts'
import { COMMAND_LINE } from '../staff-log/staff-log.ts'
import {
  type Command,
  type Input,
  type Outcome,
  readChoice,
  readId,
  refusal,
  wrongUsage,
} from './command.ts'
import { table } from './print.ts'

const by = { revision: null, actor: COMMAND_LINE } as const

const languageNames = new Intl.DisplayNames('en', { type: 'language' })
const NAME_OPTIONS = inEachLanguage((language) => ({
  type: 'string' as const,
  about: `its ${languageNames.of(language)} name, up to ${ENTRY_NAME_MAX_LENGTH} characters`,
}))

const ACTS = ['add', 'rename', 'retire', 'offer', 'order'] as const

function listCommand(
  list: ListName,
  { one, options }: Pick<Command, 'options'> & { one: string },
): Command {
  return {
    name: list,
    usage: '[add|rename|retire|offer|order] [id…]',
    summary: `Lists the ${list}, or changes them; the change is public at once.`,
    details: [
      `${list} add ${LANGUAGES.map((each) => `--${each} …`).join(' ')}    adds a ${one} at the end`,
      `${list} rename 3 --fr …             the names that are given`,
      `${list} retire 3                    is offered no more; documents that have it keep it`,
      `${list} offer 3                     is offered again`,
      `${list} order 3 1                   these first, the others behind`,
    ],
    options: { ...NAME_OPTIONS, ...options },
    async run(deps, { args: [typed, ...ids], options: given }) {
      const act = readChoice('The action', typed, ACTS)
      if (act !== undefined) await perform(deps, list, act, { args: ids, options: given })
      return await shown(deps, list)
    },
  }
}

async function perform(
  deps: Deps,
  list: ListName,
  act: (typeof ACTS)[number],
  { args, options }: Input,
): Promise<void> {
  const written = texts(options, LANGUAGES)
  const given = {
    ...texts(options, ['color']),
    level: readChoice('--level', options.level, LEVELS),
  }
  if (act === 'add') {
    const form = { names: written, ...given }
    const [error, body] = validate(form, bodyOf, { coerce: true, mask: true })
    if (error) throw wrongUsage(`${error.path.join('.')}: ${error.message}`)
    return void (await addEntry(deps, list, { ...body, actor: COMMAND_LINE }))
  }
  if (act === 'order') {
    const ids = args.map((typed) => readId(typed, 'entry'))
    if (ids.length === 0) throw wrongUsage('order takes the ids that come first.')
    return await orderList(deps, { list, ids, ...by })
  }
  const id = readId(args[0], 'entry')
  const entry = await needEntry(deps, list, id)
  if (act !== 'rename') return await retireEntry(deps, { list, id, ...by }, act === 'retire')
  const names = { ...entry.names, ...written }
  const [error, body] = validate({ names, ...given }, bodyOf, { coerce: true, mask: true })
  if (error) throw wrongUsage(`${error.path.join('.')}: ${error.message}`)
  await changeEntry(deps, { list, id, ...by }, body)
}

const bodyOf = addCall.body as NonNullable<typeof addCall.body>

/** Those of the named options that were typed with a text. */
function texts(options: Input['options'], names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = options[name]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )
}

async function needEntry(deps: Deps, list: ListName, id: number): Promise<Entry> {
  const lists = await readLists(deps.database.kysely)
  const entry = lists[list].entries.find((each) => each.id === id)
  if (!entry) throw refusal(`There is no entry ${id} in this list.`)
  return entry
}

async function shown(deps: Deps, list: ListName): Promise<Outcome> {
  const { entries, revision } = (await readLists(deps.database.kysely))[list]
  const extra = list === 'classes' || list === 'covers'
  return {
    lines: table('The list is empty.', entries, {
      id: ({ id }) => id,
      ...(list === 'covers' ? {} : { code: ({ code }: Entry) => code }),
      ...(extra && {
        [list === 'classes' ? 'level' : 'color']: (row: Entry) => row.level ?? row.color,
      }),
      offered: ({ isRetired }) => (isRetired ? 'no' : 'yes'),
      documents: ({ documents }) => documents,
      'for sale': ({ published }) => published,
      names: ({ names }) => LANGUAGES.map((each) => names[each]).join(' | '),
    }),
    json: { list, revision, entries },
  }
}

const FEATURED_ACTS = ['add', 'remove', 'order'] as const

async function feature(deps: Deps, kind: FeaturedKind, { args: [typed, ...rest] }: Input) {
  const act = readChoice('The action', typed, FEATURED_ACTS)
  if (act === undefined) return
  const ids = rest.map((each) => readId(each, kind.slice(0, -1)))
  if (ids.length === 0) throw wrongUsage(`${act} takes ids.`)
  const { items } = await readFeatured(deps.database.kysely, kind)
  const now = items.map(({ id }) => id)
  const others = now.filter((id) => !ids.includes(id))
  if (act === 'order' && ids.some((id) => !now.includes(id))) {
    throw refusal('Only what is featured already can be put into order.')
  }
  const wanted = {
    add: [...now, ...ids.filter((id) => !now.includes(id))],
    remove: others,
    order: [...ids, ...others],
  }
  await saveFeatured(deps, { kind, ids: wanted[act], ...by })
}

export const listCommands: readonly Command[] = [
  listCommand('subjects', { one: 'subject' }),
  listCommand('classes', {
    one: 'class',
    options: { level: { type: 'string', about: `of a new one: ${LEVELS.join(', ')}` } },
  }),
  listCommand('categories', { one: 'kind of documents' }),
  listCommand('covers', {
    one: 'cover',
    options: { color: { type: 'string', about: 'its colour, such as #2f57b8' } },
  }),
  {
    name: 'featured',
    usage: '<documents|teachers> [add|remove|order] [id…]',
    summary: 'Shows what the home page puts forward, or changes it; the change is public at once.',
    details: [
      'featured documents add 12 15         behind the others',
      'featured documents order 15          first, the others behind',
    ],
    async run(deps, { args: [typed, ...rest], options }) {
      const kind = readChoice('What is featured', typed ?? '', FEATURED) as FeaturedKind
      await feature(deps, kind, { args: rest, options })
      const { items, revision } = await readFeatured(deps.database.kysely, kind)
      return {
        lines: table('Nothing is featured.', items, {
          id: ({ id }) => id,
          shown: ({ isShown }) => (isShown ? 'yes' : 'no'),
          title: ({ title, by: teacher }) => (teacher ? `${title}, ${teacher}` : title),
        }),
        json: { kind, revision, items },
      }
    },
  },
]
