// Replaces the encoder with which Astro makes the bytes of a whole page for a `Response`: its
// streams would copy the bytes, and the publisher would decode them again to read the text.
import { renderingCache } from './cache-provider.ts'

const NOTHING = new Uint8Array()
const real = new TextEncoder()

export const encoder = {
  /** Passes a page to the current rendering, and leaves its `Response` an empty body. */
  encode(html: string): Uint8Array {
    const rendering = renderingCache.getStore()
    if (!rendering) return real.encode(html)
    rendering.html = html
    return NOTHING
  },
}
