/// <reference types="astro/client" />

declare namespace App {
  /** What the server gives to every rendering. */
  interface ServerLocals {
    /** The contract's calls, in-process; the only way a page reads data. */
    api: import('./client/api.ts').Api
    /** The gateway that takes cards, which pages offer. */
    provider: import('./contract/orders.ts').Provider
    /** The staff's own site, without a slash at its end. */
    officeUrl: string
  }

  interface Locals extends ServerLocals {
    /** The language of the page, one of its texts, and a group of them: from `src/middleware.ts`. */
    locale: import('./i18n/locales.ts').Locale
    t: import('./i18n/translate.ts').Translate
    texts: import('./i18n/translate.ts').Localized['texts']
  }
}

declare namespace Astro {
  interface ClientDirectives {
    /** Hydrates at the first touch; `hover`: also under a mouse; `with-others`: also at any other island's. */
    'client:intent'?: boolean | 'hover' | 'with-others' | 'at-once'
  }
}

declare module 'virtual:karras/paint' {
  /** `src/layouts/paint.ts`, bundled; goes into the head as it is. */
  const paintScript: string
  export default paintScript
}

declare module 'virtual:karras/office-gate' {
  /** `src/layouts/office-gate.ts`, in the same way. */
  const gateScript: string
  export default gateScript
}
