// How Astro hands over the pages that it renders for the shop (`build/astro-markup.ts` has it call
// these): part by part, as bytes. A page as one text would be larger than what V8 keeps among its
// small objects, and cost most of a millisecond.
import { Buffer, transcode } from 'node:buffer'
import { renderingCache } from './cache-provider.ts'

const NOTHING = new Uint8Array()
const textEncoder = new TextEncoder()

/** Begins the text of a page; what an earlier one that failed has left is discarded. */
export function beginPage(): void {
  const rendering = renderingCache.getStore()
  if (rendering) rendering.parts = []
}

/** Takes a part of the page; returns what Astro itself has to add to its text. */
export function addToPage(html: string): string {
  const parts = renderingCache.getStore()?.parts
  if (!parts) return html
  parts.push(utf8(html))
  return ''
}

/** In place of the encoder with which Astro makes the bytes of a whole page for a `Response`. */
export const encoder = {
  /** Passes a page to the current rendering, and leaves its `Response` an empty body. */
  encode(html: string): Uint8Array {
    const rendering = renderingCache.getStore()
    if (!rendering) return textEncoder.encode(html)
    const { parts = [] } = rendering
    delete rendering.parts
    // Astro adds the document type by itself, in front of a page that has none.
    rendering.body = Buffer.concat([utf8(html), ...parts])
    return NOTHING
  },
}

/** The UTF-8 bytes of a text, as of `Buffer.from`, but in a third of its time for Arabic. */
function utf8(text: string): Buffer {
  // `transcode` refuses lone surrogates, which become U+FFFD in `Buffer.from`.
  const wide = Buffer.from(text.toWellFormed(), 'utf16le')
  return transcode(wide, 'utf16le', 'utf8') as Buffer
}
