// @one-database: it is about files.
import { deflateSync } from 'node:zlib'
import { PDFiumLibrary } from '@hyzyla/pdfium'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findActiveContent } from '../../src/server/library/pages/active-content.ts'
import { aPdf } from '../support/pdf.ts'
import { shapedPdf, shapes } from '../support/shaped-pdf.ts'
import { opening, packedOpening, SCRIPT, TRICKY } from '../support/tricky-pdf.ts'

describe('a PDF is read as every viewer could read it', () => {
  test.for(Object.entries(TRICKY))('%s', { timeout: 60_000 }, async ([_, [verdict, bytes]]) => {
    expect(await findActiveContent(bytes())).toBe(verdict)
  })
})

test('ordinary documents of any shape are accepted', async () => {
  expect(await findActiveContent(aPdf('كتاب', 40, ['الأول', 'الثاني']))).toBeNull()
  await fc.assert(
    fc.asyncProperty(shapes, async (shape) => {
      expect(await findActiveContent(shapedPdf(shape))).toBeNull()
    }),
  )
})
