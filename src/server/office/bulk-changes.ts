import { array } from 'superstruct'
import { encode } from '../../contract/encode.ts'
import type { DocumentFilters } from '../../contract/office-all-documents.ts'
import {
  type BulkChangeForm,
  BulkChangeView,
  ListedBulkChange,
} from '../../contract/office-bulk-changes.ts'
import { DOCUMENT_STATES } from '../../rules/document-life.ts'
import { STAFF_REASON_MAX_LENGTH } from '../../rules/staff-reasons.ts'
import type { Deps } from '../deps.ts'
import {
  applyChange,
  listChanges,
  previewChange,
  readForm,
  undoChange,
  viewChange,
} from '../documents/documents.ts'
import { COMMAND_LINE } from '../staff-log/staff-log.ts'
import {
  type Command,
  type Input,
  type Outcome,
  readAmount,
  readChoice,
  readId,
  readText,
  wrongUsage,
} from './command.ts'
import { moment, money, table } from './print.ts'

const WITH_REASON = { reason: { type: 'string', about: 'why; their teachers read it' } } as const

export const bulkChangeCommands: readonly Command[] = [
  {
    name: 'documents change',
    usage: '[search]',
    summary: 'Previews a change of many documents, which `documents apply` then does.',
    details: [
      'One of --price, --percent, --discount with --until, --full-price, --unpublish, --publish.',
      'Example: documents change --teacher=3 --discount=20 --until=2026-12-31',
    ],
    options: {
      state: { type: 'string', about: `only those that are ${DOCUMENT_STATES.join(', ')}` },
      teacher: { type: 'string', about: 'only those of this teacher' },
      price: { type: 'string', about: 'the new price, in dinars' },
      percent: { type: 'string', about: 'what is added to the price, below 0 taken off' },
      discount: { type: 'string', about: 'what a discount takes off, in percent' },
      from: { type: 'string', about: 'its first day, such as 2026-12-01; at once without' },
      until: { type: 'string', about: 'its last day' },
      'full-price': { type: 'boolean', about: 'takes discounts away' },
      unpublish: { type: 'boolean', about: 'takes them from sale' },
      publish: { type: 'boolean', about: 'puts them back for sale' },
    },
    async run(deps, { args: [q], options }) {
      const state = readChoice('--state', options.state, DOCUMENT_STATES)
      const teacher = options.teacher ? readId(String(options.teacher), 'teacher') : undefined
      const filters: DocumentFilters = {
        ...(q && { q }),
        ...(state && { state }),
        ...(teacher && { teacher }),
      }
      const change = readForm(formOf(options), deps.now())
      const chosen = { filters }
      const id = await previewChange(deps, { actor: COMMAND_LINE, change, chosen })
      return shown(deps, id)
    },
  },
  {
    name: 'documents apply',
    usage: '<change>',
    summary: 'Does what a preview of the last hour said; goes on with one that was begun.',
    options: WITH_REASON,
    async run(deps, { args: [typed], options }) {
      const id = readId(typed, 'change')
      const reason = readText('--reason', options.reason, STAFF_REASON_MAX_LENGTH)
      await applyChange(deps, id, { actor: COMMAND_LINE, reason })
      return shown(deps, id)
    },
  },
  {
    name: 'documents undo',
    usage: '<change>',
    summary: 'Gives documents back what a change took, where nothing has changed them since.',
    options: WITH_REASON,
    async run(deps, { args: [typed], options }) {
      const id = readId(typed, 'change')
      const reason = readText('--reason', options.reason, STAFF_REASON_MAX_LENGTH)
      return shown(deps, await undoChange(deps, id, { actor: COMMAND_LINE, reason }))
    },
  },
  {
    name: 'documents changes',
    usage: '',
    summary: 'Lists the newest changes of many documents.',
    async run({ database }) {
      const changes = await listChanges(database.kysely)
      const lines = table('There are no such changes.', changes, {
        change: ({ id }) => id,
        at: ({ at }) => moment(new Date(at)),
        kind: ({ kind, undoes }) => (undoes === null ? kind : `undoes ${undoes}`),
        documents: ({ changed }) => changed,
        'who and why': ({ by, reason }) => `${by}: ${reason}`,
      })
      return { lines, json: encode(array(ListedBulkChange), changes) }
    },
  },
]

function formOf({
  price,
  percent,
  discount,
  from,
  until,
  ...flags
}: Input['options']): BulkChangeForm {
  const forms: BulkChangeForm[] = [
    ...(price === undefined
      ? []
      : [{ kind: 'price' as const, price: readAmount('--price', String(price)) }]),
    ...(percent === undefined ? [] : [{ kind: 'percent' as const, percent: wholeOf(percent) }]),
    ...(discount === undefined
      ? []
      : [
          {
            kind: 'discount' as const,
            percent: wholeOf(discount),
            ...(from !== undefined && { from: dayOf(from) }),
            ...(until !== undefined && { until: dayOf(until) }),
          },
        ]),
    ...(flags['full-price'] ? [{ kind: 'full price' as const }] : []),
    ...(flags.unpublish ? [{ kind: 'unpublish' as const }] : []),
    ...(flags.publish ? [{ kind: 'publish' as const }] : []),
  ]
  const [form] = forms
  if (form && forms.length === 1) return form
  throw wrongUsage('Say one thing that changes, such as --percent=10; see --help.')
}

function wholeOf(typed: string | boolean): number {
  if (/^-?\d{1,3}$/.test(String(typed))) return Number(typed)
  throw wrongUsage(`"${typed}" is no percentage: a whole number like 10 is.`)
}

function dayOf(typed: string | boolean): string {
  const day = String(typed)
  if (/^20\d\d-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day))) return day
  throw wrongUsage(`"${typed}" is no day: one like 2026-12-31 is.`)
}

async function shown({ database }: Deps, id: number): Promise<Outcome> {
  const view = await viewChange(database.kysely, id, COMMAND_LINE)
  const { state, chosen, changing, changed, kept, rows } = view
  const sum = (amount: number | null) => (amount === null ? '–' : money(amount))
  return {
    lines: [
      `Change ${id}, ${state}: ${changed} of ${changing} documents changed, ${chosen} chosen.`,
      ...kept.map(({ code, count }) => `${count} stay as they are: ${code}`),
      ...rows.map(
        ({ document, before, after }) =>
          `${document.id}  ${before.state} ${sum(before.finalPrice)} → ${after.state} ${sum(after.finalPrice)}  ${document.title}`,
      ),
      ...(state === 'previewed' ? [`documents apply ${id} --reason="…" does it.`] : []),
    ],
    json: encode(BulkChangeView, view),
  }
}
