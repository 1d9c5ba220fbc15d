import { atom, readonlyType } from 'nanostores'
import { logOnly, type Problem, problemOf } from '../shared/problem.ts'

/** What a table shows of a list: which page (from 0), in which order, and of which part. */
export interface TableView {
  page: number
  /** A sorting of the list's call: `title`, or `-title` from its end. */
  sort: string
  /** The text that is searched for; '' for none. */
  q: string
  /** By the names of the call; those that are not set are missing. */
  filters: Readonly<Record<string, string>>
}

/** A page of a list, as the calls of the office answer it. */
export interface TablePage<Row> {
  content: readonly Row[]
  totalElements: number
  totalPages: number
  number: number
}

/** What is there to show: the last page that came, whether another is on its way, and why none came. */
export interface TableState<Page> {
  page: Page | null
  isLoading: boolean
  problem: Problem | null
}

export interface TableOptions<Sort extends string, Page> {
  /** Names the list in the log. */
  what: string
  /** The sortings that the call knows, the usual one first. */
  sorts: readonly Sort[]
  /** The names of its filters. */
  filters?: readonly string[]
  /** Reads a page of it. */
  load: (
    query: { page: number; sort: Sort; q?: string } & Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ) => Promise<Page>
}

export type Table<Row> = ReturnType<typeof createTable<Row, string, TablePage<Row>>>

/** Typing has paused for so long (ms) when a search begins. */
const TYPING_PAUSE_MS = 300

/**
 * A table of a list that the server sorts, filters and pages. What it shows stands in the page's
 * address, which can be shared and gone back from; in the address pages count from 1.
 */
export function createTable<Row, Sort extends string, Page extends TablePage<Row>>({
  what,
  sorts,
  filters = [],
  load,
}: TableOptions<Sort, Page>) {
  const usualSort = sorts[0] as Sort
  const $view = atom<TableView>({ page: 0, sort: usualSort, q: '', filters: {} })
  const $state = atom<TableState<Page>>({ page: null, isLoading: true, problem: null })
  let reading = new AbortController()
  let typing: ReturnType<typeof setTimeout> | undefined

  /** What an address says; what it cannot mean is as if it were not there. */
  function readAddress(): TableView {
    const query = new URLSearchParams(location.search)
    const number = Number(query.get('page'))
    const set = filters.flatMap((name) => {
      const value = query.get(name)
      return value ? [[name, value] as const] : []
    })
    return {
      page: Number.isSafeInteger(number) && number > 1 ? number - 1 : 0,
      sort: sorts.find((sort) => sort === query.get('sort')) ?? usualSort,
      q: query.get('q') ?? '',
      filters: Object.fromEntries(set),
    }
  }

  /** The address of this page that shows a view; what else stands in its query stays. */
  function addressOf(view: TableView): string {
    const query = new URLSearchParams(location.search)
    const write = (name: string, value: string | undefined) =>
      value ? query.set(name, value) : query.delete(name)
    write('page', view.page > 0 ? String(view.page + 1) : undefined)
    write('sort', view.sort === usualSort ? undefined : view.sort)
    write('q', view.q)
    for (const name of filters) write(name, view.filters[name])
    return query.size > 0 ? `${location.pathname}?${query}` : location.pathname
  }

  async function read(): Promise<void> {
    reading.abort()
    reading = new AbortController()
    const { signal } = reading
    const { page, sort, q, filters: set } = $view.get()
    $state.set({ ...$state.get(), isLoading: true })
    try {
      const found = await load({ page, sort: sort as Sort, ...(q && { q }), ...set }, signal)
      if (signal.aborted) return
      // The last page may have gone since its address was written.
      const last = Math.max(0, found.totalPages - 1)
      if (page > last) return show({ page: last }, true)
      $state.set({ page: found, isLoading: false, problem: null })
    } catch (error) {
      if (signal.aborted) return
      logOnly(what)(error)
      $state.set({ ...$state.get(), isLoading: false, problem: problemOf(error) })
    }
  }

  /** Shows another view; every change but that of the page begins at the first one. */
  function show(change: Partial<TableView>, replaces = false): Promise<void> {
    clearTimeout(typing)
    const view = { ...$view.get(), page: 0, ...change }
    $view.set(view)
    history[replaces ? 'replaceState' : 'pushState'](history.state, '', addressOf(view))
    return read()
  }

  return {
    sorts: sorts as readonly string[],
    $view: readonlyType($view),
    $state: readonlyType($state),
    addressOf,
    show: (change: Partial<TableView>) => void show(change),
    /** Searches as somebody types: once they pause, and without an entry in the history for each letter. */
    search(q: string): void {
      clearTimeout(typing)
      typing = setTimeout(() => void show({ q: q.trim() }, true), TYPING_PAUSE_MS)
    },
    /** Shows only what a filter lets through; '' takes the filter away. */
    filter(name: string, value: string): void {
      const { [name]: _, ...others } = $view.get().filters
      void show({ filters: value ? { ...others, [name]: value } : others })
    },
    /** Reads the same again: after a failure, or a change of what it shows. */
    refresh: () => void read(),
    /** Reads what the address says, now and whenever one goes back or forward; returns what ends that. */
    open(): () => void {
      const follow = () => {
        $view.set(readAddress())
        void read()
      }
      follow()
      addEventListener('popstate', follow)
      return () => {
        clearTimeout(typing)
        reading.abort()
        removeEventListener('popstate', follow)
      }
    },
  }
}
