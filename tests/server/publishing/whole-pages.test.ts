import { expect, test } from 'vitest'
import {
  type RenderingCache,
  renderingCache,
} from '../../../src/server/publishing/site/cache-provider.ts'
import { addToPage, beginPage, encoder } from '../../../src/server/publishing/site/whole-pages.ts'

/** A rendering in which Astro makes a page of these parts. */
function renderingOf(work: () => void): RenderingCache {
  const rendering: RenderingCache = {
    respond: (next) => next(),
    invalidate: async () => {},
  }
  renderingCache.run(rendering, work)
  return rendering
}

test('a page is the bytes of its parts, in their order', () => {
  const { body, parts } = renderingOf(() => {
    beginPage()
    expect(addToPage('<p>كرّاس é 😀 ')).toBe('')
    expect(addToPage('alone: \ud800</p>')).toBe('')
    expect(encoder.encode('<!DOCTYPE html>')).toHaveLength(0)
  })
  expect(body?.toString()).toBe('<!DOCTYPE html><p>كرّاس é 😀 alone: \ufffd</p>')
  expect(parts).toBeUndefined()
})

test('the page shown in place of one that failed contains nothing of it', () => {
  const { body } = renderingOf(() => {
    beginPage()
    addToPage('<p>failed</p>')
    beginPage()
    addToPage('<p>error</p>')
    encoder.encode('')
  })
  expect(body?.toString()).toBe('<p>error</p>')
})

test('outside of a rendering, Astro joins and encodes the text itself', () => {
  beginPage()
  expect(addToPage('<p>é</p>')).toBe('<p>é</p>')
  expect(Buffer.from(encoder.encode('<p>é</p>')).toString()).toBe('<p>é</p>')
})
