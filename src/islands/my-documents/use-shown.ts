import { useStore } from '@nanostores/react'
import {
  type RefObject,
  startTransition,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { createSearch, sortBooks } from '../../rules/library-list.ts'
import {
  $allDocuments,
  $filtered,
  entriesOf,
  type PurchasedDocument,
} from '../../stores/library/library.ts'
import { $choices, type LibraryChoices } from '../../stores/library/shown.ts'
import { useLocale } from '../parts/island.tsx'
import { useNames } from './texts.ts'

export interface Shown {
  documents: readonly PurchasedDocument[]
  choices: LibraryChoices
}

export function useShownDocuments(): Shown {
  const locale = useLocale()
  const nameOf = useNames().matiereId
  // Keeps typing and choosing responsive while a long list renders.
  const filtered = useDeferredValue(useStore($filtered))
  const choices = useDeferredValue(useStore($choices))
  const { q, sort } = choices
  const [{ prepare, search }] = useState(() =>
    createSearch((document: PurchasedDocument) => [
      document.documentTitle,
      document.matiereName,
      nameOf(entriesOf(document).matiereId),
      document.searchedNames ?? '',
      document.teacherName,
      document.teacherLatinName ?? '',
    ]),
  )
  const all = useStore($allDocuments)
  useEffect(() => whileIdle(all, prepare), [all, prepare])
  const documents = useMemo(
    () =>
      sortBooks(search(filtered, q), sort, locale, (document) =>
        nameOf(entriesOf(document).matiereId),
      ),
    [search, filtered, q, sort, locale, nameOf],
  )
  return { documents, choices }
}

/** The least idle time (ms) that is still used for another item. */
const LEAST_MS = 4

/** For browsers without `requestIdleCallback`: one item at a time. */
const ONE_ITEM = { timeRemaining: () => 0 }
const PAUSE_MS = 20

/** Calls `work` for each item while the page is idle. Returns a function that stops it. */
function whileIdle<Item>(items: readonly Item[], work: (item: Item) => void): () => void {
  let at = 0
  let isStopped = false
  const schedule =
    window.requestIdleCallback ?? ((work: typeof run) => setTimeout(work, PAUSE_MS, ONE_ITEM))
  function run(idle: Pick<IdleDeadline, 'timeRemaining'>) {
    do {
      const item = items[at++]
      if (item === undefined || isStopped) return
      work(item)
    } while (idle.timeRemaining() > LEAST_MS)
    schedule(run)
  }
  schedule(run)
  return () => {
    isStopped = true
  }
}

/** How many items the first screen needs, and how many are added when the end comes near. */
const FIRST = 12
const MORE = 12

/** Far enough below the screen that there is always something to scroll to. */
const AHEAD = '100%'

/** Renders a long list in parts as the user scrolls; starts again when `resetKey` changes. */
export function useInParts<Item, Box extends Element>(
  list: readonly Item[],
  resetKey: unknown,
): { items: readonly Item[]; box: RefObject<Box | null> } {
  const box = useRef<Box>(null)
  const [part, setPart] = useState({ resetKey, count: FIRST })
  const count = part.resetKey === resetKey ? part.count : FIRST
  useEffect(() => {
    const last = box.current?.lastElementChild
    if (count >= list.length || !last) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return
        observer.disconnect()
        startTransition(() => setPart({ resetKey, count: count + MORE }))
      },
      { rootMargin: AHEAD },
    )
    observer.observe(last)
    return () => observer.disconnect()
  }, [list, resetKey, count])
  return { items: list.slice(0, count), box }
}
