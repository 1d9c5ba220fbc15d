// In place of the encoder with which Astro makes the bytes of a whole page for a `Response`, whose streams
// would copy them, and which the publisher would decode again to look at the text.
import { renderingCache } from './cache-provider.ts'

const NOTHING = new Uint8Array()
const real = new TextEncoder()

export const encoder = {
  /** Hands a page to the rendering that is under way, and leaves its `Response` an empty body. */
  encode(html: string): Uint8Array {
    const rendering = renderingCache.getStore()
    if (!rendering) return real.encode(html)
    rendering.html = html
    return NOTHING
  },
}
