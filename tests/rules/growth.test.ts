import { describe, test } from 'vitest'
import { unbroken } from '../../src/i18n/unbroken.ts'
import { meaningsOf } from '../../src/rules/admin-search.ts'
import { hasKnownPlaceholders } from '../../src/rules/canned-answers.ts'
import { entryCode, entryNameProblem } from '../../src/rules/catalogue-lists.ts'
import { imageSource, paintOf, readCoverNote } from '../../src/rules/cover-note.ts'
import { csvTable } from '../../src/rules/csv.ts'
import { contentDisposition } from '../../src/rules/downloads.ts'
import { finderOf } from '../../src/rules/find-in-text.ts'
import { otherLayout } from '../../src/rules/keyboard-layout.ts'
import { createSearch, isSameShelfName, shelfNameProblem } from '../../src/rules/library-list.ts'
import { maskedText } from '../../src/rules/masked-text.ts'
import { messageParts } from '../../src/rules/message-parts.ts'
import { directionOf, passagesOf } from '../../src/rules/page-passages.ts'
import { passwordForm, passwordStrength } from '../../src/rules/password-strength.ts'
import { isBlank, normalForm, plainName, plainSigns } from '../../src/rules/pasted-text.ts'
import { previewText } from '../../src/rules/preview-text.ts'
import { readSearch, readTitle } from '../../src/rules/read-facts.ts'
import { readPages } from '../../src/rules/reading.ts'
import { safeReturnTo } from '../../src/rules/return-to.ts'
import { isRib } from '../../src/rules/rib.ts'
import { piecesOf } from '../../src/rules/school-words.ts'
import { containsFolded, foldQuery, foldText, startsOf } from '../../src/rules/search-fold.ts'
import { markMatches, writtenWords } from '../../src/rules/search-marks.ts'
import { undoneSlips } from '../../src/rules/search-words.ts'
import {
  emailProblem,
  lineProblem,
  linkProblem,
  shownRegister,
} from '../../src/rules/site-facts.ts'
import { suggest } from '../../src/rules/suggestions.ts'
import { readTaxNumber } from '../../src/rules/tax-number.ts'
import {
  amountProblem,
  normalisePhone,
  parseDinars,
  referenceStart,
} from '../../src/rules/typed-numbers.ts'
import { email, pattern } from '../../src/rules/validators.ts'
import { expectLinear } from '../support/growth.ts'
import { schoolVocabulary } from '../support/school-vocabulary.ts'

const vocabulary = await schoolVocabulary()

/** Works on a text from outside, of any length: in forms, lists, messages and documents. */
const WORKS: Readonly<Record<string, (text: string) => unknown>> = {
  normalForm: (text) => normalForm(text, 'NFKD'),
  foldText,
  foldQuery,
  startsOf,
  'containsFolded, in a long text': (text) => containsFolded(text, 'الكسور'),
  'containsFolded, of a long text': (text) => containsFolded('الكسور', text),
  'finderOf, in a long text': (text) => finderOf('الك')?.(text),
  'finderOf, in a long text that has it often': (text) => finderOf(text.slice(0, 20))?.(text),
  'finderOf, of a long text': (text) => finderOf(text),
  'markMatches, in a long text': (text) => markMatches(text, 'الك'),
  'markMatches, in a long text that has it': (text) =>
    markMatches(text, text.slice(3, 20), { anywhere: true }),
  'markMatches, of a long text': (text) => markMatches('الكسور', text, { anywhere: true }),
  writtenWords,
  'suggest, for a long text': (text) => suggest(text, [{ path: '/', title: 'الكسور' }], []),
  'suggest, a long title': (text) => suggest('الك', [{ path: '/', title: text }], []),
  'createSearch, in a long text': (text) => createSearch(() => [text]).search([{}], 'الك'),
  'createSearch, for a long text': (text) =>
    createSearch(() => ['الكسور', text]).search([{}], text),
  piecesOf: (text) => piecesOf(text, vocabulary),
  'piecesOf, of a search': (text) => piecesOf(text, vocabulary, true),
  readTitle: (text) => readTitle(text, vocabulary, text),
  readSearch: (text) => readSearch(text, vocabulary),
  otherLayout: (text) => otherLayout(text, () => false),
  undoneSlips: (text) => undoneSlips(text, ['a', 'ا']),
  isBlank,
  plainSigns,
  plainName,
  maskedText: (text) => maskedText(text, 12),
  'maskedText, of digits': (text) => maskedText(`12345${text}`, 12),
  messageParts: (text) => messageParts(text, 'https://shop.example'),
  'messageParts, of an address': (text) =>
    messageParts(`https://shop.example/${text}`, 'https://shop.example'),
  'messageParts, of a host': (text) => messageParts(`https://${text}`, 'https://shop.example'),
  previewText: (text) => previewText(text),
  passwordStrength,
  passagesOf,
  directionOf: (text) => directionOf([text], text),
  contentDisposition: (text) => contentDisposition(text, text),
  csvTable: (text) => csvTable([[text, text]]),
  unbroken,
  email,
  emailProblem,
  pattern: pattern(/^\p{L}+$/u),
  normalisePhone,
  isRib,
  readTaxNumber,
  shownRegister,
  parseDinars,
  amountProblem,
  passwordForm,
  meaningsOf,
  referenceStart,
  readPages,
  imageSource,
  paintOf,
  readCoverNote: (text) => readCoverNote({ subject: text, color: text, picture: text }),
  safeReturnTo: (text) => safeReturnTo(`/${text}`, '/'),
  lineProblem,
  linkProblem: (text) => linkProblem(`https://${text}`),
  shelfNameProblem,
  isSameShelfName: (text) => isSameShelfName(text, `${text}a`),
  entryNameProblem,
  entryCode: (text) => entryCode(text, new Set()),
  hasKnownPlaceholders,
}

describe('takes a time that grows no faster than the text', () => {
  test.each(Object.entries(WORKS))('%s', (_, work) => expectLinear(work))
})
