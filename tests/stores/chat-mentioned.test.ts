import { expect, test } from 'vitest'
import type { Document } from '../../src/contract/catalogue.ts'
import { createMentioned } from '../../src/stores/chat/mentioned.ts'

const documentOf = (id: number) => ({ id }) as Document

test('documents that are loaded concurrently are all kept, each loaded once', async () => {
  const read: number[] = []
  const { $documents, loadDocument } = createMentioned(async (id) => {
    read.push(id)
    return documentOf(id)
  })
  await Promise.all([loadDocument(1), loadDocument(2), loadDocument(1)])
  expect($documents.get()).toEqual({ 1: documentOf(1), 2: documentOf(2) })
  expect(read).toEqual([1, 2])
})
