import { expect, test } from 'vitest'
import { canSitSample, correctionAfter } from '../../src/rules/sample-exam.ts'

const exams = { categorie: { code: 'exams' } }
const pages = (...numbers: number[]) => numbers

test('an exam is sat with the sample of a paper', () => {
  expect(canSitSample(exams, pages(1))).toBe(true)
  expect(canSitSample({ categorie: { code: 'exercises' } }, pages(1, 2, 3))).toBe(true)
  // A category that a shop added may be one of papers.
  expect(canSitSample({ categorie: { code: null } }, pages(1))).toBe(true)
  expect(canSitSample(exams, pages())).toBe(false)
  expect(canSitSample({ categorie: { code: 'lessons' } }, pages(1))).toBe(false)
  expect(canSitSample({ ...exams, correctionOf: 7 }, pages(1))).toBe(false)
})

test('where its correction is', () => {
  expect(correctionAfter({ correctionPage: 3, hasCorrection: true })).toBe('inside')
  expect(correctionAfter({ correctionPage: null, hasCorrection: true })).toBe('apart')
  expect(correctionAfter({})).toBe('none')
})
