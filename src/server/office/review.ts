import { DOCUMENT_FIELDS, REVIEW_REASON_MAX_LENGTH } from '../../rules/document-life.ts'
import { accept, readWaiting, returnToTeacher } from '../documents/documents.ts'
import { COMMAND_LINE } from '../staff-log/staff-log.ts'
import { type Command, type Input, readChoice, readId, readText, wrongUsage } from './command.ts'
import { documentTable, needDocument, presentDocument, shown } from './documents.ts'

export const reviewCommands: readonly Command[] = [
  {
    name: 'review',
    usage: '[document] [accept|return]',
    summary: 'Lists what waits for review; accepts a document, or returns it with a reason.',
    details: [
      'An accepted document is for sale at once; an accepted version is what buyers then get.',
      `Fields that a reason can name: ${DOCUMENT_FIELDS.join(', ')}.`,
    ],
    options: {
      reason: { type: 'string', about: 'why it is returned; its teacher reads it' },
      field: { type: 'string', about: 'what the reason is about, such as title' },
    },
    async run(deps, { args: [typed, action], options }) {
      if (typed === undefined) {
        const { rows } = await readWaiting(deps.database.kysely)
        return {
          lines: documentTable('Nothing waits for review.', rows),
          json: rows.map((row) => ({ ...presentDocument(row), what: row.what, since: row.since })),
        }
      }
      const id = readId(typed, 'document')
      const document = await needDocument(deps, id)
      const of = { id, actor: COMMAND_LINE }
      if (action === undefined) return await shown(deps, document)
      if (action === 'accept') return await shown(deps, await accept(deps, of))
      if (action === 'return') {
        return await shown(deps, await returnToTeacher(deps, of, readWhy(options)))
      }
      throw wrongUsage(`"${action}" is neither accept nor return.`)
    },
  },
]

function readWhy({ reason, field }: Input['options']) {
  return {
    reason: readText('--reason', reason, REVIEW_REASON_MAX_LENGTH),
    field: readChoice('--field', field, DOCUMENT_FIELDS) ?? null,
  }
}
