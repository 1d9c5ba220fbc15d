import type { DocumentText } from '../../contract/office-documents.ts'
import {
  DOCUMENT_DESCRIPTION_MAX_LENGTH,
  DOCUMENT_STATES,
  REVIEW_REASON_MAX_LENGTH,
  TITLE_MAX_LENGTH,
} from '../../rules/document-life.ts'
import { inDinars } from '../../rules/money.ts'
import { PAGE_SIZE_MAX } from '../../rules/pager.ts'
import { readPages, samplePagesMax, samplePagesOf, sampleProblem } from '../../rules/reading.ts'
import type { Deps } from '../deps.ts'
import {
  type DocumentRow,
  eventsOf,
  findDocument,
  listDocuments,
  publishAgain,
  saveText,
  setSamplePages,
  unpublish,
  versionsOf,
} from '../documents/documents.ts'
import { COMMAND_LINE } from '../staff-log/staff-log.ts'
import {
  type Command,
  type Outcome,
  readAmount,
  readChoice,
  readId,
  readText,
  refusal,
  wrongUsage,
} from './command.ts'
import { moment, money, table } from './print.ts'

/** The fields that `document … set` changes, by the names that are typed. */
const FIELDS: Readonly<Record<string, (typed: string) => Partial<DocumentText>>> = {
  title: (typed) => ({ title: textOf('title', typed, TITLE_MAX_LENGTH) }),
  description: (typed) => ({
    description: textOf('description', typed, DOCUMENT_DESCRIPTION_MAX_LENGTH),
  }),
  price: (typed) => ({ price: readAmount('price', typed) }),
  cover: (typed) => ({ coverMappingId: typed === 'none' ? null : readId(typed, 'cover') }),
  discount: (typed) => ({ priceDiscount: typed === 'none' ? null : readAmount('discount', typed) }),
}

export const documentCommands: readonly Command[] = [
  {
    name: 'documents',
    usage: '[search]',
    summary: 'Lists documents in any state, the last changed ones first.',
    options: {
      state: { type: 'string', about: `only those that are ${DOCUMENT_STATES.join(', ')}` },
      page: { type: 'string', about: `from 1; ${PAGE_SIZE_MAX} documents each` },
    },
    async run(deps, { args: [q = ''], options: { state: wanted, page: at = '1' } }) {
      const state = readChoice('--state', wanted, DOCUMENT_STATES)
      const filters = { q, size: PAGE_SIZE_MAX, page: readId(String(at), 'page') - 1 }
      const { rows, total } = await listDocuments(deps, null, {
        ...filters,
        ...(state && { state }),
      })
      const lines = documentTable('There are no such documents.', rows)
      return {
        lines: rows.length > 0 ? [...lines, `${total} in all.`] : lines,
        json: { total, documents: rows.map(presentDocument) },
      }
    },
  },
  {
    name: 'document',
    usage: '<document> [set|publish] [field=value…]',
    summary: 'Shows a document with its history; changes its text, or publishes it again.',
    details: [
      `Fields: ${[...Object.keys(FIELDS), 'sample'].join(', ')}; amounts in dinars; discount=none and cover=none remove them.`,
      'sample=1,2,5: the pages that everybody may look at; sample=none: the first ones.',
      'Example: document 12 set price=7.5 "title=Les fractions"',
    ],
    async run(deps, { args: [typed, action, ...fields] }) {
      const id = readId(typed, 'document')
      const document = await needDocument(deps, id)
      if (action === undefined) return await shown(deps, document)
      const editor = { actor: COMMAND_LINE }
      if (action === 'publish' && fields.length === 0) {
        return await shown(deps, await publishAgain(deps, { id, editor }))
      }
      if (action !== 'set' || fields.length === 0) {
        throw wrongUsage(
          'Usage: document <document> [set|publish] [field=value…], such as set price=7.5; see --help.',
        )
      }
      const isSample = (field: string) => field.startsWith('sample=')
      const others = fields.filter((field) => !isSample(field))
      const text = { ...textOfRow(document), ...changesIn(others) }
      // Read before anything is saved, since it may be refused.
      const pages = fields.filter(isSample).map((field) => pagesOf(field, document.pageCount ?? 0))
      let saved = document
      if (others.length > 0) saved = await saveText(deps, { id, editor }, { revision: null, text })
      for (const chosen of pages) saved = await setSamplePages(deps, { id, editor }, chosen)
      return await shown(deps, saved)
    },
  },
  {
    name: 'unpublish',
    usage: '<document>',
    summary: 'Takes a document from the shop; its teacher can only submit it again.',
    details: ['Buyers keep it.'],
    options: { reason: { type: 'string', about: 'why; its teacher reads it' } },
    async run(deps, { args: [typed], options }) {
      const id = readId(typed, 'document')
      await needDocument(deps, id)
      const reason = readText('--reason', options.reason, REVIEW_REASON_MAX_LENGTH)
      const of = { id, editor: { actor: COMMAND_LINE } }
      return await shown(deps, await unpublish(deps, of, reason))
    },
  },
]

/** Documents as a table, or the line `none`. */
export function documentTable(none: string, rows: readonly DocumentRow[]): string[] {
  return table(none, rows, {
    document: ({ id }) => id,
    state: ({ state }) => state,
    price: ({ price, priceDiscount }) => (price === null ? null : money(priceDiscount ?? price)),
    sold: ({ salesCount }) => salesCount,
    changed: ({ changedAt }) => moment(changedAt),
    'teacher and title': ({ teacherName, title }) => `${teacherName}: ${title || '(no title)'}`,
  })
}

export async function needDocument(deps: Deps, id: number): Promise<DocumentRow> {
  const document = await findDocument(deps.database.kysely, id)
  if (!document) throw refusal(`There is no document ${id}.`)
  return document
}

/** The outcome of a command about a document: its present state and its history. */
export async function shown(deps: Deps, row: DocumentRow): Promise<Outcome> {
  const events = await eventsOf(deps.database.kysely, row.id)
  const versions = await versionsOf(deps.database.kysely, row.id)
  return {
    lines: [
      `Document ${row.id}: ${row.title || '(no title)'}`,
      `${row.state}, by ${row.teacherName} (teacher ${row.teacherId})`,
      ...(row.price === null ? [] : [`Price ${money(row.price)}`]),
      ...(row.priceDiscount === null ? [] : [`Discounted ${money(row.priceDiscount)}`]),
      ...(row.pageCount ? [sampleLine(row.samplePages, row.pageCount)] : []),
      '',
      ...versions.map(({ number, state, pageCount, note }) =>
        `Version ${number}: ${state}, ${pageCount ?? '?'} pages ${note}`.trimEnd(),
      ),
      ...events.map(({ madeAt, action, actor, reason }) =>
        `${moment(madeAt)}  ${action}  ${actor}  ${reason ?? ''}`.trimEnd(),
      ),
    ],
    json: { ...presentDocument(row), versions, history: events },
  }
}

const sampleLine = (chosen: DocumentRow['samplePages'], pageCount: number): string =>
  `Sample: ${samplePagesOf(chosen, pageCount).join(', ')}${chosen ? '' : ' (the first ones)'} of ${pageCount} pages`

export function presentDocument(row: DocumentRow) {
  return {
    id: row.id,
    state: row.state,
    title: row.title,
    sample: row.samplePages,
    teacher: { id: row.teacherId, name: row.teacherName },
    price: row.price === null ? null : inDinars(row.price),
    discount: row.priceDiscount === null ? null : inDinars(row.priceDiscount),
    sales: row.salesCount,
    waitingVersion: row.waitingVersion,
    changedAt: row.changedAt,
    firstPublishedAt: row.firstPublishedAt,
  }
}

function textOfRow(row: DocumentRow): DocumentText {
  const { title, description, price, priceDiscount, matiereId, niveauId, categoryId } = row
  const names = { matiereId, niveauId, categoryId, type: row.audience }
  return { title, description, price, priceDiscount, ...names }
}

function changesIn(fields: readonly string[]): Partial<DocumentText> {
  return Object.assign(
    {},
    ...fields.map((field) => {
      const [, name = '', value = ''] = /^(\w+)=(.*)$/s.exec(field) ?? []
      const change = FIELDS[name]
      if (change) return change(value.trim())
      throw wrongUsage(
        `"${field}" sets nothing; allowed is ${[...Object.keys(FIELDS), 'sample'].join(', ')}, such as price=7.5.`,
      )
    }),
  )
}

/** The pages in `sample=1,2,5` of a file with `pageCount` pages; null for `none`. */
function pagesOf(field: string, pageCount: number): number[] | null {
  const typed = field.slice('sample='.length).trim()
  if (typed === 'none') return null
  const pages = readPages(typed)
  if (!pages) {
    throw wrongUsage(`sample is "${typed}"; pages like 1,2,5 or 3-4 are allowed, or none.`)
  }
  if (sampleProblem(pages, pageCount) === null) return pages
  throw wrongUsage(
    `sample is "${typed}"; of the ${pageCount} pages of this document ${samplePagesMax(pageCount)} may be named at most, each once.`,
  )
}

function textOf(name: string, typed: string, most: number): string {
  if ([...typed].length <= most) return typed
  throw wrongUsage(`${name} takes at most ${most} characters.`)
}
