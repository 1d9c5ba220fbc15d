import { expect, test } from 'vitest'
import {
  breadcrumbs,
  jsonLdText,
  questionList,
} from '../../src/components/structured-data/json-ld.ts'
import type { Block } from '../../src/contract/site.ts'

test('the content cannot close the script element', () => {
  const text = jsonLdText({ name: '</script><b>' })
  expect(text).not.toContain('<')
  expect(JSON.parse(text)).toEqual({ '@context': 'https://schema.org', name: '</script><b>' })
})

test('steps are numbered from 1', () => {
  const { itemListElement } = breadcrumbs([
    { name: 'a', url: 'https://k.tn/' },
    { name: 'b', url: 'https://k.tn/b' },
  ])
  expect(itemListElement.map(({ position, item }) => [position, item])).toEqual([
    [1, 'https://k.tn/'],
    [2, 'https://k.tn/b'],
  ])
})

test('a question includes its answer as plain text', () => {
  const text = (text: string) => ({ kind: 'text' as const, text })
  const blocks: Block[] = [
    { kind: 'paragraph', children: [text('Yes, '), { kind: 'strong', children: [text('both')] }] },
    { kind: 'quote', blocks: [{ kind: 'code', text: 'A' }] },
  ]
  const questions = [{ locale: 'fr' as const, title: 'A & B?', note: '', blocks }]
  expect(questionList(questions).mainEntity).toEqual([
    {
      '@type': 'Question',
      name: 'A & B?',
      acceptedAnswer: { '@type': 'Answer', text: 'Yes, both\nA' },
    },
  ])
})
