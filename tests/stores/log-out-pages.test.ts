import { afterEach, expect, test, vi } from 'vitest'
import { PAGES_CACHE } from '../../src/rules/offline.ts'
import { noteLogOut } from '../../src/stores/user-data/phone.ts'

afterEach(() => vi.unstubAllGlobals())

test('a log-out deletes the pages that were visited; an expired session leaves them', () => {
  const deleted: string[] = []
  vi.stubGlobal('caches', { delete: async (name: string) => deleted.push(name) })
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {} })
  noteLogOut(7, true)
  expect(deleted).not.toContain(PAGES_CACHE)
  noteLogOut(7, false)
  expect(deleted).toContain(PAGES_CACHE)
})
