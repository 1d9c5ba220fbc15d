import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { ALL_ERRORS } from '../../contract/all-errors.ts'
import { fillText, limitText } from '../../i18n/format.ts'
import { WRITTEN } from '../../i18n/texts.ts'
import { DOCUMENT_PRICE_MAX, DOCUMENT_PRICE_MIN } from '../../rules/document-fields.ts'
import { LIST_MAX_ROWS } from '../../rules/imports.ts'
import { TYPED_PAGES } from '../../rules/reading.ts'
import { fileFault } from '../database/start-error.ts'
import {
  BYTE_ORDER_MARK,
  exportFolder,
  FileChanged,
  type ImportProblem,
  ImportRefused,
  importFolder,
  LIST_NAMES,
  NoList,
  templateOf,
} from '../documents/documents.ts'
import { COMMAND_LINE } from '../staff-log/staff-log.ts'
import { type Command, EXIT, type Monitor, type Outcome, refusal, wrongUsage } from './command.ts'
import { counted } from './print.ts'

export const importCommands: readonly Command[] = [
  {
    name: 'import',
    usage: '[folder]',
    summary: 'Imports documents from a list with PDFs and covers: either all of them or none.',
    details: [
      `The folder contains a ${LIST_NAMES.join(' or a ')} with at most ${LIST_MAX_ROWS} documents, and the files that it names.`,
      'The list and every file are checked first, and all problems are listed by row. Running it again',
      'changes nothing; with a changed list, it changes what differs. Unknown teachers are added',
      'without an account; invite them to give them one.',
    ],
    options: {
      template: {
        type: 'boolean',
        about: 'print a commented list to start from, or write it into the folder',
      },
    },
    async run(deps, { args: [folder], options }, monitor) {
      if (options.template) {
        const template = await templateOf(deps.database)
        if (folder === undefined) return { lines: template.split('\r\n'), json: { template } }
        const path = join(resolve(folder), LIST_NAMES[0])
        await writeFile(path, BYTE_ORDER_MARK + template, { flag: 'wx' }).catch(explain(path))
        return { lines: [`Wrote ${path}.`], json: { path } }
      }
      if (folder === undefined) {
        throw wrongUsage('Usage: import <folder>, or import --template [folder].')
      }
      try {
        const { created, changed, unchanged, notes } = await importFolder(deps, {
          folder: resolve(folder),
          actor: COMMAND_LINE,
          progress: shown(monitor),
        })
        return {
          lines: [
            ...notes.map(noteLine),
            `${counted(created, 'new document')}, ${changed} changed, ${unchanged} unchanged.`,
          ],
          json: { created, changed, unchanged, notes },
        }
      } catch (error) {
        if (error instanceof ImportRefused) return refused(error)
        if (error instanceof NoList || error instanceof FileChanged) {
          throw refusal(error.message)
        }
        throw error
      }
    },
  },
  {
    name: 'export',
    usage: '<folder>',
    summary: 'Exports all documents with their files into a new folder that `import` can read.',
    async run(deps, { args: [folder = ''] }, monitor) {
      const path = resolve(folder)
      const { documents, incomplete, missing } = await exportFolder(deps, {
        folder: path,
        progress: (done, all) => monitor.progress(`${done} of ${counted(all, 'document')}`),
      }).catch(explain(path))
      for (const id of missing)
        monitor.warn(`The file of document ${id} is missing; the document was left out.`)
      return {
        lines: [
          `Wrote ${path}: ${counted(documents, 'document')}.`,
          ...(incomplete > 0 ? [`Left out: ${counted(incomplete, 'incomplete draft')}.`] : []),
        ],
        json: { path, documents, incomplete, missing },
      }
    },
  },
]

function explain(path: string) {
  return (error: NodeJS.ErrnoException): never => {
    if (error.syscall === undefined) throw error
    throw refusal(`${path} cannot be written: ${fileFault(error)}.`)
  }
}

const STEPS = { checking: 'checked', storing: 'stored', writing: 'written' } as const

const shown =
  ({ progress }: Monitor) =>
  (step: keyof typeof STEPS, done: number, all: number) =>
    progress(`${done} of ${all} ${STEPS[step]}`)

function refused({ problems, notes }: ImportRefused): Outcome {
  return {
    exit: EXIT.no,
    lines: [
      ...notes.map(noteLine),
      ...problems.map((problem) => `${placeOf(problem)}: ${sentenceOf(problem)}`),
      `Nothing was imported: ${counted(problems.length, 'problem')}.`,
    ],
    json: { problems: problems.map((each) => ({ ...each, sentence: sentenceOf(each) })), notes },
  }
}

function placeOf({ row, column }: Pick<ImportProblem, 'row' | 'column'>): string {
  return [row && `row ${row}`, column].filter(Boolean).join(', ') || 'list'
}

/** The office's own texts about lists. */
const { problems: PROBLEMS, notes: NOTES } = WRITTEN.en['office-import']

const noteLine = ({ code, detail, ...place }: ImportRefused['notes'][number]): string =>
  `${placeOf(place)}: ${fillText(NOTES[code], { detail })}`

/** Texts in which the command line differs from the office, which has no such columns. */
const OWN_SENTENCES: Readonly<Record<string, string>> = {
  not_listed: 'The shop has no such entry: {{detail}}; see import --template.',
  new_teacher_without_name:
    'The shop does not know this teacher: give teacher_first_name and teacher_last_name.',
  other_teacher: 'The document is another teacher’s.',
  outside_folder: 'This name points outside the folder: {{detail}}.',
  file_missing: 'There is no such file: {{detail}}.',
}

function sentenceOf({ code, detail }: ImportProblem): string {
  if (code === 'bad_file') return ALL_ERRORS[detail as keyof typeof ALL_ERRORS].message
  return fillText(OWN_SENTENCES[code] ?? PROBLEMS[code], {
    detail,
    pages: TYPED_PAGES,
    min: limitText('en', DOCUMENT_PRICE_MIN),
    max: limitText('en', DOCUMENT_PRICE_MAX),
  })
}
