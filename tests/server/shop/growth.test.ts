// @one-database: it asks no database.
import { describe, expect, test } from 'vitest'
import { fillText } from '../../../src/i18n/format.ts'
import { foldQuery, foldText } from '../../../src/rules/search-fold.ts'
import { createIndex } from '../../../src/server/catalogue/search/catalogue-index.ts'
import { correctionOf } from '../../../src/server/catalogue/search/correction.ts'
import {
  findDocuments,
  partsOfWords,
  typedWords,
} from '../../../src/server/catalogue/search/find.ts'
import { hidePassword } from '../../../src/server/config/settings.ts'
import { firstLine } from '../../../src/server/database/start-error.ts'
import { checkRows } from '../../../src/server/documents/import/check-rows.ts'

import { COLUMN_NAMES } from '../../../src/server/documents/import/columns.ts'
import type { ListRow } from '../../../src/server/documents/import/read-list.ts'

import { escapeHtml } from '../../../src/server/http/html.ts'
import { type PdfiumText, textOfPage } from '../../../src/server/library/reading/page-text.ts'
import { findActiveContent } from '../../../src/server/library/safety/active-content.ts'
import { readByteRange } from '../../../src/server/library/sending/send-file.ts'
import { readArchive } from '../../../src/server/library/sending/signed-links.ts'
import { balanceOf } from '../../../src/server/library/stamping/graphics-balance.ts'
import { isMeantBy } from '../../../src/server/people-search/people-search.ts'
import { readMarkdown } from '../../../src/server/site-texts/markdown.ts'
import {
  changedFields,
  describeDifferences,
  differences,
} from '../../../src/server/versions/versions.ts'
import { NO_PAPER } from '../../support/catalogue.ts'
import { expectLinear } from '../../support/growth.ts'

const index = createIndex()
for (const [at, title] of ['الكسور', 'كسور العشرية', 'équations', 'aaaa aab'].entries()) {
  index.put({
    id: at + 1,
    isPublished: true,
    title,
    searchText: ` ${foldText(title)} `,
    level: 'Primaire',
    niveauId: 1,
    matiereId: 1,
    categoryId: 1,
    type: 'Pour Élève',
    teacherId: 1,
    price: 1000,
    rating: 4,
    sales: at,
    uploadedAt: at,
    ...NO_PAPER,
  })
}

index.putEntries({
  subjects: new Map([[1, ['الرياضيات', 'Mathématiques']]]),
  kinds: new Map([[1, ['دروس', 'Cours']]]),
  classes: new Map([[1, ['السادسة ابتدائي', '6e année primaire']]]),
})

const emptyShop = {
  subjects: [],
  classes: [],
  categories: [],
  kinds: [],
  chapters: [],
  teachers: new Set<string>(),
  otherAccounts: new Set<string>(),
}

/** A page whose line rises by `rise` heights of a character with each one, as PDFium tells of it. */
function pageOf(text: string, rise: number): PdfiumText {
  const memory = new Float64Array(5)
  const characters = [...text]
  return {
    HEAPU8: new Uint8Array(memory.buffer),
    wasmExports: { malloc: () => 8, free: () => {} },
    _FPDFText_LoadPage: () => 1,
    _FPDFText_ClosePage: () => {},
    _FPDFText_CountChars: () => characters.length,
    _FPDFText_GetTextObject: () => 0,
    _FPDFText_GetUnicode: (_, at) => characters[at]?.codePointAt(0) ?? 0,
    _FPDFText_GetCharBox: (_, at) => {
      memory.set([at, at + 1, at * rise, at * rise + 1], 1)
      return 1
    },
    _FPDFText_GetCharOrigin: (_, at) => {
      memory.set([at, at * rise], 1)
      return 1
    },
  }
}

/** Works on a text that strangers, teachers or administrators write, of any length. */
const WORKS: Readonly<Record<string, (text: string) => unknown>> = {
  'differences, of a changed text': (text) => differences({ text }, { text: `a${text}b` }),
  'differences, of a new text': (text) => differences({ text: 'a' }, { text }),
  'differences, of a long list': (text) =>
    differences(text.slice(0, text.length / 100).split(''), ['a']),
  changedFields: (text) => changedFields({ text }, { text: `a${text}b` }),
  describeDifferences: (text) => describeDifferences({ text }, { text: `a${text}b` }),
  fillText: (text) => fillText(text, { name: text }),
  'a search by words': (text) => findDocuments(index, typedWords(index, foldQuery(text))),
  'a search for parts': (text) =>
    findDocuments(index, partsOfWords(index, foldQuery(text).slice(0, 12))),
  correctionOf: (text) => correctionOf(index, text, 0),
  isMeantBy,
  'checkRows, of every cell': (text) => {
    const values = Object.fromEntries(COLUMN_NAMES.map((name) => [name, text])) as ListRow['values']
    return checkRows([{ number: 2, values }], emptyShop)
  },
  'textOfPage, of a line': (text) => textOfPage(pageOf(text.slice(0, text.length / 2), 0), 1),
  'textOfPage, of pieces, each a bit higher': (text) =>
    textOfPage(pageOf([...text].slice(0, text.length / 2).join('\n'), 0.1), 1),
  findActiveContent: (text) => findActiveContent(Buffer.from(text)),
  'findActiveContent, of a dictionary': (text) =>
    findActiveContent(Buffer.from(`1 0 obj <</Type /ObjStm ${text} stream\n`)),
  'balanceOf, of instructions': (text) => balanceOf(Buffer.from(text)),
  'balanceOf, of a picture': (text) => balanceOf(Buffer.from(`BI ID ${text}`)),
  readArchive: (text) => readArchive(Buffer.alloc(32), `fr-1-${text}`, 0),
  readByteRange: (text) => readByteRange(`bytes=${text}`, 1000),
  escapeHtml,
  hidePassword,
  firstLine,
}

describe('takes a time that grows no faster than the text', () => {
  test.each(Object.entries(WORKS))('%s', (_, work) => expectLinear(work))
})

test('a page whose parsing would take long is parsed without what takes long, or refused', () => {
  const [quotes, lines] = ['"a '.repeat(5000).trim(), '- \n'.repeat(5000)]
  expect(readMarkdown(quotes).blocks).toEqual([
    { kind: 'paragraph', children: [{ kind: 'text', text: quotes }] },
  ])
  expect(readMarkdown('"a"').blocks).toEqual([
    { kind: 'paragraph', children: [{ kind: 'text', text: '“a”' }] },
  ])
  expect(readMarkdown(lines).problems).toEqual([])
  expect(readMarkdown('> '.repeat(5000)).problems).toEqual(['deep'])
  expect(readMarkdown('['.repeat(5000)).problems).toEqual(['link'])
})

test('a text that was rewritten is shown whole, after a limited number of comparisons', () => {
  const [before, after] = ['ا'.repeat(20_000), 'ب '.repeat(10_000)]
  const whole = [
    { kind: 'removed', text: before },
    { kind: 'added', text: after },
  ]
  const many = (text: string) => Object.fromEntries([...Array(9).keys()].map((at) => [at, text]))
  expect(differences(many(before), many(after)).map(({ parts }) => parts)).toEqual(
    Array(9).fill(whole),
  )
  expect(differences({ text: before }, { text: `${before} و` })[0]?.parts).toEqual([
    { kind: 'same', text: before },
    { kind: 'added', text: ' و' },
  ])
})
