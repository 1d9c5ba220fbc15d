// Part of the intent script: registers `client:intent`, instead of the inline script that Astro
// would write into each page.
import type { ClientDirective } from 'astro'
import intent from './intent.ts'

window.Astro ??= {}
window.Astro.intent = intent
// Pages with other islands have the element already, and it waits for this event.
dispatchEvent(new Event('astro:intent'))

declare global {
  interface Window {
    /** The directives of islands by name, as Astro registers them. */
    Astro?: Record<string, ClientDirective>
  }
}
