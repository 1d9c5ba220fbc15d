import { afterEach, expect, test, vi } from 'vitest'
import { LOG_OUT_MARK, PAGES_CACHE } from '../../src/rules/offline.ts'
import { noteLogOut } from '../../src/stores/user-data/phone.ts'

afterEach(() => vi.unstubAllGlobals())

test('a log-out deletes the pages that were visited; an expired session leaves them', () => {
  const deleted: string[] = []
  const opened: string[] = []
  vi.stubGlobal('caches', {
    delete: async (name: string) => deleted.push(name),
    open: async (name: string) => opened.push(name),
    keys: async () => [],
  })
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {} })
  noteLogOut(7, true)
  expect([deleted, opened]).toEqual([['kept-7'], []])
  noteLogOut(7, false)
  // At once, since the page is left for the home page.
  expect(deleted).toContain(PAGES_CACHE)
  expect(opened).toEqual([expect.stringMatching(`^${LOG_OUT_MARK}\\d+$`)])
})
