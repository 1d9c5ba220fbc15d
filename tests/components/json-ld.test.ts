import { expect, test } from 'vitest'
import { questionsOf } from '../../src/components/content/questions.ts'
import {
  breadcrumbs,
  jsonLdText,
  questionList,
} from '../../src/components/structured-data/json-ld.ts'

test('what is written cannot end the script element', () => {
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

test('second-level headings are questions, what follows is the answer', () => {
  const read = questionsOf('<p>x</p><h2 id="a">A &amp; B?</h2><p>Yes.</p><h2>C?</h2>\n<p>No.</p>')
  expect(read).toEqual([
    { id: 'q1', question: 'A & B?', answer: '<p>Yes.</p>' },
    { id: 'q2', question: 'C?', answer: '<p>No.</p>' },
  ])
  expect(questionList(read).mainEntity[0]?.acceptedAnswer.text).toBe('<p>Yes.</p>')
})
