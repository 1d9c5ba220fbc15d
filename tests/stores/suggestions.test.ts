import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  createSuggester,
  SEARCH_DEBOUNCE_MS,
  type SearchAnswer,
} from '../../src/stores/search/suggestions.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function box(answers: Record<string, () => Promise<{ id: number; title: string }[]>> = {}) {
  const shown: SearchAnswer[] = []
  const requested: { text: string; signal: AbortSignal }[] = []
  const suggester = createSuggester(
    (answer) => shown.push(answer),
    async (text, signal) => {
      requested.push({ text, signal })
      return answers[text]?.() ?? [{ id: 1, title: text }]
    },
  )
  return { suggester, shown, requested, texts: () => requested.map(({ text }) => text) }
}

test('requests 300 ms after the last key press, with the trimmed text', async () => {
  const { suggester, texts } = box()
  suggester.type('ma')
  await vi.advanceTimersByTimeAsync(SEARCH_DEBOUNCE_MS - 1)
  suggester.type(' math ')
  await vi.advanceTimersByTimeAsync(SEARCH_DEBOUNCE_MS - 1)
  expect(texts()).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(texts()).toEqual(['math'])
})

test('never requests the same text twice in a row', async () => {
  const { suggester, texts } = box()
  for (const text of ['math', 'maths', 'math', 'math ']) {
    suggester.type(text)
    if (text === 'math') await vi.advanceTimersByTimeAsync(SEARCH_DEBOUNCE_MS)
  }
  await vi.advanceTimersByTimeAsync(SEARCH_DEBOUNCE_MS)
  expect(texts()).toEqual(['math'])
})

test('blank text sends no request and shows nothing, at once', async () => {
  const { suggester, shown, texts } = box()
  suggester.type('math')
  suggester.type('   ')
  expect(shown).toEqual([{ text: '', documents: [] }])
  await vi.advanceTimersByTimeAsync(SEARCH_DEBOUNCE_MS)
  expect(texts()).toEqual([])
})

test('the latest text wins, however late an earlier response arrives', async () => {
  const slow = Promise.withResolvers<{ id: number; title: string }[]>()
  const { suggester, shown, requested } = box({ one: () => slow.promise })
  suggester.type('one')
  await vi.advanceTimersByTimeAsync(SEARCH_DEBOUNCE_MS)
  suggester.type('two')
  await vi.advanceTimersByTimeAsync(SEARCH_DEBOUNCE_MS)
  slow.resolve([{ id: 9, title: 'late' }])
  await vi.advanceTimersByTimeAsync(0)
  expect(requested[0]?.signal.aborted).toBe(true)
  expect(shown.at(-1)).toEqual({ text: 'two', documents: [{ id: 1, title: 'two' }] })
  expect(shown.some(({ documents }) => documents?.[0]?.id === 9)).toBe(false)
})

test('a failure is only logged: no documents', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const { suggester, shown } = box({ math: () => Promise.reject(new Error('offline')) })
  suggester.type('math')
  await vi.advanceTimersByTimeAsync(SEARCH_DEBOUNCE_MS)
  expect(shown.at(-1)).toEqual({ text: 'math', documents: [] })
  expect(warn).toHaveBeenCalledOnce()
})
