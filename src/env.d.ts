/// <reference types="astro/client" />

declare namespace App {
  /** What the server passes to every rendering. */
  interface ServerLocals {
    /** Makes the contract's calls in-process; pages read data in no other way. */
    api: import('./client/api.ts').Api
    /** The gateway that takes cards, for pages that offer it. */
    provider: import('./contract/orders.ts').Provider
    /**
     * The URL of an office other than the shop's own, without a trailing slash; null: the office is
     * below `/office`.
     */
    officeUrl: string | null
    /** Whether another backend serves the shop: where it takes transfers is not known here. */
    isForeign: boolean
    /** Whether the shop sends text messages, so that an account needs no e-mail address. */
    reachesPhones: boolean
  }

  /** What `src/middleware.ts` adds: the language of the page, and its texts. */
  type Localized = import('./i18n/translate.ts').Localized

  interface Locals extends ServerLocals, Localized {
    /** The shop's own facts; not available to pages that the build renders. */
    facts: import('./contract/site.ts').Facts
    /** Whether the backend has a feature: ours has all, another one what it says. */
    has: (feature: import('./rules/features.ts').Feature | undefined) => boolean
    /** The features that it lacks, for the page's stores; undefined: none. */
    lacks: string | undefined
    /**
     * The addresses of the script of the shop's pages and of what it imports; not known in development
     * and to pages that the build renders.
     */
    scripts?: readonly string[]
  }
}

declare namespace Astro {
  interface ClientDirectives {
    /** Hydrates at the first touch; `on-call`: also when the page calls it; `at-once`: at once. */
    'client:intent'?: boolean | 'on-call' | 'at-once'
    /** Hydrates once the first page of the document is on the screen, or at the first touch. */
    'client:after-first-page'?: boolean
  }
}

declare module 'virtual:karras/head' {
  /** `src/layouts/head.ts`, bundled, to be inlined into the head. */
  const headScript: string
  export default headScript
}

declare module 'virtual:karras/first-page' {
  /** `src/layouts/first-page.ts`, likewise, for the head of the reader's page. */
  const firstPageScript: string
  export default firstPageScript
}

declare module 'virtual:karras/office-gate' {
  /** `src/layouts/office-gate.ts`, likewise. */
  const gateScript: string
  export default gateScript
}

declare module 'virtual:karras/first-choice' {
  /** `src/islands/charging/first-choice.ts`, likewise, for the wallet's page. */
  const firstChoiceScript: string
  export default firstChoiceScript
}

declare module 'virtual:karras/office-menu' {
  /** `src/layouts/office-menu.ts`, likewise, to follow the office's menu. */
  const menuScript: string
  export default menuScript
}

declare module 'virtual:karras/count-visit' {
  /** `src/components/teacher/count-visit.ts`, likewise, for a teacher's page. */
  const countVisitScript: string
  export default countVisitScript
}

declare module 'virtual:karras/worker' {
  /** `src/worker/worker.ts`, bundled, with a mark of its build. */
  const worker: string
  export default worker
}

declare module 'virtual:karras/worker-off' {
  /** `src/worker/worker-off.ts`, likewise. */
  const workerOff: string
  export default workerOff
}
