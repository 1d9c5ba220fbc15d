import { atom, readonlyType } from 'nanostores'
import { logOnly, type Problem, problemOf } from '../shared/problem.ts'

/** What a table shows of a list: the page (from 0), its sorting, and the search and filters. */
export interface TableView {
  page: number
  /** A `sort` value of the list's call: `title`, or `-title` for the reverse order. */
  sort: string
  /** The text to search for; '' for none. */
  q: string
  /** By their names in the call; only those that are set. */
  filters: Readonly<Record<string, string>>
}

/** A page of a list, as the calls of the office return it. */
export interface TablePage<Row> {
  content: readonly Row[]
  totalElements: number
  totalPages: number
  number: number
}

/** The last loaded page, whether another is loading, and why loading failed. */
export interface TableState<Page> {
  page: Page | null
  isLoading: boolean
  problem: Problem | null
}

export interface TableOptions<Sort extends string, Page> {
  /** Names the list in the log. */
  what: string
  /** The sortings that the call supports, the default first. */
  sorts: readonly Sort[]
  /** The names of its filters. */
  filters?: readonly string[]
  /** Loads a page of the list. */
  load: (
    query: { page: number; sort: Sort; q?: string } & Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ) => Promise<Page>
}

export type Table<Row> = ReturnType<typeof createTable<Row, string, TablePage<Row>>>

/** How long a pause in typing is before a search begins (ms). */
const TYPING_PAUSE_MS = 300

/**
 * A table of a list that the server sorts, filters and pages. The URL holds what it
 * shows, so that it can be shared and the history works; in the URL pages count from 1.
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

  /** The view that a URL names; invalid values are ignored. */
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

  /** The URL of this page for a view; other parameters of the query are kept. */
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

  async function read(isQuiet = false): Promise<void> {
    reading.abort()
    reading = new AbortController()
    const { signal } = reading
    const { page, sort, q, filters: set } = $view.get()
    if (!isQuiet) $state.set({ ...$state.get(), isLoading: true })
    try {
      const found = await load({ page, sort: sort as Sort, ...(q && { q }), ...set }, signal)
      if (signal.aborted) return
      // The list may have become shorter than its URL says.
      const last = Math.max(0, found.totalPages - 1)
      if (page > last) return show({ page: last }, true)
      $state.set({ page: found, isLoading: false, problem: null })
    } catch (error) {
      if (signal.aborted) return
      logOnly(what)(error)
      if (isQuiet && $state.get().page) return
      $state.set({ ...$state.get(), isLoading: false, problem: problemOf(error) })
    }
  }

  /** Shows another view; every change but that of the page starts at the first page. */
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
    /** Searches while the user types: after a pause, and without an entry in the history for each letter. */
    search(q: string): void {
      clearTimeout(typing)
      typing = setTimeout(() => void show({ q: q.trim() }, true), TYPING_PAUSE_MS)
    },
    /** Sets a filter; '' removes it. */
    filter(name: string, value: string): void {
      const { [name]: _, ...others } = $view.get().filters
      void show({ filters: value ? { ...others, [name]: value } : others })
    },
    /** Reloads the same page: after a failure, or a change to the list. */
    refresh: () => void read(),
    /** Reloads it behind what is shown, which stays where that fails. */
    renew: () => void read(!$state.get().isLoading),
    /** Loads what the URL names, now and on every back or forward; returns the function that stops it. */
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
