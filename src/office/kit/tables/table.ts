import { atom, readonlyType } from 'nanostores'
import type { AnyCall, Call, Input } from '../../../contract/call.ts'
import { logOnly, type Problem, problemOf } from '../../../stores/shared/problem.ts'
import { ask } from '../backend.ts'

/** The part of a list that a table shows: page (from 0), sorting, search and filters. */
export interface TableView {
  page: number
  /** A `sort` value of the list's call: `title`, or `-title` for the reverse order. */
  sort: string
  /** The text to search for; '' for none. */
  q: string
  /** The values of the active filters, by their names in the call. */
  filters: Readonly<Record<string, string>>
}

/** A page of a list, as the calls of the office return it. */
export interface TablePage<Row> {
  content: readonly Row[]
  totalElements: number
  totalPages: number
  number: number
}

/** The last loaded page, whether a page is loading, and the problem of the last failure. */
interface TableState<Page> {
  page: Page | null
  isLoading: boolean
  problem: Problem | null
}

interface TableOptions<Sort extends string, Page> {
  /** Names the list in the log. */
  what: string
  /** The sortings that the call supports, the default first; none if it has a single order. */
  sorts?: readonly Sort[]
  /** The names of the call's filters. */
  filters?: readonly string[]
  /** Loads a page of the list. */
  load: (
    query: { page: number; sort: Sort; q?: string } & Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ) => Promise<Page>
}

export type Table<Row> = ReturnType<typeof createTable<string, TablePage<Row>>>

/** A search starts after a pause in typing of this length (ms). */
const TYPING_PAUSE_MS = 300

/**
 * A table of a list that the server sorts, filters and pages. The view is stored in the URL, so
 * that it can be shared and restored by the browser's history. In the URL, pages count from 1.
 */
export function createTable<Sort extends string, Page extends TablePage<unknown>>({
  what,
  sorts = [],
  filters = [],
  load,
}: TableOptions<Sort, Page>) {
  const defaultSort = sorts[0] ?? ''
  const $view = atom<TableView>({ page: 0, sort: defaultSort, q: '', filters: {} })
  const $state = atom<TableState<Page>>({ page: null, isLoading: true, problem: null })
  let request = new AbortController()
  let searchTimer: ReturnType<typeof setTimeout> | undefined

  /** The view in the page's URL; invalid values are ignored. */
  function readAddress(): TableView {
    const query = new URLSearchParams(location.search)
    const number = Number(query.get('page'))
    const activeFilters = filters.flatMap((name) => {
      const value = query.get(name)
      return value ? [[name, value] as const] : []
    })
    return {
      page: Number.isSafeInteger(number) && number > 1 ? number - 1 : 0,
      sort: sorts.find((sort) => sort === query.get('sort')) ?? defaultSort,
      q: query.get('q') ?? '',
      filters: Object.fromEntries(activeFilters),
    }
  }

  /** The URL of this page for a view; other parameters of the query are kept. */
  function addressOf(view: TableView): string {
    const query = new URLSearchParams(location.search)
    const writeParameter = (name: string, value: string | undefined) =>
      value ? query.set(name, value) : query.delete(name)
    writeParameter('page', view.page > 0 ? String(view.page + 1) : undefined)
    writeParameter('sort', view.sort === defaultSort ? undefined : view.sort)
    writeParameter('q', view.q)
    for (const name of filters) writeParameter(name, view.filters[name])
    return query.size > 0 ? `${location.pathname}?${query}` : location.pathname
  }

  async function readPage(isQuiet = false): Promise<void> {
    request.abort()
    request = new AbortController()
    const { signal } = request
    const { page, sort, q, filters: activeFilters } = $view.get()
    if (!isQuiet) $state.set({ ...$state.get(), isLoading: true })
    try {
      const found = await load(
        { page, sort: sort as Sort, ...(q && { q }), ...activeFilters },
        signal,
      )
      if (signal.aborted) return
      // The list may have become shorter since the URL was made.
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

  /** Changes the view; any change other than of the page returns to the first page. */
  function show(change: Partial<TableView>, replacesEntry = false): Promise<void> {
    clearTimeout(searchTimer)
    const view = { ...$view.get(), page: 0, ...change }
    $view.set(view)
    history[replacesEntry ? 'replaceState' : 'pushState'](history.state, '', addressOf(view))
    return readPage()
  }

  return {
    sorts: sorts as readonly string[],
    $view: readonlyType($view),
    $state: readonlyType($state),
    addressOf,
    show: (change: Partial<TableView>) => void show(change),
    /** Searches after a pause in typing, without adding entries to the history. */
    search(q: string): void {
      clearTimeout(searchTimer)
      searchTimer = setTimeout(() => void show({ q: q.trim() }, true), TYPING_PAUSE_MS)
    },
    /** Sets a filter; '' removes it. */
    filter(name: string, value: string): void {
      const { [name]: _, ...others } = $view.get().filters
      void show({ filters: value ? { ...others, [name]: value } : others })
    },
    /** Reloads the current page, after a failure or a change to the list. */
    refresh: () => void readPage(),
    /** Reloads the current page in the background; if that fails, the shown rows stay. */
    renew: () => void readPage(!$state.get().isLoading),
    /** Waits for a change to the list, then reloads the page, even if the change failed. */
    after: <T>(change: Promise<T>) => change.finally(() => void readPage()),
    /**
     * Shows a row that a call returned, in the place of the older one or as the newest; a filtered
     * list is loaded again, since the row may no longer belong to it, and a later page likewise.
     */
    put(row: Page['content'][number] & { id: number }): void {
      const state = $state.get()
      const { page, filters: active } = $view.get()
      const isOlder = (each: unknown) => (each as { id: number }).id === row.id
      const isKnown = state.page?.content.some(isOlder)
      if (Object.keys(active).length > 0 || (page > 0 && !isKnown)) return void readPage()
      if (!state.page) return
      const { content, totalElements } = state.page
      const shown = isKnown
        ? { content: content.map((each) => (isOlder(each) ? row : each)) }
        : { content: [row, ...content], totalElements: totalElements + 1 }
      $state.set({ ...state, page: { ...state.page, ...shown } })
    },
    /** Loads the view in the URL, now and on every history navigation; returns a stop function. */
    open(): () => void {
      const loadFromUrl = () => {
        $view.set(readAddress())
        void readPage()
      }
      loadFromUrl()
      addEventListener('popstate', loadFromUrl)
      return () => {
        clearTimeout(searchTimer)
        request.abort()
        removeEventListener('popstate', loadFromUrl)
      }
    },
  }
}

interface ListOptions<Params, Query> {
  /** The sortings that the page offers, the default first; none if the call has a single order. */
  sorts?: readonly string[]
  /** The values of filters that are parameters of the call; others in the URL are ignored. */
  choices?: { readonly [Name in keyof Query]?: readonly NonNullable<Query[Name]>[] }
  /** What the values of other filters, '' without one, mean to the call. */
  filters?: Readonly<Record<string, (value: string) => Partial<Query>>>
  /** The rest of the call's input. */
  input?: () => { params?: Params; query?: Partial<Query> }
}

/** A table of the list that a call returns. */
export function tableOf<Params, Query, Page extends TablePage<unknown>>(
  call: Call<Params, Query, undefined, Page>,
  { sorts = [], choices = {}, filters = {}, input }: NoInfer<ListOptions<Params, Query>> = {},
) {
  const chosenBy = Object.entries<readonly unknown[]>(choices as Record<string, unknown[]>)
  return createTable<string, Page>({
    what: call.path,
    sorts,
    filters: [...chosenBy.map(([name]) => name), ...Object.keys(filters)],
    async load({ page, sort, q, ...view }, signal) {
      const { params, query } = input?.() ?? {}
      const parts = [
        { page, ...(sort && { sort }), ...(q && { q }), ...query },
        ...chosenBy.map(([name, values]) => values.includes(view[name]) && { [name]: view[name] }),
        ...Object.entries(filters).map(([name, meant]) => meant(String(view[name] ?? ''))),
      ]
      const whole = { params, query: Object.assign({}, ...parts) } as Input<AnyCall>
      return (await ask<AnyCall>(call, whole, { signal })) as Page
    },
  })
}

/**
 * A query parameter for a filter value from the URL; a value that is no valid choice is ignored.
 */
export function choiceOf<Name extends string, Choice extends string>(
  name: Name,
  value: unknown,
  choices: readonly Choice[],
): { [Key in Name]?: Choice } {
  const choice = choices.find((each) => each === value)
  return (choice ? { [name]: choice } : {}) as { [Key in Name]?: Choice }
}
