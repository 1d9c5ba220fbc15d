/// <reference types="astro/client" />

/** The texts of islands that sleep, in the browser, since one of them was touched. */
declare var islandTexts: import('./i18n/sleeping-texts.ts').SleepingTexts['props'] | undefined

declare namespace App {
  /** What the server gives to every rendering. */
  interface ServerLocals {
    /** The contract's calls, in-process; the only way a page reads data. */
    api: import('./client/api.ts').Api
    /** The gateway that takes cards, which pages offer. */
    provider: import('./contract/orders.ts').Provider
    /** Another office than the shop's own, without a slash at its end; null: below `/office`. */
    officeUrl: string | null
  }

  /** What `src/middleware.ts` adds: the language of the page, and its texts. */
  type Localized = import('./i18n/translate.ts').Localized

  interface Locals extends ServerLocals, Localized {
    /** The shop's own facts; not known where the build renders a page. */
    facts: import('./contract/site.ts').Facts
  }
}

declare namespace Astro {
  interface ClientDirectives {
    /** Hydrates at the first touch; `hover`: also under a mouse; `with-others`: also at any other island's. */
    'client:intent'?: boolean | 'hover' | 'with-others' | 'at-once'
    /** Hydrates once the first page of the document is on the screen, or at the first touch. */
    'client:after-first-page'?: boolean
  }
}

declare module 'virtual:karras/paint' {
  /** `src/layouts/paint.ts`, bundled; goes into the head as it is. */
  const paintScript: string
  export default paintScript
}

declare module 'virtual:karras/page-script' {
  /** The address of `src/layouts/page-script.ts`, bundled. */
  const address: string
  export default address
}

declare module 'virtual:karras/paint-here' {
  /** `src/layouts/paint-here.ts`, in the same way, for the body. */
  const paintHere: string
  export default paintHere
}

declare module 'virtual:karras/island' {
  /** `src/islands/intent/island.ts`, in the same way, before a page's first island. */
  const islandRuntime: string
  export default islandRuntime
}

declare module 'virtual:karras/first-page' {
  /** `src/layouts/first-page.ts`, in the same way, for the head of the reader's page. */
  const firstPageScript: string
  export default firstPageScript
}

declare module 'virtual:karras/office-gate' {
  /** `src/layouts/office-gate.ts`, in the same way. */
  const gateScript: string
  export default gateScript
}

declare module 'virtual:karras/worker' {
  /** `src/worker/worker.ts`, bundled, with a mark of its build. */
  const worker: string
  export default worker
}

declare module 'virtual:karras/worker-off' {
  /** `src/worker/worker-off.ts`, in the same way. */
  const workerOff: string
  export default workerOff
}
