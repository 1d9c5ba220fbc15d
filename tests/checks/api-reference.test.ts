import { expect, test } from 'vitest'
import { openapi } from '../../src/server/api-reference/api-reference.ts'
import { read } from './source.ts'

test('docs/api.json matches the contract; `npm run api` regenerates it', () => {
  expect(JSON.parse(read('docs/api.json'))).toEqual(JSON.parse(JSON.stringify(openapi())))
})
