import { existsSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { LOCALES } from '../../src/i18n/locales.ts'
import { said } from '../support/texts.ts'
import { ACCOUNT_SENTENCES } from './screens/account.ts'
import { CATALOGUE_SENTENCES } from './screens/catalogue.ts'
import { CHAT_SENTENCES } from './screens/chat.ts'
import { FRAME_SENTENCES } from './screens/frame.ts'
import { MESSAGES_OF_SCREENS } from './screens/messages.ts'
import { PURCHASE_SENTENCES } from './screens/purchase.ts'
import { ROOT, read, sourceFiles } from './source.ts'
import { testTitles } from './test-titles.ts'

const SCREENS = {
  ...FRAME_SENTENCES,
  ...CATALOGUE_SENTENCES,
  ...ACCOUNT_SENTENCES,
  ...PURCHASE_SENTENCES,
  ...CHAT_SENTENCES,
}
const known = new Map<string, Set<string>>()

/** The file of a proof, from the root, and the test in it. */
function split(proof: string): { file: string; title: string } {
  const [file = '', ...title] = proof.split(' › ')
  return { file: `tests/${file}`, title: title.join(' › ') }
}

/** What is wrong with the proofs of a row. */
function faultsOf(row: string, proofs: readonly string[]): string[] {
  if (row.trim() === '' || proofs.length === 0) return [`${row}: nothing proves it`]
  return proofs.flatMap((proof) => {
    const { file, title } = split(proof)
    // A file that no project of vitest runs proves nothing.
    if (
      !/^tests\/(?:e2e|server|start|rules|contract|stores|components|i18n|checks)\/.*\.test\.ts$/.test(
        file,
      )
    ) {
      return [`${row}: ${file} is not run`]
    }
    if (!existsSync(path.join(ROOT, file))) return [`${row}: there is no ${file}`]
    let titles = known.get(file)
    if (!titles) {
      titles = testTitles(file)
      known.set(file, titles)
    }
    return titles.has(title) ? [] : [`${row}: ${file} has no test «${title}»`]
  })
}

describe('section 2', () => {
  test.each(Object.entries(SCREENS))('%s: every sentence has its test', (_, sentences) => {
    expect(Object.keys(sentences).length).toBeGreaterThan(0)
    expect(Object.entries(sentences).flatMap(([says, proofs]) => faultsOf(says, proofs))).toEqual(
      [],
    )
  })
})

/** Without what keeps an amount in one piece, which nobody sees. */
const inPlainSpaces = (text: string) =>
  text.replace(/[\u2068\u2069]/g, '').replaceAll('\u00a0', ' ')

describe('section 8', () => {
  test.each(MESSAGES_OF_SCREENS)('$key is said word for word and read in Arabic', (message) => {
    const { key, says, proof } = message
    expect(inPlainSpaces(said('en', key))).toBe(says)
    expect(said('ar', key)).toMatch(/\p{Script=Arabic}/u)
    expect(new Set(LOCALES.map((locale) => said(locale, key))).size).toBe(LOCALES.length)
    expect(faultsOf(key, proof)).toEqual([])
    const name = key.split('.').at(-1) ?? ''
    for (const one of proof) {
      const source = read(split(one).file)
      expect(source).toContain("'ar'")
      expect(source).toContain(name)
    }
  })
})

test('the check itself finds a test by its describes, and misses one that is not there', () => {
  const here = 'checks/screens.test.ts'
  expect(faultsOf('a', [`${here} › section 2 › %s: every sentence has its test`])).toEqual([])
  expect(faultsOf('a', [`${here} › %s: every sentence has its test`])).toHaveLength(1)
  expect(faultsOf('a', ['checks/nowhere.test.ts › a'])).toHaveLength(1)
  expect(faultsOf('a', ['support/texts.ts › a'])).toHaveLength(1)
  expect(faultsOf('a', [])).toHaveLength(1)
  expect(faultsOf(' ', [`${here} › section 2 › %s: every sentence has its test`])).toHaveLength(1)
  expect(
    sourceFiles(/^tests\/.*\.test\.ts$/).flatMap((file) => [...testTitles(file)]).length,
  ).toBeGreaterThan(400)
})
