// The few service-worker types that are used here: TypeScript's library for workers conflicts with
// the one for pages, and a program can include only one of them.

export interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void
}

interface RouterCondition {
  urlPattern?: string
  or?: RouterCondition[]
}

export interface InstallEvent extends ExtendableEvent {
  /** Missing in browsers without static routing. */
  addRoutes?: (routes: { condition: RouterCondition; source: 'network' }[]) => Promise<void>
}

export interface FetchEvent extends ExtendableEvent {
  readonly request: Request
  readonly preloadResponse: Promise<Response | undefined>
  respondWith(response: Promise<Response>): void
}

export interface MessageEvent extends ExtendableEvent {
  readonly data: unknown
  readonly ports: readonly MessagePort[]
}

interface Events {
  install: InstallEvent
  activate: ExtendableEvent
  fetch: FetchEvent
  message: MessageEvent
}

/** The worker's global scope. */
interface WorkerScope {
  readonly location: Location
  readonly registration: {
    readonly navigationPreload?: { enable(): Promise<void> }
    unregister(): Promise<boolean>
  }
  readonly clients: {
    matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<{ url: string }[]>
  }
  skipWaiting(): Promise<void>
  addEventListener<Name extends keyof Events>(
    name: Name,
    listener: (event: Events[Name]) => void,
  ): void
}

export const scope = globalThis as unknown as WorkerScope
