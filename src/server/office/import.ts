import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { ALL_ERRORS } from '../../contract/all-errors.ts'
import { LIST_MAX_ROWS, type LIST_PROBLEMS, type NoteCode } from '../../rules/imports.ts'
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
    summary: 'Imports documents from a list with PDFs and covers: all of them, or none.',
    details: [
      `The folder has a ${LIST_NAMES.join(' or a ')}, at most ${LIST_MAX_ROWS} documents, and the files that it names.`,
      'The list and every file are checked first, and all problems are listed by row. A second run',
      'changes nothing; one with a changed list changes what differs. Unknown teachers are added',
      'without an account; an invitation gives them one.',
    ],
    options: {
      template: {
        type: 'boolean',
        about: 'prints a commented list to start from, or writes it into the folder',
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
    summary:
      'Writes all documents with their files into a new folder, in the form that import reads.',
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

function shown({ progress }: Monitor) {
  const width = 30
  return (step: keyof typeof STEPS, done: number, all: number) => {
    const filled = Math.round((done / Math.max(all, 1)) * width)
    progress(
      `[${'#'.repeat(filled)}${'.'.repeat(width - filled)}] ${done} of ${all} ${STEPS[step]}`,
    )
  }
}

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

const NOTES: Readonly<Record<NoteCode, string>> = {
  lines_above: 'Above the names of the columns, these lines that begin with # were not read',
  remark: 'It begins with #, has nothing else, and was not read',
  more_remarks: 'Further such lines that were not read',
  read_as: 'It is not UTF-8 and was read as',
  missing_fonts: 'The PDF lacks fonts, so that some of it may not show',
}

const noteLine = (note: ImportRefused['notes'][number]): string =>
  `${placeOf(note)}: ${NOTES[note.code]}: ${note.detail}.`

/** A sentence for each problem; without a final full stop if the found or allowed values follow. */
const SENTENCES: Readonly<Record<Exclude<(typeof LIST_PROBLEMS)[number], 'bad_file'>, string>> = {
  list_too_large: 'It has more megabytes than a list may have',
  not_utf8:
    'It is not UTF-8; save it as "CSV UTF-8" in Excel, or choose Unicode (UTF-8) in LibreOffice.',
  spreadsheet: 'It is a spreadsheet, not a CSV file; save it as "CSV UTF-8".',
  not_readable: 'It cannot be read.',
  not_json: 'It is not a list of documents in JSON; look at line',
  quote_not_closed: 'A cell begins with a quotation mark that is never closed.',
  quote_in_cell:
    'A quotation mark stands within a cell; save the list by a spreadsheet, which doubles it.',
  too_many_columns: 'It has more columns than a list may have',
  unknown_column: 'The list has no such column; see import --template',
  missing_column: 'This column is missing',
  repeated_column: 'This column is there twice',
  unnamed_column: 'This stands under no column',
  not_text: 'Each value of a document must be a text or a number',
  no_rows: 'It names no document.',
  too_many_rows: 'It has more documents than a list may have',
  required: 'It is empty.',
  too_long: 'It is longer than the characters allowed',
  not_listed: 'The shop has no such entry; see import --template',
  ambiguous: 'Several entries have this name; use a code',
  not_an_amount: 'It is not an amount in dinars',
  third_decimal: 'Amounts have two decimals, and a third one can only be 0',
  price_out_of_range: 'The price must be',
  discount_out_of_range: 'It is not below the price, or too small',
  not_an_email: 'It is not an e-mail address',
  repeated: 'Another row has this reference',
  new_teacher_without_name:
    'The shop does not know this teacher: give teacher_first_name and teacher_last_name',
  not_a_teacher: 'The account with this e-mail is not a teacher’s',
  other_teacher: 'The document is another teacher’s',
  state_impossible: 'It was for sale and cannot become a draft again; it is',
  outside_folder: 'It lies outside the folder',
  file_missing: 'There is no such file',
  ambiguous_file: 'Several files have this name; write the folder too',
  not_pages: `It names no pages such as ${TYPED_PAGES}, nor is it "none"`,
  unknown_page: 'It names pages that the PDF does not have; it has',
  repeated_page: 'It names a page twice',
  too_many_pages: 'It names more than a third of the pages of its PDF; allowed are',
}

function sentenceOf({ code, detail }: ImportProblem): string {
  if (code === 'bad_file') return ALL_ERRORS[detail as keyof typeof ALL_ERRORS].message
  // An import from a folder reports no others.
  const sentence = SENTENCES[code as keyof typeof SENTENCES]
  return detail === '' || sentence.endsWith('.') ? sentence : `${sentence}: ${detail}.`
}
