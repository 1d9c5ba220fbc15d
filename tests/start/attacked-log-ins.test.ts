// @at-landing: it logs in from many addresses for three quarters of a minute.

import { expect, test } from 'vitest'
import { floodFromManyAddresses } from '../chaos/many-addresses.ts'
import { floodRightPasswords } from '../chaos/right-passwords.ts'
import { fillDataDir } from '../support/filled-shop.ts'

// For how long customers wait: `node tests/chaos/right-passwords.ts`, `node tests/chaos/many-addresses.ts`.
const trial = { seconds: 1.5, customers: 3, fill: fillDataDir }

test('one address with right passwords keeps nobody from logging in, reading and paying', async () => {
  const { attacked, answers } = await floodRightPasswords(trial)
  expect(attacked.refused).toEqual({})
  expect(attacked.times['log-in'].length).toBeGreaterThanOrEqual(3)
  // It was served as far as there was room.
  expect(answers['200']).toBeGreaterThan(0)
})

test('many addresses of one network neither free a closed account nor keep anybody out', async () => {
  const { attacked, answers, before, after } = await floodFromManyAddresses(trial)
  expect({ before, after }).toEqual({ before: 100, after: 0 })
  expect(attacked.refused).toEqual({})
  expect(answers.addresses).toBeGreaterThan(0)
})
