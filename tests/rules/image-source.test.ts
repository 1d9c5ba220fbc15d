import { expect, test } from 'vitest'
import { imageSource } from '../../src/rules/cover-note.ts'

test.each([
  ['https://cdn.example/a.png', 'https://cdn.example/a.png'],
  ['/covers/12', '/covers/12'],
  ['data:image/png;base64,iVBORw0KGgo=', 'data:image/png;base64,iVBORw0KGgo='],
  ['iVBORw0KGgo=', 'data:image/png;base64,iVBORw0KGgo='],
  ['SGVsbG8sIHdvcmxk', null],
  ['ivborw0kggo=', null],
  ['', null],
  ['  ', null],
  [null, null],
  [undefined, null],
  ['javascript:alert(1)', null],
  ['data:text/html,x', null],
  ['//evil.example/a.png', null],
  ['not a picture', null],
])('the image %j is at %j', (value, expected) => {
  expect(imageSource(value)).toBe(expected)
})
